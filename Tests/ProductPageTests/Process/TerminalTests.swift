@testable import ProductReading
@testable import ToolSupport

#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    @testable import ProductPage

    /// The built program on a pseudo-terminal: keys, sizes, and modes. Every way out is in
    /// `TerminalTests+End.swift`.
    @Suite(
        .timeLimit(.minutes(10)), .serialized, .ownThreads,
        .enabled(if: PseudoDevice.isPossible, "there are no pseudo-terminals here"), .tags(.noSharedState)
    ) struct TerminalTests {
        static let lamp = "Ålesund desk lamp"
        static let pot = "鉄瓶 Tetsubin tea pot"
        /// Of "Loading…", and of "Still loading" five seconds later: a busy machine may see only the latter.
        static let loading = "oading"

        enum Step: Sendable {
            /// Types, and waits until something is on the screen.
            case play(String, String)
            /// A signal to the process, or to the program itself below a shell.
            case kill(Int32), killChild(Int32)
            case hangUp
            /// The terminal is as it was before the program.
            case restored
            /// The page is there again as it was first.
            case back
            /// The program's screen was shown so often.
            case entered(Int)
        }

        struct Run: Sendable, CustomTestStringConvertible {
            var testDescription: String
            var arguments = ["--latency", "0"]
            var environment: [String: String] = [:]
            var columns = 80
            /// Where `"$@"` is the program, and a shell stands above it.
            var script: String?
            var steps: [Step] = []
            var code: Int32 = 0
            /// How the screen begins at the end, where no shell has it.
            var end = ""
        }

        static let runs: [Run] = [
            Run(
                testDescription: "keys do what the help says; pasted text is no command",
                steps: [
                    .play("", "Cart: empty"), .play("a", "Cart: 1 piece, 129.90 EUR"),
                    .play("-", "Cart: empty"),
                    .play("\u{1B}[C", pot), .play("\u{1B}OD", lamp), .play("?", "scroll to the end"),
                    .play("c", "It is empty."), .play("\u{1B}", "1 of 9"), .play("naaa", "Cart: 3 pieces"),
                    .play("cj", "> 3 × \(pot)"), .play("\u{1B}[200~qqq aaa\u{1B}[201~n", "3 of 9"),
                    .play("q", ""),
                ]),
            Run(
                testDescription: "a load says that it loads, Esc cancels it, and it can be left at any time",
                arguments: ["--latency", "300000"],
                steps: [
                    .play("", loading), .play("\u{1B}", "Nothing is loaded. Press r to load"),
                    .play("r", loading), .play("q", ""),
                ], code: 0),
            Run(
                testDescription: "an error is on the page, and at the end on standard error with its code",
                arguments: ["/gone.json"], columns: 200,
                steps: [
                    .play("", "/gone.json: no such file"), .play("", "Press r to try again"), .play("q", ""),
                ],
                code: 66, end: "product-page: /gone.json: no such file"),
            Run(
                testDescription: "wrong usage never touches the terminal", arguments: ["--nope"],
                steps: [.entered(0)], code: 64,
                end: "product-page: unknown option '--nope'; see product-page --help"),
            Run(testDescription: "a terminal without a size", columns: 0, steps: [.play("q", "")]),
            plain("dumb"), plain(""),
        ]

        /// A line a state, and no redraw, where the terminal can do no more.
        private static func plain(_ term: String) -> Run {
            Run(
                testDescription: "plain \(term)", arguments: ["--latency", "0"],
                environment: ["TERM": term], steps: [.play("", "cart 0"), .entered(0)],
                end: "start\nloading\nloaded: \(lamp), 129.90 EUR, cart 0")
        }

        @Test(arguments: runs + ends + lateListening) func play(_ run: Run) async throws {
            let home = try TemporaryFolder()
            let environment = run.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
            let terminal = try PseudoTerminal(
                home, run.arguments, columns: run.columns, environment: environment, shell: run.script)
            var first: [String] = []
            for step in run.steps {
                switch step {
                case .play(let keys, let text):
                    terminal.type(keys)
                    if text != "" { try await terminal.until(text) }
                    if first.isEmpty { first = terminal.screen.lines }
                case .kill(let signal): kill(terminal.process, signal)
                case .killChild(let signal):
                    let path = "/proc/\(terminal.process)/task/\(terminal.process)/children"
                    let children = try String(contentsOfFile: path, encoding: .utf8).split(separator: " ")
                    kill(try #require(children.first.flatMap { pid_t($0) }), signal)
                case .hangUp: terminal.device.close()
                case .restored: #expect(terminal.isAsItWas)
                case .back:
                    try await terminal.until { $0.modes.contains("?1049") && $0.lines == first }
                    #expect(!terminal.givesLines)
                case .entered(let count): try await terminal.until { $0.entries == count }
                }
            }
            #expect(await terminal.end() == run.code)
            // A shell draws as it likes on the screen of a program that could not leave it.
            #expect(terminal.screen.strange.allSatisfy { run.script != nil && $0.hasPrefix("drawn alone") })
            guard terminal.device.person >= 0 else { return }
            #expect(terminal.isAsItWas)
            guard run.script == nil, run.columns > 0 else { return }
            let text = terminal.screen.text.trimmingCharacters(in: .newlines)
            #expect(run.end.isEmpty ? text.isEmpty : text.hasPrefix(run.end))
        }

        @Test("the page follows the window, down to one too small for it and back; NO_COLOR is heeded")
        func resize() async throws {
            let home = try TemporaryFolder()
            let terminal = try PseudoTerminal(home, ["--latency", "0"], environment: ["NO_COLOR": "1"])
            let first = try await terminal.until("Cart: empty").lines
            #expect(terminal.screen.modes.contains("?2004"))
            #expect(terminal.screen.looks.allSatisfy { $0 == "" })
            let state = ProductPage.State.loaded(
                ProductPage.Page(catalogue: try BundledCatalogue.catalogue(), index: 0, cart: Cart()))
            for (columns, rows) in [(20, 24), (20, 5), (1, 1), (200, 50)] {
                terminal.resize(columns: columns, rows: rows)
                let view = TerminalView(state: state, size: ScreenSize(columns: columns, rows: rows))
                try await terminal.until { $0.lines == view.frame.map(\.text) }
            }
            terminal.resize(columns: 80, rows: 24)
            try await terminal.until { $0.lines == first }
            let colored = try PseudoTerminal(home, ["--latency", "0"])
            #expect(try await colored.until("Cart: empty").looks.contains { $0 != "" })
        }
    }
#endif
