import Foundation
import PromisedSystem

/// The command: reads its arguments, runs the page, and says how it went.
struct Tool: Sendable {
    var console = Console.standard
    /// Nothing is a terminal, unless a test or `Main` says so.
    var surroundings = Surroundings()
    /// A line of standard input, nil at its end. Called only for `--events -`.
    var readLine: @Sendable () -> String? = { Swift.readLine() }

    /// - Returns: The exit code.
    func run(_ arguments: [String]) async -> Int32 {
        do {
            switch try Arguments.parse(arguments) {
            case .help: console.data(Help.text)
            case .version: console.data(Help.version)
            case .completions(let shell): console.data(Completions.script(shell))
            case .run(let options): return try await options.isWatch ? watch(options) : run(options)
            }
            return 0
        } catch {
            let error = PageError(error)
            console.talk("product-page: \(error)")
            return error.exitCode
        }
    }

    private func run(_ options: Options) async throws -> Int32 {
        // Before anything is shown: a file that cannot be written is a mistake in the command.
        let analytics = try options.analytics.map { path in try AnalyticsFile(path: path) }
        let page = ProductPage.system(
            effects: effects(options),
            scheduler: .main, bindings: [binding(options)])
        if let analytics { track(page, in: analytics) }
        let session = Session(page, console: console)
        switch options.events {
        case nil where surroundings.showsPage(options):
            try await TerminalPage.run(session, options: options, surroundings: surroundings)
        case nil: try await show(session, options)
        case .script(let events): try await play(events, in: session)
        case .standardInput: try await playInput(in: session)
        }
        if !surroundings.showsPage(options) { try await session.rest().value }
        guard case .failed(let error, _) = page.state else { return 0 }
        // A list has nothing of the cart in it.
        if options.list, case .cart = error { return 0 }
        console.talk("product-page: \(surroundings.showsPage(options) ? error.withoutEvents : "\(error)")")
        return error.exitCode
    }

    private func watch(_ options: Options) async throws -> Int32 {
        try await Watch(
            source: effects(options).source, query: options.product, below: options.below,
            every: options.every ?? .seconds(600)
        ).run(on: .main, console: console, asJSON: options.json)
        return 0
    }

    private func effects(_ options: Options) -> Effects {
        .live(options, notice: { [console] in console.talk("product-page: \($0)") })
    }

    /// Every shown state as a line, where lines were asked for.
    private func binding(_ options: Options) -> (@Sendable (ProductPage.State) -> Void)? {
        guard options.events != nil || showsStates(options) else { return nil }
        return { [console] state in
            console.data(options.json ? StateText.json(state) : StateText.line(state))
        }
    }

    /// Whether the states are shown on the way to a page: that was asked for, or a terminal can do no more.
    private func showsStates(_ options: Options) -> Bool {
        let isDumbTerminal = surroundings.isOutputTerminal && surroundings.isDumb
        return (options.plain || isDumbTerminal) && !options.json && !options.list
    }

    /// All that is counted is counted here.
    private func track(_ page: System<ProductPage.State, ProductPage.Event>, in file: AnalyticsFile) {
        page.onLoop { [console] record in
            guard let tracked = Tracked(record, at: Date()) else { return }
            if let problem = file.append(tracked) { console.talk("product-page: \(problem)") }
        }
    }

    /// Without events: loads, prints the page or the list, ends.
    private func show(_ session: Session, _ options: Options) async throws {
        if console.isWatched, !options.quiet, !showsStates(options) {
            console.talk("Loading \(options.source?.name ?? "the bundled catalogue")…".visible)
        }
        session.send(.load)
        try await session.rest().value
        guard let page = session.page.state.page else { return }
        let products = options.list && options.product == nil ? page.catalogue.products : [page.product]
        if options.json {
            for product in products { console.data(ProductJSON(product).jsonLine) }
        } else if options.list {
            for line in ProductText.list(products) { console.data(line) }
        } else {
            for line in ProductText.page(page.product) { console.data(line) }
            if let count = page.cart?.count, count > 0 {
                console.data("\n  Cart: \(count == 1 ? "1 piece" : "\(count) pieces")")
            }
        }
    }

    /// All events at once; `wait` lets the page come to rest in between.
    private func play(_ events: [ScriptEvent], in session: Session) async throws {
        for event in events {
            if let event = event.event { session.send(event) } else { try await session.rest().value }
        }
    }

    /// Events from standard input, as they come.
    private func playInput(in session: Session) async throws {
        var number = 0
        // Reading a line blocks, so it is done elsewhere.
        while let line = try await Promise(on: Tool.input, { [readLine] in readLine() }).value {
            number += 1
            do {
                try await play(try ScriptEvent.list(line), in: session)
            } catch PageError.usage(let message) {
                // What was sent before is still done, so that what is done does not depend on the time.
                try await session.rest().value
                throw PageError.usage("standard input, line \(number): \(message)")
            }
        }
    }

    private static let input = QueueScheduler.serial("product-page.input")
}

extension ScriptEvent {
    /// The event that it sends; nil for `wait`.
    fileprivate var event: ProductPage.Event? {
        switch self {
        case .load: .load
        case .add: .add
        case .remove: .remove
        case .refresh: .refresh
        case .next: .next
        case .previous: .previous
        case .cancel: .cancel
        case .wait: nil
        }
    }
}
