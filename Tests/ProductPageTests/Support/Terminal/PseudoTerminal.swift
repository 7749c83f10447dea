#if os(Linux)
    import Foundation
    import Synchronization
    import Testing

    @testable import ProductPage

    /// The program on a terminal of its own, with somebody who types and looks.
    ///
    /// ```swift
    /// let terminal = try PseudoTerminal(home, ["--latency", "0"])
    /// try await terminal.until("Cart: empty")
    /// terminal.type("q")
    /// #expect(try await terminal.end() == 0)
    /// ```
    ///
    /// Nothing here waits for a time: a thread reads what the program writes, and whoever waits is told when
    /// what it waits for is on the screen.
    final class PseudoTerminal: Sendable {
        struct Ended: Error, CustomStringConvertible {
            var code: Int32
            var screen: String
            var description: String { "ended with \(code) and this on the screen:\n\(screen)" }
        }

        private struct Waiter {
            var condition: @Sendable (TerminalScreen) -> Bool
            var continuation: CheckedContinuation<TerminalScreen, any Error>
        }

        private struct State {
            var screen: TerminalScreen
            var waiters: [Waiter] = []
            var code: Int32?
            var endings: [CheckedContinuation<Int32, Never>] = []
        }

        /// The terminal's settings before the program had it.
        let settings: TerminalSettings
        let process: pid_t
        private let device: PseudoDevice
        private let state: Mutex<State>

        /// - Parameters:
        ///   - shell: A shell's script in which `"$@"` is the program, where a shell is to stand above it.
        ///   - tool: Another build of the program.
        init(
            _ home: borrowing TemporaryFolder, _ arguments: [String], columns: Int = 80, rows: Int = 24,
            environment: [String: String] = [:], shell: String? = nil, tool: String = BuiltTool.path
        ) throws {
            device = try PseudoDevice(columns: columns, rows: rows)
            settings = try device.settings()
            state = Mutex(State(screen: TerminalScreen(columns: columns, rows: rows)))
            var values = ProcessInfo.processInfo.environment.filter {
                !$0.key.lowercased().hasSuffix("_proxy") && $0.key != "NO_COLOR"
            }
            values["HOME"] = home.path
            values["XDG_STATE_HOME"] = home.path + "/state"
            values["TERM"] = "xterm-256color"
            values["LLVM_PROFILE_FILE"] = "/dev/null"
            values.merge(environment) { $1 }
            let command = [tool] + arguments
            process = try device.start(
                shell.map { ["/bin/sh", "-c", $0, "sh"] + command } ?? command, environment: values)
            Thread.detachNewThread { [self] in readToTheEnd() }
        }

        private func readToTheEnd() {
            while let bytes = device.read() {
                let told = state.withLock { state in
                    state.screen.take(bytes)
                    let screen = state.screen
                    let told = state.waiters.filter { $0.condition(screen) }
                    state.waiters.removeAll { $0.condition(screen) }
                    return told.map { ($0.continuation, screen) }
                }
                for (continuation, screen) in told { continuation.resume(returning: screen) }
            }
            let code = PseudoDevice.wait(for: process)
            let (waiters, endings, text) = state.withLock { state in
                state.code = code
                defer { (state.waiters, state.endings) = ([], []) }
                return (state.waiters, state.endings, state.screen.text)
            }
            for waiter in waiters { waiter.continuation.resume(throwing: Ended(code: code, screen: text)) }
            for ending in endings { ending.resume(returning: code) }
        }

        var screen: TerminalScreen { state.withLock { $0.screen } }

        /// Waits until a text is on the screen.
        @discardableResult func until(_ text: String) async throws -> TerminalScreen {
            try await until { $0.text.contains(text) }
        }

        /// Waits until the screen is as it should be. A test's time limit ends the program, and so the wait.
        @discardableResult func until(
            _ condition: @escaping @Sendable (TerminalScreen) -> Bool
        ) async throws -> TerminalScreen {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let result: Result<TerminalScreen, any Error>? = state.withLock { state in
                        if condition(state.screen) { return .success(state.screen) }
                        if let code = state.code {
                            return .failure(Ended(code: code, screen: state.screen.text))
                        }
                        state.waiters.append(Waiter(condition: condition, continuation: continuation))
                        return nil
                    }
                    if let result { continuation.resume(with: result) }
                }
            } onCancel: {
                send(SIGKILL)
            }
        }

        /// Waits for the end of the program, and of everything that it has written.
        func end() async -> Int32 {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let code = state.withLock { state in
                        if state.code == nil { state.endings.append(continuation) }
                        return state.code
                    }
                    if let code { continuation.resume(returning: code) }
                }
            } onCancel: {
                send(SIGKILL)
            }
        }

        func type(_ text: String) { device.write(Array(text.utf8)) }

        func send(_ signal: Int32) { kill(process, signal) }

        func resize(columns: Int, rows: Int) {
            state.withLock { $0.screen.resize(columns: columns, rows: rows) }
            device.resize(columns: columns, rows: rows)
        }

        /// Takes the terminal away, as closing its window does.
        func hangUp() { device.hangUp() }

        var settingsNow: TerminalSettings { get throws { try device.settings() } }
    }
#endif
