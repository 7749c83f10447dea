#if os(Linux)
    import Foundation
    import Testing

    @testable import ProductPage

    /// The built program on a pseudo-terminal: every way out and back, with the terminal as it was.
    @Suite(
        .timeLimit(.minutes(10)), .serialized,
        .enabled(if: PseudoDevice.isPossible, "there are no pseudo-terminals here")
    ) struct TerminalEndTests {
        private let pot = "鉄瓶 Tetsubin tea pot"

        @Test(
            "a signal ends it with its code, and the terminal as it was",
            arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129), (SIGQUIT, 131)] as [(Int32, Int32)])
        func signals(signal: Int32, code: Int32) async throws {
            let home = try TemporaryFolder()
            let terminal = try PseudoTerminal(home, ["--latency", "300000"])
            try await terminal.until("Loading…")
            terminal.send(signal)
            try await terminal.expectEnd(code)
        }

        @Test("a signal ends it and restores the settings, with a terminal that takes nothing any more")
        func fullTerminal() throws {
            let home = try TemporaryFolder()
            let device = try PseudoDevice(columns: 200, rows: 500)
            defer { device.close() }
            let other = device.openOtherEnd()
            defer { close(other) }
            let settings = try device.settings()
            // Can be read at the other end as soon as no line is waited for, and not before.
            device.write([UInt8(ascii: "x")])
            let filling = [UInt8](repeating: UInt8(ascii: "."), count: 4096)
            while Foundation.write(other, filling, filling.count) > 0 {}
            #expect(errno == EAGAIN)
            let process = try device.start(
                [BuiltTool.path, "--latency", "0"],
                environment: [
                    "HOME": home.path, "XDG_STATE_HOME": home.path + "/state", "TERM": "xterm",
                    "LLVM_PROFILE_FILE": "/dev/null",
                ])
            var isRaw = pollfd(fd: other, events: Int16(POLLIN), revents: 0)
            #expect(poll(&isRaw, 1, 300_000) == 1)
            kill(process, SIGTERM)
            #expect(PseudoDevice.wait(for: process) == 143)
            #expect(try device.settings() == settings)
        }

        @Test("Ctrl-C and Ctrl-\\ end it", arguments: [("\u{3}", 130), ("\u{1C}", 131)] as [(String, Int32)])
        func interrupt(key: String, code: Int32) async throws {
            let home = try TemporaryFolder()
            let terminal = try PseudoTerminal.page(home)
            try await terminal.until("Cart: empty")
            terminal.type(key)
            try await terminal.expectEnd(code)
        }

        @Test("Ctrl-Z gives the terminal back, and fg goes on where it was")
        func suspend() async throws {
            let home = try TemporaryFolder()
            let script = #"set -m; "$@"; echo "stopped $?"; read line; fg > /dev/null; echo "ended $?""#
            let terminal = try PseudoTerminal.page(home, shell: script)
            let first = try await terminal.until("Cart: empty").lines
            terminal.type("\u{1A}")
            let stopped = try await terminal.until("stopped 148")
            #expect(!stopped.isAlternate && stopped.showsCursor && stopped.breaksLines)
            #expect(try terminal.settingsNow == terminal.settings)
            terminal.type("\n")
            try await terminal.until { $0.isAlternate && $0.lines == first }
            #expect(try terminal.settingsNow.givesLines == false)
            terminal.type("n")
            // Drawn once when it was continued, and once now.
            #expect(try await terminal.until(pot).updates == stopped.updates + 2)
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
            let terminal = try PseudoTerminal.page(home, shell: script)
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

        // Several times: it is two signals at once.
        @Test(
            "ended while it is stopped: TERM, and then CONT, as a shell's kill sends them", arguments: 1...6)
        func killedStopped(time: Int) async throws {
            let home = try TemporaryFolder()
            // Only `bg` tells the shell as well that the job runs again.
            let script =
                #"set -m; "$@"; echo "stopped $?"; read line; kill -TERM %1; bg > /dev/null; wait %1; echo "ended $?""#
            let terminal = try PseudoTerminal.page(home, shell: script)
            try await terminal.until("Cart: empty")
            terminal.type("\u{1A}")
            try await terminal.until("stopped 148")
            terminal.type("\n")
            try await terminal.until("ended 143")
            #expect(await terminal.end() == 0)
            #expect(try terminal.settingsNow == terminal.settings)
        }

        @Test("continued in the background it stops again, so that fg brings it back")
        func continuedBehind() async throws {
            let home = try TemporaryFolder()
            let script =
                #"set -m; "$@"; echo "stopped $?"; read line; bg > /dev/null; wait %1; echo "again $?"; read line; fg > /dev/null"#
            let terminal = try PseudoTerminal.page(home, shell: script)
            let first = try await terminal.until("Cart: empty").lines
            // The second key is for the page no more.
            terminal.type("\u{1A}j")
            try await terminal.until("stopped 148")
            terminal.type("\n")
            try await terminal.until("again 150")
            terminal.type("\n")
            try await terminal.until { $0.isAlternate && $0.lines == first }
            terminal.type("q")
            #expect(await terminal.end() == 0)
            #expect(try terminal.settingsNow == terminal.settings)
        }

        @Test("stopped without a word, it takes the terminal again when it is continued")
        func stopped() async throws {
            let home = try TemporaryFolder()
            let script =
                #"set -m; "$@"; stty icanon echo; echo "stopped $?"; read line; fg > /dev/null; echo "ended $?""#
            let terminal = try PseudoTerminal.page(home, shell: script)
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
            let terminal = try PseudoTerminal.page(home, environment: ["SWIFT_BACKTRACE": "enable=no"])
            try await terminal.until("Cart: empty")
            terminal.send(signal)
            try await terminal.expectEnd(128 + signal)
        }

        @Test("a pipe that nobody reads ends it quietly, and the terminal is never touched")
        func closedPipe() async throws {
            let home = try TemporaryFolder()
            let script =
                #"{ read line; "$@"; echo "code $?" >&2; } | { exec <&-; echo "ready" >&2; }"#
            let terminal = try PseudoTerminal.page(home, shell: script)
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
            let terminal = try PseudoTerminal.page(home)
            try await terminal.until("Cart: empty")
            terminal.type("\u{1A}")
            // Left and entered again.
            try await terminal.until { $0.entries == 2 && $0.text.contains("Cart: empty") }
            terminal.type("q")
            try await terminal.expectEnd(0)
        }

        @Test("a window that is closed ends it")
        func hangUp() async throws {
            let home = try TemporaryFolder()
            let terminal = try PseudoTerminal.page(home)
            try await terminal.until("Cart: empty")
            terminal.hangUp()
            #expect(await terminal.end() == 129)
        }

        @Test("a window that is closed ends it even where that signal is ignored")
        func hangUpIgnored() async throws {
            let home = try TemporaryFolder()
            let terminal = try PseudoTerminal.page(home, shell: #"trap '' HUP; exec "$@""#)
            try await terminal.until("Cart: empty")
            terminal.hangUp()
            #expect(await terminal.end() == 129)
        }
    }
#endif
