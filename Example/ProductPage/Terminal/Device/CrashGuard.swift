import Foundation

/// Gives the terminal back when the program itself breaks: else its last words could not be read, and the
/// shell would echo nothing.
///
/// A handler of such a signal may call little more than the system, and may find every lock taken. So what it
/// needs is kept apart, in memory of its own that is written before the handler is there and never freed.
enum CrashGuard {
    private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS]

    // Unsafe because a handler may read them at any moment on any thread; `arm` writes them once, before.
    nonisolated(unsafe) private static let settings = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    nonisolated(unsafe) private static let before = UnsafeMutablePointer<sigaction>.allocate(capacity: 64)

    /// From now on a crash puts these settings of the terminal back, and then goes its way.
    static func arm(_ found: termios) {
        settings.initialize(to: found)
        _ = Painter.leave
        for number in signals {
            guard sigaction(number, nil, &before[Int(number)]) == 0 else { continue }
            _ = signal(number, handler)
            var action = sigaction()
            guard sigaction(number, nil, &action) == 0 else { continue }
            // A stack that has overflowed has no room for a handler; the runtime may have made another.
            action.sa_flags |= Int32(SA_ONSTACK)
            _ = sigaction(number, &action, nil)
        }
    }

    /// The terminal is given back, so a crash is none of its business any more.
    static func disarm() { for number in signals { _ = sigaction(number, &before[Int(number)], nil) } }

    private static let handler: @convention(c) (Int32) -> Void = { number in
        _ = tcsetattr(Terminal.input, TCSANOW, CrashGuard.settings)
        _ = write(Terminal.output, Painter.leave.utf8Start, Painter.leave.utf8CodeUnitCount)
        // As if there had been no handler: raised again, it is delivered when this returns.
        _ = sigaction(number, &CrashGuard.before[Int(number)], nil)
        _ = raise(number)
    }
}
