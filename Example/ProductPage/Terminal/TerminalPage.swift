import Dispatch
import Foundation
import PromisedSystem

/// Runs the page on the terminal until the user quits: connects the system's notifications to the screen.
enum TerminalPage {
    static func run(
        _ page: System<ProductPage.State, ProductPage.Event>, hasColor: Bool
    ) async throws {
        let screen = PageScreen(
            page, scheduler: .main, size: Terminal.size, painter: Painter(hasColor: hasColor),
            write: Terminal.write)
        let listening = await listen(screen)
        defer {
            for source in listening { source.cancel() }
            Terminal.leave()
        }
        await MainActor.run {
            appear(screen)
            screen.start()
        }
        page.sendEvent(.load)
        try await screen.quit.promise.value
    }

    private static func listen(_ screen: PageScreen) async -> [any DispatchSourceProtocol] {
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
    private static func suspend(_ screen: PageScreen) {
        Terminal.leave()
        Terminal.stopProcess(by: SIGTSTP)
        // SIGCONT shows the page again. It does not come where the process could not be stopped, so a timer does it.
        disappear(screen)
    }

    /// Hides the page, and shows it again after a second if nothing else has done so. Within that second a request
    /// to terminate ends the process: a shell sends one to a stopped process before it continues it.
    private static func disappear(_ screen: PageScreen) {
        screen.hide()
        Signals.inASecond { if !screen.isShown { appear(screen) } }
    }

    /// In the background: stops until it is called to the front. Some shells continue only what is stopped.
    private static func appear(_ screen: PageScreen) {
        if Terminal.isForeground {
            Terminal.enter()
            screen.reveal(Terminal.size)
        } else {
            screen.hide()
            Terminal.stopProcess(by: SIGTTOU)
        }
    }
}
