import Dispatch
import Foundation

/// What the system says about the terminal: another size, stopped, continued.
enum TerminalSignals {
    /// - Returns: What listens; it must be kept.
    static func listen(
        resized: @escaping @Sendable () -> Void, stopped: @escaping @Sendable () -> Void,
        continued: @escaping @Sendable () -> Void
    ) -> [any DispatchSourceSignal] {
        [
            Interruption.source(SIGWINCH, on: .main, resized),
            Interruption.source(SIGTSTP, on: .main, stopped),
            Interruption.source(SIGCONT, on: .main, continued),
        ].compactMap { $0 }
    }

    /// Stops the process as `signal` does by itself. Returns when it is continued.
    ///
    /// Where nobody could continue it, with no shell above, the system takes no notice, as it should; so this
    /// is not `SIGSTOP`. Whoever listens to the signal, and the threads that block it, are left out for a
    /// moment.
    static func stop(by signal: Int32) {
        let before = Foundation.signal(signal, SIG_DFL)
        var only = sigset_t()
        var mask = sigset_t()
        sigemptyset(&only)
        sigaddset(&only, signal)
        pthread_sigmask(SIG_UNBLOCK, &only, &mask)
        raise(signal)
        pthread_sigmask(SIG_SETMASK, &mask, nil)
        Foundation.signal(signal, before)
    }
}
