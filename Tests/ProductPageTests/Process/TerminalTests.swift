#if os(Linux)
    import Foundation
    import Testing

    @testable import ProductPage

    /// The built program on a pseudo-terminal: every key, every size, and what it is told to be.
    @Suite(
        .timeLimit(.minutes(10)), .serialized,
        .enabled(if: PseudoDevice.isPossible, "there are no pseudo-terminals here")
    ) struct TerminalTests {
        private let lamp = "Ålesund desk lamp"
        private let pot = "鉄瓶 Tetsubin tea pot"

        @Test("every key does what the help says")
        func keys() async throws {
            let home = try TemporaryFolder()
            let terminal = try PseudoTerminal.page(home)
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
            try await terminal.expectEnd(0)
        }

        @Test("a refresh says that it loads, and Esc cancels it")
        func cancel() async throws {
            let home = try TemporaryFolder()
            let terminal = try PseudoTerminal(home, ["--latency", "300000"])
            try await terminal.until("Loading…")
            terminal.type("\u{1B}")
            try await terminal.until("Cancelled. Press r to load")
            terminal.type("a")
            try await terminal.until("Nothing is loaded yet. Press r to load")
            terminal.type("r")
            try await terminal.until("Loading…")
            terminal.type("\u{1B}")
            try await terminal.until("Cancelled. Press r to load")
            terminal.type("q")
            try await terminal.expectEnd(1, talk: "product-page: loading was cancelled")
        }

        @Test("whatever it is doing, it can be left, with the last thing that was said")
        func quitWhileLoading() async throws {
            let home = try TemporaryFolder()
            let terminal = try PseudoTerminal(home, ["--latency", "300000"])
            try await terminal.until("Loading…")
            terminal.type("\u{1B}")
            try await terminal.until("Cancelled. Press r to load")
            terminal.type("r")
            try await terminal.until("Loading…")
            terminal.type("q")
            try await terminal.expectEnd(1, talk: "product-page: loading was cancelled")
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
            try await terminal.expectEnd(0)
        }

        @Test("pasted text is no command")
        func paste() async throws {
            let home = try TemporaryFolder()
            let terminal = try PseudoTerminal.page(home)
            #expect(try await terminal.until("Cart: empty").marksPastes)
            terminal.type("\u{1B}[200~qqq aaa\u{1B}[201~n")
            try await terminal.until(pot)
            terminal.type("q")
            try await terminal.expectEnd(0)
        }

        @Test("the page follows the window, down to one too small for it and back")
        func resize() async throws {
            let home = try TemporaryFolder()
            let terminal = try PseudoTerminal.page(home)
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
            try await terminal.expectEnd(0)
        }

        @Test("an error is on the page, and at the end on standard error with its code")
        func failing() async throws {
            let home = try TemporaryFolder()
            let terminal = try PseudoTerminal(home, [home.file("gone.json")], columns: 200)
            let screen = try await terminal.until("Press r to try again, q to quit.")
            #expect(screen.text.contains("gone.json: no such file"))
            terminal.type("q")
            try await terminal.expectEnd(66, talk: "product-page: \(home.file("gone.json")): no such file")
        }

        @Test("wrong usage never touches the terminal")
        func usage() async throws {
            let home = try TemporaryFolder()
            let terminal = try PseudoTerminal.page(home, "--nope")
            try await terminal.expectEnd(
                64, talk: "product-page: unknown option '--nope'; see product-page --help")
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
                try await terminal.expectEnd(0)
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
            let lines = terminal.screen.lines.filter { !$0.isEmpty }
            #expect(lines == ["start", "loading", "loaded: \(lamp), 129.90 EUR, cart 0"])
            #expect(terminal.screen.strange == [])
            #expect(terminal.screen.updates == 0)
            #expect(try terminal.settingsNow == terminal.settings)
        }

        @Test("a terminal without a size is taken for one of 80 columns")
        func noSize() async throws {
            let home = try TemporaryFolder()
            let terminal = try PseudoTerminal.page(home, columns: 0)
            terminal.type("q")
            #expect(await terminal.end() == 0)
        }
    }
#endif
