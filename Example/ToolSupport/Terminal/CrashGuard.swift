import Foundation

/// Gives the terminal back when the program itself breaks: else its last words could not be read, and the
/// shell would echo nothing.
///
/// A handler of such a signal may call little more than the system, and may find every lock taken. So what it
/// needs is kept apart, in memory of its own that is written before the handler is installed and never freed.
enum CrashGuard {
    private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS]

    // Unsafe because a handler may read them at any moment on any thread; `arm` writes them once, before.
    nonisolated(unsafe) private static let settings = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    nonisolated(unsafe) private static let before = UnsafeMutablePointer<sigaction>.allocate(capacity: 64)

    /// From now on a crash puts these settings of the terminal back, and then goes its way.
    static func arm(_ original: termios) {
        settings.initialize(to: original)
        _ = Painter.leave
        for number in signals where sigaction(number, nil, &before[Int(number)]) == 0 {
            signal(number) { number in
                _ = tcsetattr(Terminal.input, TCSANOW, CrashGuard.settings)
                _ = write(Terminal.output, Painter.leave.utf8Start, Painter.leave.utf8CodeUnitCount)
                // As if there had been no handler: raised again, it is delivered when this returns.
                _ = sigaction(number, &CrashGuard.before[Int(number)], nil)
                _ = raise(number)
            }
        }
    }

    /// The terminal is given back, so a crash is none of its business any more.
    static func disarm() { for number in signals { _ = sigaction(number, &before[Int(number)], nil) } }
}
