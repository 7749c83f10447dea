import Testing

@testable import ProductPage

@Suite(.timeLimit(.minutes(10))) struct HelpAndUsageTests {
    @Test(
        "--help and --version are data, whatever else is asked for",
        arguments: [["--help"], ["-h"], ["--nope", "x", "y", "--help"]])
    func help(arguments: [String]) async throws {
        let home = try TemporaryFolder()
        let outcome = try await ToolRun(in: home).run(arguments)
        #expect(outcome == Outcome(code: 0, output: Help.text + "\n", errors: ""))
        for code in ["0 ", "1 ", "64 ", "66 ", "69 ", "130 "] { #expect(Help.text.contains(code)) }
    }

    @Test("--version")
    func version() async throws {
        let home = try TemporaryFolder()
        let outcome = try await ToolRun(in: home).run("--version")
        #expect(outcome == Outcome(code: 0, output: "product-page 0.1.0\n", errors: ""))
    }

    @Test("wrong usage says what to write instead")
    func usage() async throws {
        let names = "names, as in --events load,add,wait, or - for standard input"
        let events = "--events needs a value: \(names)"
        try await expectFailure(
            "--lst", code: 64, saying: "unknown option '--lst'; did you mean --list?")
        try await expectFailure("--events", "", code: 64, saying: events)
        let nothing = "--events cannot be ', ,': it takes \(names)"
        try await expectFailure("--events", ", ,", code: 64, saying: nothing)
        try await expectFailure("--events=", code: 64, saying: events)
        try await expectFailure(
            "--events", "load,ad", code: 64, saying: "unknown event 'ad'; did you mean add?")
        try await expectFailure(
            "--list", "--events", "load", code: 64,
            saying: "--list and --events exclude each other; choose one")
        try await expectFailure(
            "ftp://shop.example/x", code: 64,
            saying: "ftp://shop.example/x: cannot load ftp: addresses, only http, https and file, or a path")
    }
}
