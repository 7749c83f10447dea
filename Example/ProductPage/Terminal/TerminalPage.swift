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
            take(terminal, for: screen)
            screen.start()
        }
        session.send(.load)
        try await screen.quit.value
    }

    private static func listen(_ screen: PageScreen, _ terminal: Terminal) -> [any DispatchSourceProtocol] {
        let signals = TerminalSignals.listen(
            resized: { screen.resize(to: terminal.size) },
            stopped: { suspend(screen, terminal) },
            continued: { take(terminal, for: screen) })
        let keys = DispatchSource.makeReadSource(fileDescriptor: terminal.input, queue: .main)
        keys.setEventHandler { @Sendable in
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
        take(terminal, for: screen)
    }

    /// At the start and whenever the process is continued. In the background, it stops until it is called to
    /// the front, which is when it is continued again.
    private static func take(_ terminal: Terminal, for screen: PageScreen) {
        guard terminal.isForeground else { return TerminalSignals.stop(by: SIGTTOU) }
        HeldTalk.hold()
        terminal.enter()
        screen.reveal(terminal.size)
    }
}
