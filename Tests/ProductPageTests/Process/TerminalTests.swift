#if os(Linux)
    import Foundation
    import Testing

    @testable import ProductPage

    /// The built program on a pseudo-terminal: every key and every way out.
    @Suite(.timeLimit(.minutes(10)), .serialized) struct TerminalTests {
        private let lamp = "Ålesund desk lamp"
        private let pot = "鉄瓶 Tetsubin tea pot"

        /// Everything that is promised at the end: the code, the terminal as it was, and nothing strange in
        /// between.
        private func expectEnd(
            _ terminal: PseudoTerminal, _ code: Int32, talk: String = "",
            sourceLocation: Testing.SourceLocation = #_sourceLocation
        ) async throws {
            #expect(await terminal.end() == code, sourceLocation: sourceLocation)
            #expect(try terminal.settingsNow == terminal.settings, sourceLocation: sourceLocation)
            let screen = terminal.screen
            #expect(screen.strange == [], sourceLocation: sourceLocation)
            #expect(!screen.isAlternate && screen.showsCursor, sourceLocation: sourceLocation)
            #expect(screen.breaksLines && !screen.marksPastes, sourceLocation: sourceLocation)
            #expect(
                screen.text.trimmingCharacters(in: .newlines) == talk, sourceLocation: sourceLocation)
        }

        private func page(
            _ home: borrowing TemporaryFolder, _ arguments: String..., columns: Int = 80,
            environment: [String: String] = [:], shell: String? = nil
        ) throws -> PseudoTerminal {
            try PseudoTerminal(
                home, ["--latency", "0"] + arguments, columns: columns, environment: environment,
                shell: shell)
        }

        @Test("every key does what the help says")
        func keys() async throws {
            let home = try TemporaryFolder()
            let terminal = try page(home)
            try await terminal.until("Cart: empty")
            #expect(try terminal.settingsNow.givesLines == false)
            let steps: [(String, String)] = [
                ("a", "Cart: 1 piece, 129.90 EUR"), ("+", "Cart: 2 pieces, 259.80 EUR"),
                ("A", "Cart: 3 pieces"), ("d", "Cart: 2 pieces"), ("-", "Cart: 1 piece"),
                ("\u{1B}[3~", "Cart: empty"), ("n", pot), ("p", lamp), ("\u{1B}[C", pot), ("\u{1B}[D", lamp),
                ("\u{1B}OC", pot), ("\u{1B}OD", lamp), ("c", "It is empty."), ("c", "1 of 9"),
                ("?", "scroll to the end"), ("?", "1 of 9"), ("h", "scroll to the end"), ("n", pot),
                ("c", "It is empty."), ("\u{1B}", "2 of 9"), ("\u{C}", "2 of 9"),
            ]
            for (key, expected) in steps {
                terminal.type(key)
                try await terminal.until(expected)
            }
            terminal.type("q")
            try await expectEnd(terminal, 0)
        }

        @Test("a refresh says that it loads, and Esc cancels it")
        func cancel() async throws {
            let home = try TemporaryFolder()
            let terminal = try PseudoTerminal(home, ["--latency", "300000"])
            try await terminal.until("Loading…")
            terminal.type("\u{1B}")
            try await terminal.until("Cancelled. Press r to load")
            terminal.type("r")
            try await terminal.until("Loading…")
            // Whatever it is doing, it can be left.
            terminal.type("q")
            try await expectEnd(
                terminal, 1, talk: "product-page: loading was cancelled; send load to try again")
        }

        @Test("a page that is longer than the screen is scrolled, by lines, screens, and to its ends")
        func scrolling() async throws {
            let home = try TemporaryFolder()
            let text = (1...60).map { "line \($0)." }.joined(separator: "<br>")
            try home.write(#"{"@type":"Product","name":"Roll","description":"\#(text)"}"#, to: "a.json")
            let terminal = try PseudoTerminal(home, [home.file("a.json")])
            let first = try await terminal.until("Cart: empty").lines
            // Of 65 lines, 19 are on the screen, and below them is said how many are left.
            for (key, expected) in [
                ("\u{1B}[B", "↑↓ 45 more lines"), ("j", "↑↓ 44 more lines"), ("k", "↑↓ 45 more lines"),
                ("\u{1B}[F", "line 60."), ("\u{1B}[H", "↓ 46 more lines"), (" ", "↑↓ 28 more lines"),
                ("b", "↓ 46 more lines"), ("\u{1B}[6~", "↑↓ 28 more lines"),
                ("\u{1B}[5~", "↓ 46 more lines"), ("\u{1B}[4~", "↑ the end"),
                ("\u{1B}[1~", "↓ 46 more lines"),
            ] {
                terminal.type(key)
                try await terminal.until(expected)
            }
            terminal.type("\u{1B}[A")
            terminal.type("\u{C}")
            #expect(try await terminal.until { $0.lines == first }.strange == [])
            terminal.type("\u{4}")
            try await expectEnd(terminal, 0)
        }

        @Test("pasted text is no command")
        func paste() async throws {
            let home = try TemporaryFolder()
            let terminal = try page(home)
            #expect(try await terminal.until("Cart: empty").marksPastes)
            terminal.type("\u{1B}[200~qqq aaa\u{1B}[201~n")
            try await terminal.until(pot)
            terminal.type("q")
            try await expectEnd(terminal, 0)
        }

        @Test("the page follows the window, down to one too small for it and back")
        func resize() async throws {
            let home = try TemporaryFolder()
            let terminal = try page(home)
            let first = try await terminal.until("Cart: empty").lines
            for (columns, rows) in [(20, 24), (20, 5), (1, 1), (200, 50)] {
                terminal.resize(columns: columns, rows: rows)
                let size = ScreenSize(columns: columns, rows: rows)
                let state = ProductPage.State.loaded(
                    ProductPage.Page(catalogue: try BundledCatalogue.catalogue(), index: 0, cart: Cart()))
                let expected = TerminalView(state: state, size: size).frame.lines.map { line in
                    line.spans.map(\.text).joined()
                }
                try await terminal.until { $0.lines == expected }
            }
            terminal.resize(columns: 80, rows: 24)
            try await terminal.until { $0.lines == first }
            terminal.type("q")
            try await expectEnd(terminal, 0)
        }

        @Test(
            "a signal ends it with its code, and the terminal as it was",
            arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129), (SIGQUIT, 131)] as [(Int32, Int32)])
        func signals(signal: Int32, code: Int32) async throws {
            let home = try TemporaryFolder()
            let terminal = try PseudoTerminal(home, ["--latency", "300000"])
            try await terminal.until("Loading…")
            terminal.send(signal)
            try await expectEnd(terminal, code)
        }

        @Test("Ctrl-C and Ctrl-\\ end it", arguments: [("\u{3}", 130), ("\u{1C}", 131)] as [(String, Int32)])
        func interrupt(key: String, code: Int32) async throws {
            let home = try TemporaryFolder()
            let terminal = try page(home)
            try await terminal.until("Cart: empty")
            terminal.type(key)
            try await expectEnd(terminal, code)
        }

        @Test("Ctrl-Z gives the terminal back, and fg goes on where it was")
        func suspend() async throws {
            let home = try TemporaryFolder()
            let script = #"set -m; "$@"; echo "stopped $?"; read line; fg > /dev/null; echo "ended $?""#
            let terminal = try page(home, shell: script)
            let first = try await terminal.until("Cart: empty").lines
            terminal.type("\u{1A}")
            let stopped = try await terminal.until("stopped 148")
            #expect(!stopped.isAlternate && stopped.showsCursor && stopped.breaksLines)
            #expect(try terminal.settingsNow == terminal.settings)
            terminal.type("\n")
            try await terminal.until { $0.isAlternate && $0.lines == first }
            #expect(try terminal.settingsNow.givesLines == false)
            terminal.type("a")
            try await terminal.until("Cart: 1 piece")
            terminal.type("q")
            try await terminal.until("ended 0")
            #expect(await terminal.end() == 0)
            #expect(try terminal.settingsNow == terminal.settings)
            #expect(terminal.screen.strange == [])
        }

        @Test("started in the background it waits, and leaves the terminal alone, until fg")
        func background() async throws {
            let home = try TemporaryFolder()
            let script =
                #"set -m; "$@" & wait $!; echo "stopped $?"; read line; fg > /dev/null; echo "ended $?""#
            let terminal = try page(home, shell: script)
            // By SIGTTOU, as a shell says it.
            try await terminal.until("stopped 150")
            #expect(try terminal.settingsNow == terminal.settings)
            #expect(terminal.screen.entries == 0)
            terminal.type("\n")
            try await terminal.until("Cart: empty")
            terminal.type("q")
            try await terminal.until("ended 0")
            #expect(await terminal.end() == 0)
            #expect(try terminal.settingsNow == terminal.settings)
        }

        @Test("stopped without a word, it takes the terminal again when it is continued")
        func stopped() async throws {
            let home = try TemporaryFolder()
            let script =
                #"set -m; "$@"; stty icanon echo; echo "stopped $?"; read line; fg > /dev/null; echo "ended $?""#
            let terminal = try page(home, shell: script)
            try await terminal.until("Cart: empty")
            let child = try #require(Self.children(of: terminal.process).first)
            kill(child, SIGSTOP)
            try await terminal.until("stopped 0")
            terminal.type("\n")
            try await terminal.until { $0.text.contains("Cart: empty") && !$0.text.contains("stopped") }
            terminal.type("n")
            try await terminal.until(pot)
            #expect(try terminal.settingsNow.givesLines == false)
            terminal.type("q")
            try await terminal.until("ended 0")
            #expect(await terminal.end() == 0)
            #expect(try terminal.settingsNow == terminal.settings)
        }

        private static func children(of process: pid_t) -> [pid_t] {
            let path = "/proc/\(process)/task/\(process)/children"
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            return text.split(separator: " ").compactMap { pid_t($0) }
        }

        @Test("the program's own crash gives the terminal back", arguments: [SIGSEGV, SIGABRT, SIGTRAP])
        func crash(signal: Int32) async throws {
            let home = try TemporaryFolder()
            let terminal = try page(home, environment: ["SWIFT_BACKTRACE": "enable=no"])
            try await terminal.until("Cart: empty")
            terminal.send(signal)
            try await expectEnd(terminal, 128 + signal)
        }

        @Test("a pipe that nobody reads ends it quietly, and the terminal is never touched")
        func closedPipe() async throws {
            let home = try TemporaryFolder()
            let script =
                #"{ read line; "$@"; echo "code $?" >&2; } | { exec <&-; echo "ready" >&2; }"#
            let terminal = try page(home, shell: script)
            try await terminal.until("ready")
            terminal.type("\n")
            try await terminal.until("code 141")
            #expect(await terminal.end() == 0)
            #expect(try terminal.settingsNow == terminal.settings)
            #expect(terminal.screen.entries == 0)
        }

        @Test("where nobody could continue it, Ctrl-Z changes nothing")
        func suspendAlone() async throws {
            let home = try TemporaryFolder()
            let terminal = try page(home)
            try await terminal.until("Cart: empty")
            terminal.type("\u{1A}")
            // Left and entered again.
            try await terminal.until { $0.entries == 2 && $0.text.contains("Cart: empty") }
            terminal.type("q")
            try await expectEnd(terminal, 0)
        }

        @Test("a window that is closed ends it")
        func hangUp() async throws {
            let home = try TemporaryFolder()
            let terminal = try page(home)
            try await terminal.until("Cart: empty")
            terminal.hangUp()
            #expect(await terminal.end() == 129)
        }

        @Test("an error is on the page, and at the end on standard error with its code")
        func failing() async throws {
            let home = try TemporaryFolder()
            let terminal = try PseudoTerminal(home, [home.file("gone.json")], columns: 200)
            let screen = try await terminal.until("Press r to try again, q to quit.")
            #expect(screen.text.contains("gone.json: no such file"))
            terminal.type("q")
            try await expectEnd(
                terminal, 66, talk: "product-page: \(home.file("gone.json")): no such file")
        }

        @Test("wrong usage never touches the terminal")
        func usage() async throws {
            let home = try TemporaryFolder()
            let terminal = try page(home, "--nope")
            try await expectEnd(
                terminal, 64, talk: "product-page: unknown option '--nope'; see product-page --help")
        }

        @Test("without colour where NO_COLOR is set, unless it is empty or --color says otherwise")
        func colors() async throws {
            for (value, arguments, expected) in [
                (nil, [], true), ("1", [], false), ("", [], true), ("1", ["--color", "always"], true),
                (nil, ["--color=never"], false),
            ] as [(String?, [String], Bool)] {
                let home = try TemporaryFolder()
                let terminal = try PseudoTerminal(
                    home, ["--latency", "0"] + arguments,
                    environment: value.map { ["NO_COLOR": $0] } ?? [:])
                let screen = try await terminal.until("Cart: empty")
                #expect(screen.looks.contains { $0 != "" } == expected)
                terminal.type("q")
                try await expectEnd(terminal, 0)
            }
        }

        @Test(
            "a line a state, and no redraw, where --plain says so or the terminal can do no more",
            arguments: [(["--plain"], "xterm"), ([], "dumb"), ([], "")] as [([String], String)])
        func plain(arguments: [String], term: String) async throws {
            let home = try TemporaryFolder()
            let terminal = try PseudoTerminal(
                home, ["--latency", "0"] + arguments, environment: ["TERM": term])
            #expect(await terminal.end() == 0)
            let lines = terminal.screen.lines
            #expect(lines[0...3] == ["start", "loading", "loaded: \(lamp), 129.90 EUR, cart 0", lamp])
            #expect(terminal.screen.strange == [])
            #expect(terminal.screen.updates == 0)
            #expect(try terminal.settingsNow == terminal.settings)
        }

        @Test("a terminal without a size is taken for one of 80 columns")
        func noSize() async throws {
            let home = try TemporaryFolder()
            let terminal = try page(home, columns: 0)
            terminal.type("q")
            #expect(await terminal.end() == 0)
        }
    }
#endif
