import PromisedSystem
import Synchronization

/// The page on a terminal: shows every state of the system, and sends what the keys ask for.
///
/// Everything is called on the system's scheduler. It knows no file descriptor: bytes come in through
/// `receive`, text goes out through `write`, so that a test can stand in for the terminal. A timer runs only
/// while something loads, or while the rest of a key is awaited: a page that nobody touches does nothing.
final class PageScreen: Sendable {
    typealias Page = System<ProductPage.State, ProductPage.Event>

    private struct Model {
        var state = ProductPage.State.start
        var presentation = Presentation()
        var size: ScreenSize
        var isShown = true
        /// What is on the terminal; nil where that is not known.
        var drawn: Frame?
        var loadingSince: Duration?
        var ticking: ScheduledWork?
        var decoder = KeyDecoder()
        var keyTimer: ScheduledWork?
    }

    /// The rest of a key comes at once; only a slow line lets it wait.
    static let keyPatience = Duration.milliseconds(50)
    /// Between two parts of what is pasted; it must not be taken for keys because a line is slow.
    static let pastePatience = Duration.seconds(1)

    /// Fulfilled when somebody asks to quit.
    let quit: Promise<Void>

    private let quitResolver: Resolver<Void>
    private let model: Mutex<Model>
    private let scheduler: any SerialScheduler
    private let painter: Painter
    private let write: @Sendable (String) -> Void
    private let page: Page

    init(
        _ page: Page, scheduler: any SerialScheduler, size: ScreenSize, painter: Painter,
        write: @escaping @Sendable (String) -> Void
    ) {
        self.page = page
        self.scheduler = scheduler
        self.painter = painter
        self.write = write
        model = Mutex(Model(size: size))
        (quit, quitResolver) = Promise.pending()
    }

    /// Draws the present state, and from now on each that follows.
    func start() {
        draw()
        page.addBinding { [weak self] state in self?.show(state) }
    }

    /// The window has another size.
    func resize(to size: ScreenSize) {
        model.withLock { $0.size = size }
        draw()
    }

    var isShown: Bool { model.withLock { $0.isShown } }

    /// The terminal belongs to somebody else from now on.
    func hide() {
        model.withLock { $0.isShown = false }
        tickIfNeeded()
    }

    /// The terminal is ours again, with anything on it.
    func reveal(_ size: ScreenSize) {
        model.withLock { model in
            model.size = size
            model.isShown = true
            model.drawn = nil
            // What began before has its rest elsewhere.
            model.keyTimer?.cancel()
            model.keyTimer = nil
            model.decoder = KeyDecoder()
        }
        draw()
        tickIfNeeded()
    }

    // MARK: States

    private func show(_ state: ProductPage.State) {
        model.withLock { model in
            model.presentation.follow(model.state, state)
            if !state.isLoading { model.loadingSince = nil }
            if state.isLoading, model.loadingSince == nil { model.loadingSince = scheduler.now }
            model.state = state
        }
        draw()
        tickIfNeeded()
    }

    private func draw() {
        model.withLock { model in
            guard model.isShown else { return }
            let frame = view(model).frame
            let text = painter.paint(frame, over: model.drawn)
            model.drawn = frame
            if !text.isEmpty { write(text) }
        }
    }

    private func view(_ model: borrowing Model) -> TerminalView {
        TerminalView(
            state: model.state, presentation: model.presentation, size: model.size,
            elapsed: model.loadingSince.map { scheduler.now - $0 } ?? .zero)
    }

    /// Keeps the spinner turning while something loads, and only then.
    private func tickIfNeeded() {
        model.withLock { model in
            guard model.isShown, model.state.isLoading else {
                model.ticking?.cancel()
                model.ticking = nil
                return
            }
            guard model.ticking == nil else { return }
            model.ticking = scheduler.schedule(after: StatusText.tick) { [weak self] in self?.tick() }
        }
    }

    private func tick() {
        model.withLock { $0.ticking = nil }
        draw()
        tickIfNeeded()
    }

    // MARK: Keys

    /// What the terminal has sent.
    func receive(_ bytes: [UInt8]) {
        let keys = model.withLock { model in
            model.keyTimer?.cancel()
            model.keyTimer = nil
            let keys = model.decoder.decode(bytes)
            if model.decoder.isWaiting {
                let patience = model.decoder.isPasting ? Self.pastePatience : Self.keyPatience
                model.keyTimer = scheduler.schedule(after: patience) { [weak self] in self?.keyEnds() }
            }
            return keys
        }
        for key in keys { press(key) }
    }

    private func keyEnds() {
        let key = model.withLock { model in
            model.keyTimer = nil
            return model.decoder.timeOut()
        }
        if let key { press(key) }
    }

    private func press(_ key: Key) {
        guard let command = KeyCommand(key) else { return }
        let reaction = model.withLock { model in
            let window = view(model).window
            return model.presentation.react(to: command, isBusy: model.state.isLoading, window)
        }
        switch reaction {
        case .look: break
        case .redraw: model.withLock { $0.drawn = nil }
        case .quit: quitResolver.fulfill(())
        case .send(let event): page.sendEvent(event)
        }
        draw()
    }
}
