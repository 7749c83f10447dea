import PromisedSystem

/// The command: reads its arguments, runs the page, and says how it went.
struct Tool: Sendable {
    var console = Console.standard
    /// Nothing is a terminal, unless somebody says so.
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
            case .run(let options): return try await run(options)
            }
            return 0
        } catch {
            let error = PageError(error)
            console.talk("product-page: \(error)")
            return error.exitCode
        }
    }

    private func run(_ options: Options) async throws -> Int32 {
        guard !options.list || options.events == nil else {
            throw PageError.usage("--list and --events exclude each other; choose one")
        }
        // Before anything is shown: a file that cannot be written is a mistake in the command.
        let analytics = try options.analytics.map { path in try AnalyticsFile(path: path) }
        let page = ProductPage.system(
            effects: .live(options, notice: { [console] in console.talk("product-page: \($0)") }),
            scheduler: .main, middleware: progress(options), bindings: [binding(options)])
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

    /// Every shown state as a line, where lines were asked for.
    private func binding(_ options: Options) -> (@Sendable (ProductPage.State) -> Void)? {
        guard !options.list, options.events != nil || options.json || isPlain(options) else { return nil }
        return { [console] state in
            console.data(options.json ? StateText.json(state).description : StateText.line(state))
        }
    }

    /// A line for each state in place of a page that is drawn: where that was asked for, or a terminal can do
    /// no more.
    private func isPlain(_ options: Options) -> Bool {
        options.plain || surroundings.isOutputTerminal && surroundings.isDumb
    }

    /// What is said beside the page: that it loads, to somebody who watches and sees no states meanwhile.
    private func progress(_ options: Options) -> Middleware<ProductPage.State, ProductPage.Event> {
        let showsStates = options.events != nil || isPlain(options) || surroundings.showsPage(options)
        guard console.isWatched, !options.quiet, !showsStates else { return .identity }
        return .progress(of: options.source?.name ?? "the bundled catalogue", to: console.talk)
    }

    /// All that is counted is counted here.
    private func track(_ page: System<ProductPage.State, ProductPage.Event>, in file: AnalyticsFile) {
        page.addLoopCallback(replayCurrent: true) { [console] state in
            if let problem = file.append(Tracked(state)) { console.talk("product-page: \(problem)") }
        }
    }

    /// Without events: loads, prints the page or the list, ends. Where each state is a line, that is all.
    private func show(_ session: Session, _ options: Options) async throws {
        session.send(.load)
        try await session.rest().value
        // Not what is remembered from an earlier run: nothing would tell it from what is fresh.
        guard let page = session.page.state.freshPage else { return }
        if options.list {
            let lines = options.json ? page.catalogue.products.map(\.json.description) : nil
            for line in lines ?? ProductText.list(page.catalogue) { console.data(line) }
        } else if !options.json, !isPlain(options) {
            for line in ProductText.page(page.product) { console.data(line) }
            if page.cart.count > 0 { console.data("\n  In the cart: \(page.cart.count)") }
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
        while let line = try await nextLine().value {
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

    /// Reading a line blocks, so it is done where nobody waits.
    private func nextLine() -> Promise<String?> {
        Promise { [readLine] resolver in
            Tool.input.schedule { resolver.fulfill(readLine()) }
        }
    }

    private static let input = QueueScheduler.serial("product-page.input")
}

extension ProductPage.State {
    /// The page where its products were loaded in this run, though the cart may not have been.
    fileprivate var freshPage: ProductPage.Page? {
        switch self {
        case .loaded(let page), .failed(.cart, let page?): page
        default: nil
        }
    }
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
