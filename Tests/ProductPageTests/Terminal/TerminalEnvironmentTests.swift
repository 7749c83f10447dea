import Testing

@testable import ProductCommands
@testable import ProductPage
@testable import ToolSupport

@Suite struct TerminalEnvironmentTests {
    private let terminal = TerminalEnvironment(isInputTerminal: true, isOutputTerminal: true, name: "xterm")

    private func options(_ line: String) throws -> Options {
        try Options(arguments: line.split(separator: " ").map(String.init))
    }

    @Test("the page is for a user who sees it, has keys, and asked for nothing else")
    func page() throws {
        #expect(terminal.showsPage(Options()))
        #expect(terminal.showsPage(try options("x.json --product a --color never --latency 0")))
        for line in ["--events load", "--json", "--list"] {
            #expect(!terminal.showsPage(try options(line)))
        }
        for (input, output, name) in [
            (false, true, "xterm"), (true, false, "xterm"), (true, true, "dumb"), (true, true, ""),
            (true, true, nil),
            (false, false, nil),
        ] as [(Bool, Bool, String?)] {
            let other = TerminalEnvironment(isInputTerminal: input, isOutputTerminal: output, name: name)
            #expect(!other.showsPage(Options()))
        }
    }

    @Test(
        "colour is on unless NO_COLOR is set and not empty, and --color has the last word",
        arguments: [(nil, true), ("", true), ("1", false), ("0", false)] as [(String?, Bool)])
    func color(value: String?, expected: Bool) throws {
        var terminal = terminal
        terminal.noColor = value
        for (line, hasColor) in [
            ("", expected), ("--color=auto", expected), ("--color=never", false), ("--color always", true),
        ] { #expect(terminal.hasColor(try options(line)) == hasColor) }
    }
}
