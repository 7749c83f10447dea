import Foundation
import ProductCommands
import ProductReading
import PromisedRecording
import PromisedSystem
import ToolSupport

/// The command: reads its arguments, runs the page, and returns how it went.
struct Tool: Sendable {
    var console = Console.standard
    /// Nothing is a terminal, unless a test or `Main` says so.
    var environment = TerminalEnvironment()

    /// - Returns: The exit code.
    func run(_ arguments: [String]) async -> Int32 {
        do {
            let options = try Options(arguments: arguments)
            if let text = options.text {
                console.output(text)
            } else if let command = options.recordings {
                return try perform(command, options)
            } else if options.isWatch {
                try await watch(options)
            } else {
                try await run(options)
            }
            return 0
        } catch {
            let error = PageError(error)
            console.report(error)
            return error.exitCode
        }
    }

    private func watch(_ options: Options) async throws {
        var watch = Watch(source: effects(options).source, query: options.product, below: options.below)
        if let every = options.every { watch.every = every }
        try await watch.run(on: .main, console: console, asJSON: options.json)
    }

    private func run(_ options: Options) async throws {
        // Before anything is shown: a file that cannot be written is a mistake in the command.
        let analytics = try options.analytics.map { try LineFile(path: $0, name: "analytics \($0)") }
        let recorder = try options.record.map { try SessionRecorder(to: .file($0), program: Help.version) }
        let page = ProductPage.system(
            effects: effects(options), scheduler: .main, bindings: [binding(options)], recorder: recorder)
        if let analytics { track(page, in: analytics) }
        do {
            try await use(page, options)
        } catch {
            // What happened before is in the recording.
            await recorder?.finish()
            throw error
        }
        await recorder?.finish()
        guard case .failed(let error, _) = page.state else { return }
        // A list has nothing of the cart in it.
        if options.list, case .cart = error { return }
        // A user who has keys sends no events.
        let isAboutEvents = error == .nothingLoaded && environment.showsPage(options)
        throw isAboutEvents ? PageError.failed("no product is loaded") : error
    }

    /// Sends the events to the page, or lets the user do it.
    private func use(_ page: System<ProductPage.State, ProductPage.Event>, _ options: Options) async throws {
        let session = Session(page, console: console)
        switch options.events {
        case nil where environment.showsPage(options):
            return try await TerminalPage.run(page, hasColor: environment.hasColor(options))
        case nil: await show(session, options)
        case .script(let script): await play(script, in: session)
        case .standardInput: try await playInput(in: session)
        }
        await session.rest()
    }

    func effects(_ options: Options) -> Effects {
        .live(options, notice: { [console] in console.report($0) })
    }

    /// Writes every shown state as a line, where the options request lines.
    private func binding(_ options: Options) -> (@Sendable (ProductPage.State) -> Void)? {
        guard options.events != nil || showsStates(options) else { return nil }
        return { [console] in console.output(options.json ? StateText.json($0) : StateText.line($0)) }
    }

    /// Whether the states are shown before the page, on a terminal that cannot draw it.
    private func showsStates(_ options: Options) -> Bool {
        environment.isOutputTerminal && environment.isDumb && !options.json && !options.list
    }

    /// All that is counted is counted here.
    private func track(_ page: System<ProductPage.State, ProductPage.Event>, in file: LineFile) {
        page.onLoop { [console] record in
            guard let event = AnalyticsEvent(record, at: Date()) else { return }
            if let failure = file.append(event.jsonLine) { console.report(PageError(failure)) }
        }
    }

    /// Without events: loads, prints the page or the list, ends.
    private func show(_ session: Session, _ options: Options) async {
        if console.isInteractive, !showsStates(options) {
            console.message("Loading \(options.source?.name ?? "the bundled catalogue")…".visible)
        }
        session.send(.load)
        await session.rest()
        guard let page = session.page.state.page else { return }
        let products = options.list && options.product == nil ? page.catalogue.products : [page.product]
        var lines = ProductText.page(page.product)
        if let cart = page.cart, cart.count > 0 { lines.append("\n  Cart: \(cart.countText)") }
        if options.list { lines = ProductText.list(products) }
        if options.json { lines = products.map { ProductJSON($0).jsonLine } }
        for line in lines { console.output(line) }
    }

    static let events: [Script.Word: ProductPage.Event] = [
        .load: .load, .add: .add, .remove: .remove, .refresh: .refresh, .next: .next, .previous: .previous,
        .cancel: .cancel,
    ]

    /// All events at once; `wait` lets the page come to rest in between.
    private func play(_ script: Script, in session: Session) async {
        for word in script.words {
            if let event = Self.events[word] { session.send(event) } else { await session.rest() }
        }
    }

    /// Events from standard input, as they come.
    private func playInput(in session: Session) async throws {
        var number = 0
        // Reading a line blocks, so it is done elsewhere.
        while let line = try await Promise(on: .serial("product-page.input"), { Swift.readLine() })
            .value
        {
            number += 1
            do {
                await play(try Script(line), in: session)
            } catch PageError.usage(let message) {
                // Earlier events are still processed, so that the result does not depend on the time.
                await session.rest()
                throw PageError.usage("standard input, line \(number): \(message)")
            }
        }
    }
}

/// A page in use: sends it events, and waits until all of them have been processed.
struct Session {
    let page: System<ProductPage.State, ProductPage.Event>

    init(_ page: System<ProductPage.State, ProductPage.Event>, console: Console) {
        self.page = page
        // The page says in its state what went wrong; what ends up here has escaped that.
        page.onError { error in console.report(PageError(error)) }
    }

    func send(_ event: ProductPage.Event) { page.sendEvent(event) }

    /// Returns when every event sent so far has been processed.
    func rest() async { try? await page.whenIdle().value }
}
