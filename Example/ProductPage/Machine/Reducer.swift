import PromisedSystem

extension ProductPage {
    /// What follows from an event: a description, which the system runs.
    static func reduce(state: State, event: Event, effects: Effects) -> Promise<State> {
        switch event {
        case .load, .refresh: load(state.page, effects)
        case .add: change(state.page, effects, by: { $0.add($1) }, as: State.added)
        case .remove: change(state.page, effects, by: { $0.remove($1.id) }, as: State.removed)
        case .next: turn(state.page, by: 1, effects)
        case .previous: turn(state.page, by: -1, effects)
        }
    }

    /// The products and the cart, both at once; the product that was in view stays in view if it is still there.
    private static func load(_ page: Page?, _ effects: Effects) -> Promise<State> {
        Promise<(Catalogue, Cart)>.zip(effects.catalogue(), effects.cart())
            .map { catalogue, cart in
                let index =
                    try page.flatMap { old in catalogue.index(of: old.product) } ?? effects.choose(catalogue)
                return State.loaded(Page(catalogue: catalogue, index: index, cart: cart))
            }
            .stateWhenLoading(.loading(page))
            .mapErrorRecover { .failed(PageError($0), page) }
    }

    /// The cart, changed and kept.
    private static func change(
        _ page: Page?, _ effects: Effects, by change: @escaping @Sendable (inout Cart, Product) -> Void,
        as next: @escaping @Sendable (Page) -> State
    ) -> Promise<State> {
        guard let page else { return .value(.failed(.nothingLoaded, nil)) }
        return effects.changeCart { change(&$0, page.product) }
            .map { cart in
                var page = page
                page.cart = cart
                return next(page)
            }
            .stateWhenLoading(.loading(page))
            .mapErrorRecover { .failed(PageError($0), page) }
    }

    /// The neighbour of the product in view, round the corner at both ends. Nothing to wait for.
    private static func turn(_ page: Page?, by step: Int, _ effects: Effects) -> Promise<State> {
        guard var page else { return .value(.failed(.nothingLoaded, nil)) }
        let count = page.catalogue.products.count
        page.index = (page.index + step + count) % count
        return .value(.loaded(page))
    }
}

extension Catalogue {
    /// The place of a product that was loaded before.
    fileprivate func index(of product: Product) -> Int? { products.firstIndex { $0.id == product.id } }
}

extension PageError {
    /// An event that needs a product came before there was one.
    static let nothingLoaded = PageError.failed("no product is loaded yet; send load first")

    /// What the page says about an error that is not one of its own.
    init(_ error: any Error) { self = (error as? PageError) ?? .failed("\(error)") }
}
