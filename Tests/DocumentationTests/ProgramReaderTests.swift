import Testing

/// How fences become programs.
@Suite("Program reader")
struct ProgramReaderTests {
    @Test(
        "the attribute says what is done with a fence",
        arguments: [
            ([], Program.Kind.body), (["compile"], .compile), (["run"], .run), (["manifest"], .manifest),
            (["compile", "main-actor"], .compile),
        ])
    func kind(attributes: [String], kind: Program.Kind) {
        let reader = ProgramReader([swift(1, attributes)], standard: .body)
        #expect(reader.programs.map(\.kind) == [kind])
        #expect(reader.problems.isEmpty)
    }

    @Test("a fence can continue the one before, and their outputs are joined")
    func continues() {
        let fences = [
            swift(1), output(4, "a\n"), swift(7, ["continues"]), output(9, "b\n"), swift(12),
        ]
        let reader = ProgramReader(fences, standard: .run)
        #expect(reader.programs.map { $0.fences.map(\.place.line) } == [[1, 7], [12]])
        #expect(reader.programs.map(\.output) == ["a\nb\n", nil])
    }

    @Test("a program that must be rejected has the errors that follow it, and must have some")
    func refused() {
        let fences = [
            swift(1, ["refused"]), errors(3, "error: a\n"), swift(5, ["refused"]), swift(7), errors(9, "b\n"),
        ]
        let reader = ProgramReader(fences, standard: .run)
        #expect(reader.programs.map(\.errors) == ["error: a\n", nil, nil])
        #expect(
            reader.problems.map(\.description) == [
                "page.md:9: the Swift fence before these errors is not one that must be refused",
                "page.md:5: no 'text errors' fence says what the compiler answers to this",
            ])
    }

    @Test("a fence can be a file beside another's, with the files that it needs itself")
    func files() {
        let fences = [
            swift(1, ["as=A"]), swift(2, ["as=B", "with=A"]), swift(3, ["continues"]),
            swift(4, ["frameworks", "with=B"]), swift(5, ["with=C"]), swift(6, ["as=A"]),
        ]
        var programs = ProgramReader(fences.dropLast(2), standard: .run).programs
        #expect(programs.findFiles().isEmpty)
        #expect(programs.map { $0.files.map(\.fileName) } == [[], ["A"], ["B", "A"]])
        #expect(programs.map { $0.files.map(\.fences.count) } == [[], [1], [2, 1]])
        #expect(programs.map(\.needsFrameworks) == [false, false, true])
        #expect(programs.map(\.kind) == [.run, .run, .compile])

        var wrong = ProgramReader(fences, standard: .run).programs
        #expect(
            wrong.findFiles().map(\.description) == [
                "page.md:6: page.md:1 is called 'A' as well", "page.md:5: no fence is called 'C'",
            ])
    }

    @Test("an invalid combination is a problem with file and line")
    func problems() {
        let fences = [
            swift(1, ["continues"]), swift(2, ["skip"]), swift(3, ["continues", "compile"]),
            swift(4, ["compile"]), output(5, "a\n"),
        ]
        #expect(
            ProgramReader(fences, standard: .run).problems.map(\.description) == [
                "page.md:1: there is no Swift fence before this one to continue",
                "page.md:2: 'skip' is not an attribute of a fence",
                "page.md:3: a fence that continues another takes no other attribute: the first has them",
                "page.md:5: the Swift fence before this output is not run, so it prints nothing",
            ])
    }

    @Test("a body's imports move to the top, and its lines keep their numbers")
    func body() {
        let code = "import Foundation\nlet a = 1\n"
        let program = Program(
            kind: .body,
            fences: [
                Fence(place: Place(file: "A.swift", line: 8), language: "swift", attributes: [], code: code)
            ],
            module: "Promise")
        #expect(
            program.source { "/root/\($0)" } == """
                import Promise
                import Foundation
                private func example() async throws {
                #sourceLocation(file: "/root/A.swift", line: 9)

                let a = 1

                #sourceLocation()
                }

                """)
        #expect(program.imports("Promise") && program.imports("Foundation") && !program.imports("Testing"))
    }

    private func swift(_ line: Int, _ attributes: [String] = []) -> Fence {
        Fence(
            place: Place(file: "page.md", line: line), language: "swift", attributes: attributes, code: "\n")
    }

    private func errors(_ line: Int, _ text: String) -> Fence {
        Fence(
            place: Place(file: "page.md", line: line), language: "text", attributes: ["errors"], code: text)
    }

    private func output(_ line: Int, _ text: String) -> Fence {
        Fence(
            place: Place(file: "page.md", line: line), language: "text", attributes: ["output"], code: text)
    }
}
