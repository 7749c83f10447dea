#if os(Linux)
    import Foundation
    import Testing

    @testable import ProductPage

    /// Every way out and back, with the terminal as it was.
    extension TerminalTests {
        private static let shown = Step.play("", "Cart: empty")
        private static let quit = Step.play("q", "ended 0")
        private static let stopping = #"set -m; "$@"; echo "stopped $?"; read line; "#
        private static let returning = #"fg > /dev/null; echo "ended $?""#

        private static func ending(_ step: Step, _ code: Int32, script: String? = nil) -> Run {
            Run(testDescription: "\(step)", script: script, steps: [shown, step], code: code)
        }

        static let ends: [Run] = [
            ending(.kill(SIGINT), 130), ending(.kill(SIGTERM), 143), ending(.kill(SIGHUP), 129),
            ending(.kill(SIGQUIT), 131), ending(.play("\u{3}", ""), 130), ending(.play("\u{1C}", ""), 131),
            // Its own crash.
            ending(.kill(SIGSEGV), 139), ending(.kill(SIGABRT), 134), ending(.kill(SIGTRAP), 133),
            // A window that is closed, also where that signal is ignored.
            ending(.hangUp, 129), ending(.hangUp, 129, script: #"trap '' HUP; exec "$@""#),
            Run(
                testDescription: "a signal ends it while it loads", arguments: ["--latency", "300000"],
                steps: [.play("", loading), .kill(SIGTERM)], code: 143),
            Run(
                testDescription: "where no shell could continue it, Ctrl-Z changes nothing",
                steps: [shown, .play("\u{1A}", ""), .entered(2), .back, .play("q", "")]),
            Run(
                testDescription: "Ctrl-Z gives the terminal back, and fg goes on where it was",
                script: stopping + returning,
                steps: [
                    shown, .play("\u{1A}", "stopped 148"), .restored, .play("\n", ""), .back, .play("n", pot),
                    .play("a", "Cart: 1 piece"), quit,
                ]),
            Run(
                testDescription: "begun in the background it waits, and leaves the terminal alone, until fg",
                script: #"set -m; "$@" & wait $!; echo "stopped $?"; read line; "# + returning,
                // By SIGTTOU, as a shell says it.
                steps: [.play("", "stopped 150"), .restored, .entered(0), .play("\n", "Cart: empty"), quit]),
            Run(
                testDescription: "continued in the background it stops again, so that fg brings it back",
                script: stopping + #"bg > /dev/null; wait %1; echo "again $?"; read line; "# + returning,
                // The second key is for the page no more.
                steps: [
                    shown, .play("\u{1A}j", "stopped 148"), .play("\n", "again 150"), .play("\n", ""), .back,
                    quit,
                ]),
            Run(
                testDescription: "stopped without a word, it takes the terminal again when it is continued",
                script: #"set -m; "$@"; stty icanon echo; echo "stopped $?"; read line; "# + returning,
                steps: [
                    shown, .killChild(SIGSTOP), .play("", "stopped 0"), .play("\n", ""), .back,
                    .play("n", pot), quit,
                ]),
            Run(
                testDescription:
                    "a pipe without a reader ends it quietly, and the terminal is never touched",
                script: #"cd "$HOME"; mkfifo p; exec 3<>p 4>p 3<&-; "$@" >&4; echo "code $?""#,
                steps: [.play("", "code 141"), .entered(0)]),
        ]

        /// The system listens to signals half a second late, and the page is shown no earlier.
        static let lateListening: [Run] = [
            Run(
                testDescription: "a signal ends it with the page just shown, where all are listened to late",
                script: "exec strace -D -f -qq -o /dev/null -e trace=signalfd4 "
                    + #"-e inject=signalfd4:delay_enter=500000:when=1 "$@""#,
                steps: [shown, .kill(SIGTERM)], code: 143)
        ].filter { _ in Strace.works }

        // Several times: it is two signals at once. Only `bg` tells the shell as well that the job runs again.
        @Test("ended while it is stopped: TERM, and then CONT, as a shell sends them", arguments: 1...6)
        func killedStopped(time: Int) async throws {
            let script = Self.stopping + #"kill -TERM %1; bg > /dev/null; wait %1; echo "ended $?""#
            let steps: [Step] = [Self.shown, .play("\u{1A}", "stopped 148"), .play("\n", "ended 143")]
            try await play(Run(testDescription: "killed", script: script, steps: steps))
        }

        @Test("a signal ends it and restores the settings, with a terminal that takes nothing any more")
        func fullTerminal() throws {
            let home = try TemporaryFolder()
            var other: Int32 = -1
            let terminal = try PseudoTerminal(home, ["--latency", "0"]) { device in
                other = open(device.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
                // Can be read at the other end as soon as no line is waited for, and not before.
                _ = Foundation.write(device.person, "x", 1)
                // Not by filling it: the system makes room later, when it moves what it has taken.
                #expect(tcflow(other, TCOOFF) == 0)
            }
            defer { close(other) }
            var isRaw = pollfd(fd: other, events: Int16(POLLIN), revents: 0)
            #expect(poll(&isRaw, 1, 600_000) == 1)
            kill(terminal.process, SIGTERM)
            #expect(terminal.wait() == 143)
            #expect(terminal.isAsItWas)
        }
    }
#endif
