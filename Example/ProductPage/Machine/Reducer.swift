import PromisedSystem

extension ProductPage {
    /// What follows from an event: a description, which the system runs.
    static func reduce(state: State, event: Event, effects: Effects) -> Promise<State> {
        switch event {
        case .load, .refresh: load(state.page, effects)
        case .add:
            change(
                state.page, effects, by: { cart, product throws(PageError) in try cart.add(product) },
                as: State.added)
        case .remove: change(state.page, effects, by: { $0.remove($1.id) }, as: State.removed)
        case .next: turn(state.page, by: 1, effects)
        case .previous: turn(state.page, by: -1, effects)
        case .cancel: cancel(state.page, effects)
        case .stored(let cart): .value(keeping(cart, in: state))
        }
    }

    /// The products and the cart. Without a page, what an earlier run has left is shown meanwhile.
    private static func load(_ page: Page?, _ effects: Effects) -> Promise<State> {
        if let page { return fresh(page, effects).waited(for: page).stateWhenLoading(.loading(page, .asked)) }
        return remembered(effects)
            .flatMap { page in
                let state = fresh(page, effects).waited(for: page)
                return page == nil ? state : state.stateWhenLoading(.loading(page, .asked))
            }
            .stateWhenLoading(.loading(nil, .asked))
    }

    /// The products and the cart, both at once; the product that was in view stays in view if it is still there.
    ///
    /// A cart that cannot be read is said and hides no product: the one known before stands in its place.
    private static func fresh(_ page: Page?, _ effects: Effects) -> Promise<State> {
        Promise<(Catalogue, Result<Cart, PageError>)>.zip(effects.catalogue(), cart(effects))
            .map { catalogue, cart in
                let index =
                    try page.flatMap { old in catalogue.index(of: old.product) }
                    ?? effects.choose(catalogue)
                let known = page?.cart ?? Cart()
                let fresh = Page(catalogue: catalogue, index: index, cart: (try? cart.get()) ?? known)
                if case .failure(let error) = cart { return .failed(error, fresh) }
                return .loaded(fresh)
            }
    }

    /// The cart, or why it cannot be read.
    private static func cart(_ effects: Effects) -> Promise<Result<Cart, PageError>> {
        effects.cart().map { .success($0) }.mapErrorRecover { .failure(PageError($0)) }
    }

    /// The page as it was when its products were last loaded. It is a help, so its lack is no error.
    private static func remembered(_ effects: Effects) -> Promise<Page?> {
        effects.remembered().flatMap { catalogue -> Promise<Page?> in
            guard let catalogue else { return .value(nil) }
            let index = try effects.choose(catalogue)
            return cart(effects).map { cart in
                Page(catalogue: catalogue, index: index, cart: (try? cart.get()) ?? Cart())
            }
        }
        .mapErrorRecover { _ in nil }
    }

    /// The cart, changed and kept.
    private static func change(
        _ page: Page?, _ effects: Effects,
        by change: @escaping @Sendable (inout Cart, Product) throws(PageError) -> Void,
        as next: @escaping @Sendable (Page) -> State
    ) -> Promise<State> {
        guard let page else { return .value(.failed(.nothingLoaded, nil)) }
        return effects.changeCart { cart throws(PageError) in try change(&cart, page.product) }
            .map { cart in
                var page = page
                page.cart = cart
                return next(page)
            }
            .waited(for: page)
            .stateWhenLoading(.loading(page, .asked))
    }

    /// The neighbour of the product in view, round the corner at both ends. Nothing to wait for.
    private static func turn(_ page: Page?, by step: Int, _ effects: Effects) -> Promise<State> {
        guard var page else { return .value(.failed(.nothingLoaded, nil)) }
        let count = page.catalogue.products.count
        page.index = (page.index + step + count) % count
        return .value(.loaded(page))
    }

    /// Back to the page that was there before. Where there was none, one that is remembered does no harm.
    ///
    /// The loading state takes the place of the one that the cancelled event has shown: without it the
    /// state before that would be shown once more, and a piece just added be counted twice.
    private static func cancel(_ page: Page?, _ effects: Effects) -> Promise<State> {
        let back: Promise<State> =
            page.map { .value(.loaded($0)) } ?? remembered(effects).map { .failed(.cancelled, $0) }
        return back.stateWhenLoading(.loading(page, .asked))
    }

    /// The page with the cart that is stored. An error still stands; what was added is not told of again.
    private static func keeping(_ cart: Cart, in state: State) -> State {
        guard var page = state.page else { return state }
        page.cart = cart
        if case .failed(let error, _) = state { return .failed(error, page) }
        return .loaded(page)
    }
}

extension Promise where Value == ProductPage.State {
    /// Says so when it takes long, and makes a state of an error; `page` is what is shown meanwhile.
    fileprivate func waited(for page: ProductPage.Page?) -> Promise {
        // Late, it is the same work with a word before it; the race lets go of the timer or of the work.
        let late = Promise<Void>.value(()).delay(ProductPage.patience)
            .flatMap { self.stateWhenLoading(.loading(page, .slow)) }
        return .race(self, late).mapErrorRecover { .failed(PageError($0), page) }
    }
}

extension Catalogue {
    /// The place of a product that was loaded before.
    fileprivate func index(of product: Product) -> Int? { products.firstIndex { $0.id == product.id } }
}

extension PageError {
    /// An event that needs a product came before there was one.
    static let nothingLoaded = PageError.failed("no product is loaded yet; send load first")

    static let cancelled = PageError.failed("loading was cancelled; send load to try again")

    /// For somebody who has keys and sends no events.
    var withoutEvents: String {
        switch self {
        case .nothingLoaded: "no product is loaded"
        case .cancelled: "loading was cancelled"
        default: "\(self)"
        }
    }

    /// What the page says about an error that is not one of its own.
    init(_ error: any Error) { self = (error as? PageError) ?? .failed("\(error)") }
}
