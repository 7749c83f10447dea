import Testing

@testable import ProductPage

@Suite struct SurroundingsTests {
    private let terminal = Surroundings(
        isInputTerminal: true, isOutputTerminal: true, terminal: "xterm", noColor: nil)

    private func options(_ line: String) throws -> Options {
        guard case .run(let options) = try Arguments.parse(line.split(separator: " ").map(String.init)) else {
            throw WrongCount(count: 0)
        }
        return options
    }

    @Test("the page is for somebody who sees it, has keys, and asked for nothing else")
    func page() throws {
        #expect(terminal.showsPage(Options()))
        #expect(terminal.showsPage(try options("x.json --product a --color never --quiet --latency 0")))
        for line in ["--events load", "--json", "--list", "--plain"] {
            #expect(!terminal.showsPage(try options(line)))
        }
        for change: (inout Surroundings) -> Void in [
            { $0.isInputTerminal = false }, { $0.isOutputTerminal = false }, { $0.terminal = "dumb" },
            { $0.terminal = "" }, { $0.terminal = nil },
        ] {
            var other = terminal
            change(&other)
            #expect(!other.showsPage(Options()))
        }
        #expect(!Surroundings().showsPage(Options()))
    }

    @Test(
        "colour is on unless NO_COLOR is set and not empty, and --color has the last word",
        arguments: [(nil, true), ("", true), ("1", false), ("0", false)] as [(String?, Bool)])
    func color(value: String?, expected: Bool) throws {
        var surroundings = terminal
        surroundings.noColor = value
        for (line, hasColor) in [("", expected), ("--color=auto", expected), ("--color=never", false)] {
            #expect(surroundings.hasColor(try options(line)) == hasColor)
        }
        #expect(surroundings.hasColor(try options("--color always")))
    }
}
