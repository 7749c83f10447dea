import Foundation
import Testing

/// The check of a page accepts right pages and finds wrong ones.
@Suite("Program check", .compiler, .timeLimit(.minutes(10)))
struct ProgramCheckTests {
    @Test("a program that runs and prints what the page says is right")
    func right() async throws {
        let problems = try await check(
            """
            ```swift
            import PromisedSystem
            let a = await f()
            func f() async -> Int { 1 }
            ```
            ```swift continues
            print(a)
            ```
            ```text output
            1
            ```
            """)
        #expect(problems == [])
    }

    @Test("a program with its own entry point runs")
    func entryPoint() async throws {
        let problems = try await check(
            """
            ```swift
            @main enum Program {
                static func main() async { print("a") }
            }
            ```
            ```text output
            a
            ```
            """)
        #expect(problems == [])
    }

    @Test("an error or a warning is a problem at the page's line, with the compiler's report")
    func doesNotCompile() async throws {
        let problems = try await check(
            """
            ```swift
            let a: Int = 1
            func f() { let unused = 1 }
            ```
            text
            ```swift continues
            let b: String = a
            ```
            """)
        #expect(problems.map(\.place.file) == ["page.md", "page.md"])
        #expect(Set(problems.map(\.place.line)) == [3, 7])
        #expect(problems[0].message.contains("page.md:7:17: error: cannot convert value of type 'Int'"))
    }

    @Test("a program that fails, or prints something else, is a problem at its first line")
    func runsWrongly() async throws {
        let fails = try await check("\n```swift\nprint(1)\nfatalError(\"no\")\n```")
        #expect(fails.map(\.place) == [Place(file: "page.md", line: 2)])
        #expect(fails[0].message.contains("Fatal error: no"))
        let prints = try await check("```swift\nprint(1)\n```\n```text output\n2\n```")
        #expect(prints.map(\.message) == ["the program prints\n1\nand not, as the page says,\n2\n"])
    }

    @Test("a fence can be a file beside the program, and each error has its own line")
    func files() async throws {
        let cart = "```swift as=Cart\nstruct Cart { var pieces = 1 }\n```\n"
        let right = try await check(
            cart + "```swift with=Cart\nprint(Cart().pieces)\n```\n```text output\n1\n```")
        #expect(right == [])
        let problems = try await check(cart + "```swift with=Cart\nprint(Cart().price)\n```")
        #expect(problems.map(\.place.line) == [5])
    }

    @Test("a screen is compiled with the stubs of Apple's frameworks, in both kinds of modules")
    func frameworks() async throws {
        let view = """
            import PromisedSystem
            import SwiftUI
            struct Field: View {
                let text: Source<String>
                var body: some View { TextField("", text: text.binding { print($0) }.binding) }
            }

            """
        let right = try await check("```swift frameworks\n\(view)```")
        #expect(right == [])
        // This function is on the main actor only if that is the default.
        let isolated = "func make() {}\nlet body: @Sendable () -> Void = { make() }\n"
        let problems = try await check("```swift frameworks\n\(view)\(isolated)```")
        #expect(problems.map(\.place.line) == [9])
    }

    @Test("a fence can be compiled as in a module that defaults to the main actor")
    func mainActor() async throws {
        let code = "final class C { var n = 0 }\nnonisolated func f(_ c: C) { c.n = 1 }"
        let right = try await check("```swift compile\n\(code)\n```")
        #expect(right == [])
        let problems = try await check("```swift compile main-actor\n\(code)\n```")
        #expect(problems.map(\.place.line) == [3])
    }

    @Test("a manifest is compiled as a manifest")
    func manifest() async throws {
        let problems = try await check(
            "```swift manifest\nimport PackageDescription\nlet package = Package(name: \"A\")\n```")
        #expect(problems == [])
    }

    @Test(
        "a program that must be rejected is right if the page quotes all errors, in any order, … standing for anything",
        arguments: [
            "error: cannot find 'a' in scope\nerror: cannot find 'b' in scope",
            "error: cannot find … in scope\nerror: …",
            "error: … 'a' …\nwarning: cannot find 'b' in scope",
            "error: cannot find 'b' in scope\nerror: cannot find 'a' in scope",
            "error: cannot find … in scope\nerror: cannot find 'a' in scope",
        ])
    func refused(errors: String) async throws {
        let problems = try await check("```swift refused\na\nb\na\n```\n```text errors\n\(errors)\n```")
        #expect(problems == [])
    }

    @Test(
        "a program that must be rejected is a problem if the page quotes other errors",
        arguments: [
            "error: cannot find 'b' in scope", "error: cannot find 'a'", "error: find 'a' in scope",
            "error: find…scope",
            "error: cannot…find 'b' in scope", "error: …\nerror: …",
        ])
    func refusedForAnotherReason(errors: String) async throws {
        let problems = try await check("```swift refused\na\n```\n```text errors\n\(errors)\n```")
        #expect(
            problems.map(\.message) == [
                "the compiler says\nerror: cannot find 'a' in scope\nand not, as the page quotes,\n\(errors)\n"
            ])
    }

    @Test("a program that must be rejected and compiles is a problem")
    func isNotRefused() async throws {
        let problems = try await check("```swift refused\nprint(1)\n```\n```text errors\nerror: a\n```")
        #expect(problems.map(\.message) == ["this compiles, and the page says that it does not"])
    }

    @Test("examples are compiled together, their types at file scope, and each error has its own line")
    func bodies() async throws {
        let comment = """
            /// ```swift
            /// let a = 1
            /// ```
            let first = 0
            /// ```swift
            /// let a: Int = ""
            /// ```
            /// ```swift
            /// b()
            /// ```
            let second = 0
            /// ```swift
            /// struct Local {
            ///     let first = 1
            /// }
            /// print(Local().first)
            /// extension Local: Comparable {}
            /// ```
            let third = 0
            /// ```swift
            /// @MainActor
            /// protocol Local { var second: Int { get } }
            /// ```
            let fourth = 0
            """
        let found = DocComments.extract(comment, file: "A.swift")
        let reader = ProgramReader(found.fences, standard: .body, module: "PromisedSystem")
        let problems = try await withKeptFolder(for: comment) { folder in
            try await ProgramCheck(compiler: .current, root: folder)
                .problems(ofBodies: reader.programs, in: folder.appending(path: "slot"))
        }
        #expect(Set(problems.map(\.place.line)) == [6, 9, 17])
    }

    /// The problems of the programs of a page.
    private func check(_ text: String) async throws -> [Problem] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let found = FenceExtractor.extract(lines, file: "page.md", style: .infoString)
        let reader = ProgramReader(found.fences, standard: .run)
        var programs = reader.programs
        try #require(found.problems.isEmpty && reader.problems.isEmpty && programs.findFiles().isEmpty)
        return try await withKeptFolder(for: text) { folder in
            let check = ProgramCheck(compiler: try .current, root: folder)
            var problems: [Problem] = []
            for program in programs {
                problems += try await check.problems(of: program, in: folder.appending(path: "slot"))
            }
            return problems
        }
    }
}
