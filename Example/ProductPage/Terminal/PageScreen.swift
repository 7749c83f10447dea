import ProductCommands
import PromisedSystem
import Synchronization
import ToolSupport

/// The page on a terminal: shows every state of the system, and sends what the keys ask for.
///
/// Everything is called on the system's scheduler. It knows no file descriptor: bytes come in through
/// `receive`, text goes out through `write`, so that a test can stand in for the terminal. A timer runs only
/// while something loads, or while the rest of a key is awaited: a page at rest does nothing.
final class PageScreen: TerminalScreen {
    private struct Model {
        var view: TerminalView
        var isShown = true
        /// The lines on the terminal; nil where they are not known.
        var drawn: [Line]?
        var loadingSince: Duration?
        var ticking: ScheduledWork?
        var decoder = KeyDecoder()
        var keyTimer: ScheduledWork?
    }

    /// Fulfilled when the user quits.
    let quit = Promise<Void>.pending()

    private let model: Mutex<Model>
    private let scheduler: any SerialScheduler
    private let painter: Painter
    private let write: @Sendable (String) -> Void
    private let page: System<ProductPage.State, ProductPage.Event>

    init(
        _ page: System<ProductPage.State, ProductPage.Event>, scheduler: any SerialScheduler,
        size: ScreenSize, painter: Painter, write: @escaping @Sendable (String) -> Void
    ) {
        (self.page, self.scheduler, self.painter, self.write) = (page, scheduler, painter, write)
        model = Mutex(Model(view: TerminalView(size: size)))
    }

    /// Draws the present state, and from now on each that follows.
    func start() {
        update()
        page.addBinding { [weak self] state in self?.update { $0.view.state = state } }
    }

    /// The window has another size.
    func resize(to size: ScreenSize) { update { ($0.view.size, $0.drawn) = (size, nil) } }

    var isShown: Bool { model.withLock { $0.isShown } }

    /// Another program has the terminal from now on.
    func hide() { update { $0.isShown = false } }

    /// The terminal is ours again, with anything on it.
    func reveal(_ size: ScreenSize) {
        update { model in
            (model.view.size, model.isShown, model.drawn) = (size, true, nil)
            // The rest of a key from before has gone to the other program.
            model.keyTimer?.cancel()
            model.decoder = KeyDecoder()
        }
    }

    /// Changes the view, and draws it. The spinner turns while something loads, and only then.
    private func update(_ change: (inout Model) -> Void = { _ in }) {
        model.withLock { model in
            change(&model)
            let isLoading = model.view.state.isLoading
            model.loadingSince = isLoading ? model.loadingSince ?? scheduler.now : nil
            model.view.elapsed = model.loadingSince.map { scheduler.now - $0 } ?? .zero
            if !isLoading || !model.isShown {
                model.ticking?.cancel()
                model.ticking = nil
            } else if model.ticking == nil {
                model.ticking = scheduler.schedule(after: TerminalView.tick) { [weak self] in
                    self?.update { $0.ticking = nil }
                }
            }
            guard model.isShown else { return }
            let frame = model.view.frame
            write(painter.paint(frame, over: model.drawn, columns: model.view.size.columns))
            model.drawn = frame
        }
    }

    // MARK: Keys

    /// Takes bytes from the terminal.
    func receive(_ bytes: [UInt8]) { handleKeys { $0.decode(bytes) } }

    private func handleKeys(_ decode: (inout KeyDecoder) -> [String]) {
        let keys = model.withLock { model -> [String] in
            model.keyTimer?.cancel()
            let keys = decode(&model.decoder)
            model.keyTimer = model.decoder.patience.map { patience in
                scheduler.schedule(after: patience) { [weak self] in self?.handleKeys { $0.timeOut() } }
            }
            return keys
        }
        for key in keys { perform(key) }
    }

    private func perform(_ key: String) {
        var event: ProductPage.Event?
        update { model in
            guard let command = model.view.command(of: key) else { return }
            if command == .quit { quit.resolver.fulfill(()) }
            event = model.view.perform(command)
            if command == .redraw { model.drawn = nil }
        }
        // Pending events are dropped together with the running transition.
        if event == .cancel { page.dropQueuedEvents() }
        if let event { page.sendEvent(event) }
    }
}
