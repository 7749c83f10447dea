import Testing

/// The form of a fixture, and what its check finds.
@Suite("Fixtures", .timeLimit(.minutes(10)))
struct FixtureTests {
    private static let file = "Tests/Fixtures/MustNotCompile/PK-34-example.swift"

    @Test(
        "a fixture that is not well-formed is a problem at its line",
        arguments: [
            ("import Promise", 1), ("// expect-error: x; // a sentence", 2),
            ("// expect-error: x; // PK-33: another row", 2), ("// expect-error: x; // PK-34: a", 1),
            ("// expect-error: x; // PK-34: a; // <wrong>", 3),
            ("// expect-error: x; // PK-34: a; // </wrong>", 3),
            ("// expect-error: x; // PK-34: a; // <wrong>; // <wrong>", 4),
        ])
    func malformed(lines: String, line: Int) {
        let text = lines.replacing("; ", with: "\n")
        let problem = #expect(throws: Problem.self) { try Fixture(file: Self.file, text: text) }
        #expect(problem?.place == Place(file: Self.file, line: line))
    }

    @Test("a fixture that fails with its expected error is right", .compiler)
    func right() async throws {
        let problems = try await check(
            wrong: "a = 2", expecting: "cannot assign to value: 'a' is a 'let' constant")
        #expect(problems == [])
    }

    @Test("a data race, which the type checker alone does not find, is rejected too", .compiler)
    func race() async throws {
        let problems = try await check(
            wrong: "final class C { var n = 0 }; let c = C(); Task.detached { c.n = a }; c.n = 2",
            expecting: "risks causing data races")
        #expect(problems == [])
    }

    @Test("a fixture that compiles is a problem", .compiler)
    func compiles() async throws {
        let problems = try await check(wrong: "_ = a", expecting: "cannot assign")
        #expect(problems.map(\.message) == ["this compiles, and must not"])
    }

    @Test("a fixture that fails for another reason is a problem that shows the compiler's report", .compiler)
    func anotherReason() async throws {
        let problems = try await check(wrong: "b = 2", expecting: "cannot assign")
        let message = try #require(problems.first?.message)
        #expect(problems.count == 1)
        #expect(message.hasPrefix("no error says 'cannot assign'\n"))
        #expect(message.contains("PK-34-example.swift:6:1: error: cannot find 'b' in scope"))
    }

    @Test("a fixture whose other lines do not compile is a problem", .compiler)
    func otherLines() async throws {
        let problems = try await check(wrong: "a = 2", expecting: "no such module", import: "Promises")
        let message = try #require(problems.first?.message)
        #expect(problems.count == 1)
        #expect(message.hasPrefix("without its wrong part this must compile, and does not\n"))
        #expect(message.contains("no such module 'Promises'"))
    }

    private func check(
        wrong: String, expecting expected: String, import module: String = "PromisedSystem"
    ) async throws -> [Problem] {
        let text = """
            // expect-error: \(expected)
            // PK-34: an example
            import \(module)
            func example(a: Int) {
            // <wrong>
            \(wrong)
            // </wrong>
            }
            """
        let fixture = try Fixture(file: Self.file, text: text)
        let compiler = try Compiler.current
        return try await withKeptFolder(for: text) { folder in
            try await FixtureCheck(compiler: compiler).problems(of: fixture, in: folder)
        }
    }
}
