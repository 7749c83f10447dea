@testable import ToolSupport

#if os(Linux)
    import Foundation
    import Testing

    @testable import ProductPage

    /// The program on a terminal of its own, and a person who types and looks.
    ///
    /// ```swift
    /// let terminal = try PseudoTerminal(home, ["--latency", "0"])
    /// try await terminal.until("Cart: empty")
    /// terminal.type("q")
    /// #expect(await terminal.end() == 0)
    /// ```
    ///
    /// Nothing here waits for a time: what the program writes is read until it is what is waited for.
    final class PseudoTerminal {
        struct NotSeen: Error, CustomStringConvertible {
            var description: String
        }

        /// The terminal's settings before the program had it.
        let settings: termios
        let process: pid_t
        let device: PseudoDevice
        private(set) var screen: TerminalScreen
        private var code: Int32?

        /// - Parameters:
        ///   - shell: A shell's script in which `"$@"` is the program, where a shell is to stand above it.
        ///   - tool: Another build of the program.
        ///   - prepare: What happens to the device before.
        init(
            _ home: borrowing TemporaryFolder, _ arguments: [String], columns: Int = 80, rows: Int = 24,
            environment: [String: String] = [:], shell: String? = nil, tool: String = BuiltTool.path,
            prepare: (PseudoDevice) -> Void = { _ in }
        ) throws {
            device = try PseudoDevice(columns: columns, rows: rows)
            settings = device.settings
            prepare(device)
            screen = TerminalScreen(columns: columns > 0 ? columns : 80, rows: rows)
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
        }

        deinit {
            if code == nil { kill(process, SIGKILL) }
            _ = wait()
        }

        /// Waits until a text is on the screen.
        @discardableResult func until(_ text: String) async throws -> TerminalScreen {
            try await until { $0.text.contains(text) }
        }

        /// Waits until the screen is as it should be; it never will be where ten minutes pass and nothing comes.
        @discardableResult func until(
            _ condition: (TerminalScreen) -> Bool
        ) async throws -> TerminalScreen {
            while !condition(screen) {
                // A page that loads draws without an end: the test's time limit ends it then.
                try Task.checkCancellation()
                guard read() else { throw NotSeen(description: "this stayed on the screen:\n\(screen.text)") }
            }
            return screen
        }

        /// - Returns: Whether there was something; nothing where all who had the other end have closed it.
        private func read() -> Bool {
            var buffer = [UInt8](repeating: 0, count: 65536)
            var ready = pollfd(fd: device.person, events: Int16(POLLIN), revents: 0)
            guard device.person >= 0, poll(&ready, 1, 600_000) == 1 else { return false }
            let count = Foundation.read(device.person, &buffer, buffer.count)
            if count > 0 { screen.take(buffer[..<count]) }
            return count > 0
        }

        /// Waits for the end of the program, and of everything that it has written.
        ///
        /// - Returns: The exit code; of a process that a signal ended, 128 and its number.
        func end() async -> Int32 {
            while read() {}
            return wait()
        }

        func wait() -> Int32 {
            if let code { return code }
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
            self.code = code
            return code
        }

        func type(_ text: String) { _ = Foundation.write(device.person, text, text.utf8.count) }

        func resize(columns: Int, rows: Int) {
            screen.resize(columns: columns, rows: rows)
            device.resize(columns: columns, rows: rows)
        }

        /// Whether a line is waited for before a program gets it.
        var givesLines: Bool { device.settings.c_lflag & tcflag_t(ICANON) != 0 }

        var isAsItWas: Bool {
            func bytes(_ settings: termios) -> [UInt8] { withUnsafeBytes(of: settings) { Array($0) } }
            return bytes(settings) == bytes(device.settings) && screen.modes == TerminalScreen.atRest
        }
    }
#endif
