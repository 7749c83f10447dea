import Dispatch
import Foundation
import PromisedSystem

/// Runs the page on the terminal until somebody quits: connects what the system says to the screen.
enum TerminalPage {
    static func run(_ session: Session, options: Options, surroundings: Surroundings) async throws {
        let terminal = Terminal.standard
        let screen = PageScreen(
            session.page, scheduler: .main, size: terminal.size,
            painter: Painter(hasColor: surroundings.hasColor(options)), write: { terminal.write($0) })
        let listening = listen(screen, terminal)
        defer {
            for source in listening { source.cancel() }
            terminal.leave()
        }
        await MainActor.run {
            if terminal.isForeground {
                take(terminal, for: screen)
            } else {
                wait(screen)
            }
            screen.start()
        }
        session.send(.load)
        try await screen.quit.value
    }

    private static func listen(_ screen: PageScreen, _ terminal: Terminal) -> [any DispatchSourceProtocol] {
        let signals = TerminalSignals.listen(
            resized: { screen.resize(to: terminal.size) },
            stopped: { suspend(screen, terminal) },
            continued: { resume(screen, terminal) })
        let keys = DispatchSource.makeReadSource(fileDescriptor: terminal.input, queue: .main)
        keys.setEventHandler { @Sendable in
            // In the background they are somebody else's, and to read them is an error.
            guard !terminal.isElsewhere else { return wait(screen) }
            guard let bytes = terminal.read() else { Interruption.end(128 + SIGHUP) }
            screen.receive(bytes)
        }
        keys.activate()
        return signals + Interruption.listen(to: [(SIGHUP, 128 + SIGHUP), (SIGQUIT, 128 + SIGQUIT)]) + [keys]
    }

    /// Ctrl-Z: the shell gets its terminal back as it was.
    private static func suspend(_ screen: PageScreen, _ terminal: Terminal) {
        screen.hide()
        terminal.leave()
        TerminalSignals.stop(by: SIGTSTP)
        // To be continued is a signal, which is heard of. None comes where nobody could stop it.
        settle(screen, terminal)
    }

    private static func resume(_ screen: PageScreen, _ terminal: Terminal) {
        guard !terminal.isForeground else { return take(terminal, for: screen) }
        screen.hide()
        settle(screen, terminal)
    }

    /// Sees to it, in a second, that a hidden page does not stay so. It is the time in which a request to
    /// terminate ends the process: a shell sends that to a stopped one first, and then continues it.
    private static func settle(_ screen: PageScreen, _ terminal: Terminal) {
        DispatchQueue.main.asyncAfter(deadline: .now() + .seconds(1)) {
            guard !screen.isShown else { return }
            if terminal.isForeground { take(terminal, for: screen) } else { wait(screen) }
        }
    }

    /// In the background: stops until it is called to the front. Some shells continue only what is stopped.
    private static func wait(_ screen: PageScreen) {
        screen.hide()
        TerminalSignals.stop(by: SIGTTOU)
    }

    private static func take(_ terminal: Terminal, for screen: PageScreen) {
        HeldTalk.hold()
        terminal.enter()
        screen.reveal(terminal.size)
    }
}
