import Testing

/// How an example is divided into what a file contains.
@Suite("Body parts")
struct BodyPartsTests {
    @Test("an example's types are at file scope, private, and its statements are in a function")
    func parts() {
        let code = """
            @MainActor final class A {
                enum B { case c }
            }
            let a = A()
            @MainActor
            struct D {
            }

            enum E { case f }  // short
            let e = E.f
            extension A: Sendable {}
            public actor G {}
            protocol I {}
            @available(*, deprecated) struct J {}
            @available(*, deprecated)
            struct K {}
            fileprivate struct L {}
            if true {
                struct H {}
            }
            """
        let parts = BodyParts(code.split(separator: "\n", omittingEmptySubsequences: false))
        #expect(
            parts.types == """
                @MainActor private final class A {
                    enum B { case c }
                }

                @MainActor
                private struct D {
                }

                private enum E { case f }  // short

                extension A: Sendable {}
                public actor G {}
                private protocol I {}
                @available(*, deprecated) private struct J {}
                @available(*, deprecated)
                private struct K {}
                fileprivate struct L {}



                """)
        #expect(
            parts.statements
                == "\n\n\nlet a = A()\n\n\n\n\n\nlet e = E.f\n\n\n\n\n\n\n\nif true {\n    struct H {}\n}")
    }
}
