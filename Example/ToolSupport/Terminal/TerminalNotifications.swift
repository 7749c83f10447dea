package import Dispatch
import Foundation

/// Passes what the terminal and the system notify of on to the program that draws.
package enum TerminalNotifications {
    /// Passes sizes of the window, stops of the process and keys on to the screen, on the main queue. Returns when every
    /// signal is listened to.
    ///
    /// - Returns: The sources, to be kept, and cancelled at the end.
    package static func listen(_ screen: some TerminalScreen) async -> [any DispatchSourceProtocol] {
        let signals: [(Int32, @Sendable () -> Void)] = [
            (SIGWINCH, { screen.resize(to: Terminal.size) }),
            (SIGTSTP, { suspend(screen) }),
            (SIGCONT, { Terminal.isForeground ? appear(screen) : disappear(screen) }),
        ]
        let sources =
            signals.compactMap { Signals.source($0, on: .main, $1) } + Signals.endProcess(SIGHUP, SIGQUIT)
        await Signals.allListen()
        // Not before: a line that was typed ahead is a key at once, and what that does may need the signals.
        let keys = DispatchSource.makeReadSource(fileDescriptor: Terminal.input, queue: .main)
        keys.setEventHandler { @Sendable in
            // In the background they are for another program, and to read them is an error.
            guard !Terminal.isElsewhere else { return appear(screen) }
            guard let bytes = Terminal.read() else { Signals.endProcess(code: 128 + SIGHUP) }
            screen.receive(bytes)
        }
        keys.activate()
        return sources + [keys]
    }

    /// Ctrl-Z: the shell gets its terminal back as it was.
    private static func suspend(_ screen: some TerminalScreen) {
        Terminal.leave()
        Terminal.stopProcess(by: SIGTSTP)
        // SIGCONT shows the page again. It does not come where the process could not be stopped, so a timer does it.
        disappear(screen)
    }

    /// Hides the page, and shows it again after a second if nothing else has done so. Within that second a request
    /// to terminate ends the process: a shell sends one to a stopped process before it continues it.
    private static func disappear(_ screen: some TerminalScreen) {
        screen.hide()
        Signals.inASecond { if !screen.isShown { appear(screen) } }
    }

    /// In the background: stops until it is called to the front. Some shells continue only a stopped process.
    package static func appear(_ screen: some TerminalScreen) {
        if Terminal.isForeground {
            Terminal.enter()
            screen.reveal(Terminal.size)
        } else {
            screen.hide()
            Terminal.stopProcess(by: SIGTTOU)
        }
    }
}
