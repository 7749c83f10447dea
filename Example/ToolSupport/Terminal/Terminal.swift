import Foundation
import Synchronization

/// The terminal that the process stands on: its settings, its size, and the way back.
///
/// It is ours from `enter` to `leave`. `leave` gives it back as it was, from any thread and any number of
/// times; all that ends the process goes through it.
package enum Terminal {
    static let input: Int32 = 0
    static let output: Int32 = 1

    /// Whether the terminal is ours. Held while something is written, so that nothing comes after `leave`.
    private static let isOurs = Mutex(false)
    /// The settings as they were found, while it is ours. They have a lock of their own, because a write may hold
    /// the other one endlessly; the terminal's settings are changed under it.
    private static let original = Mutex<termios?>(nil)
    /// Messages wait while it is ours: a line in between would stand in the middle of the page.
    private static let deferred = Mutex<[String]?>(nil)

    package static var size: ScreenSize {
        var size = winsize()
        _ = ioctl(output, UInt(TIOCGWINSZ), &size)
        return ScreenSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Whether the shell has given us the terminal: in the background another program has it, and its
    /// settings are not ours to change.
    static var isForeground: Bool { tcgetpgrp(input) == getpgrp() }

    /// Whether another program has it. A terminal that was closed has no owner; reading it reports that.
    static var isElsewhere: Bool { !isForeground && tcgetpgrp(input) > 0 }

    /// Takes each key as it comes, without showing it, and shows the page's screen. Once more where that was
    /// done before: other settings may have been made while the process was stopped.
    static func enter() {
        deferred.withLock { $0 = $0 ?? [] }
        isOurs.withLock { isOurs in
            var settings = termios()
            if !isOurs, tcgetattr(input, &settings) == 0 {
                original.withLock { $0 = settings }
                isOurs = true
                CrashGuard.arm(settings)
            }
            guard isOurs else { return }
            original.withLock { original in
                guard var raw = original else { return }
                // Neither lines nor echo, and no byte that becomes another or stops the output. Signals stay
                // with the kernel, so that Ctrl-C ends the program whatever it is doing, and Ctrl-Z stops it
                // together with what stands beside it in a pipeline.
                raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ECHONL | IEXTEN)
                raw.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR | IGNCR | ISTRIP)
                withUnsafeMutableBytes(of: &raw.c_cc) { ($0[Int(VMIN)], $0[Int(VTIME)]) = (1, 0) }
                _ = tcsetattr(input, TCSANOW, &raw)
            }
            send(Painter.enter)
        }
    }

    /// Puts the terminal back, and writes the messages that had to wait.
    ///
    /// - Parameter end: Ends the process, where it is to end before another thread can take the terminal again.
    package static func leave<End: Sendable>(_ end: () -> End = {}) -> End {
        isOurs.withLock { isOurs in
            if isOurs {
                isOurs = false
                CrashGuard.disarm()
                restoreSettings()
                original.withLock { $0 = nil }
                if isForeground { send("\(Painter.leave)") }
            }
            for line in deferred.withLock({ $0.take() }) ?? [] {
                _ = Console.write(Array((line + "\n").utf8), to: 2)
            }
            return end()
        }
    }

    /// Only the settings, without waiting for anything: for a terminal that takes no output any more. Then `end`, as
    /// in `leave`.
    static func restoreSettings(_ end: () -> Void = {}) {
        original.withLock { original in
            if var settings = original, isForeground { _ = tcsetattr(input, TCSANOW, &settings) }
            end()
        }
    }

    /// - Returns: Whether the message waits until the terminal is given back; it is to be written now otherwise.
    static func deferMessage(_ message: String) -> Bool { deferred.withLock { $0?.append(message) } != nil }

    /// Writes a drawing; nothing once the terminal is given back.
    @Sendable package static func write(_ text: String) { isOurs.withLock { if $0 { send(text) } } }

    /// When the terminal was closed, a signal reports it; no user is left to whom a failed write could be reported.
    private static func send(_ text: String) { _ = Console.write(Array(text.utf8), to: output) }

    /// The bytes that have come; nil where the terminal was closed.
    static func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Foundation.read(input, &buffer, buffer.count)
        if count > 0 { return Array(buffer[..<count]) }
        return count < 0 && (errno == EINTR || errno == EAGAIN) ? [] : nil
    }

    /// Stops the process as `signal` does by itself. Returns when it is continued.
    ///
    /// Without a shell above that could continue it, the system ignores such a signal, as it should; so this is
    /// not `SIGSTOP`. Sources that listen to the signal, and threads that block it, are left out for a moment.
    static func stopProcess(by signal: Int32) {
        let before = Foundation.signal(signal, SIG_DFL)
        var (only, mask) = (sigset_t(), sigset_t())
        sigemptyset(&only)
        sigaddset(&only, signal)
        pthread_sigmask(SIG_UNBLOCK, &only, &mask)
        raise(signal)
        pthread_sigmask(SIG_SETMASK, &mask, nil)
        Foundation.signal(signal, before)
    }
}
