import ProductReading
import PromisedSystem

extension ProductPage {
    /// The next state after an event: a description of work, which the system runs.
    static func reduce(state: State, event: Event, effects: Effects) -> Promise<State> {
        switch (event, state.page) {
        case (.load, let page), (.refresh, let page): load(page, effects)
        case (.cancel, nil): .value(.start)
        case (_, nil): .value(.failed(.nothingLoaded, nil))
        case (.next, let page?): .value(.loaded(page.turned(by: 1)))
        case (.previous, let page?): .value(.loaded(page.turned(by: -1)))
        case (.show(let id), let page?): .value(.loaded(page.showing(id)))
        case (.add, let page?): change(page, .add(page.line), effects)
        case (.remove, let page?): change(page, .remove(page.line), effects)
        case (.addLine(let line), let page?): change(page, .add(line), effects)
        case (.removeLine(let line), let page?): change(page, .remove(line), effects)
        case (.cancel, let page?): cancel(page, effects)
        }
    }

    /// The products, then the cart. A cart that cannot be read hides no product.
    private static func load(_ page: Page?, _ effects: Effects) -> Promise<State> {
        effects.source.catalogue()
            .map { try Page($0, after: page, choosing: effects.product) }
            .flatMap { fresh in
                effects.storage.cart()
                    .map { .loaded(fresh.with($0)) }
                    .mapErrorRecover { .failed(PageError($0), fresh) }
            }
            .stateWhenLoading(.loading(page, .slow), after: slowThreshold)
            .stateWhenLoading(.loading(page, .started))
            .mapErrorRecover { .failed(PageError($0), page) }
    }

    /// The cart, changed and kept: what the page says was added is on the disk.
    private static func change(_ page: Page, _ change: Cart.Change, _ effects: Effects) -> Promise<State> {
        effects.storage.change(change)
            .map { cart, isChanged in
                switch change {
                case .add(let line): .added(page.with(cart), line)
                case .remove(let line) where isChanged: .removed(page.with(cart), line)
                case .remove(let line): .missing(page.with(cart), line)
                }
            }
            .stateWhenLoading(.loading(page, .slow), after: slowThreshold)
            .stateWhenLoading(.loading(page, .started))
            .recover { error in withStoredCart(page, effects).map { .failed(PageError(error), $0) } }
    }

    /// Back to the page at once, then with the cart that is stored.
    private static func cancel(_ page: Page, _ effects: Effects) -> Promise<State> {
        withStoredCart(page, effects).map { .loaded($0) }.stateWhenLoading(.loaded(page))
    }

    /// The page with the cart that is stored: a change that failed or was cancelled may have reached the disk.
    private static func withStoredCart(_ page: Page, _ effects: Effects) -> Promise<Page> {
        effects.storage.cart().map(page.with).mapErrorRecover { _ in page.with(nil) }
    }
}

extension ProductPage.Page {
    /// The product that was in view stays in view if it is still there.
    fileprivate init(_ catalogue: Catalogue, after page: Self?, choosing product: String?) throws {
        let same = catalogue.products.firstIndex { $0.id == page?.product.id }
        let index = try same ?? product.map { query in try catalogue.index(of: query) } ?? 0
        self.init(catalogue: catalogue, index: index, cart: nil)
    }

    fileprivate func with(_ cart: Cart?) -> Self {
        Self(catalogue: catalogue, index: index, cart: cart)
    }

    fileprivate func showing(_ id: Product.ID) -> Self {
        let index = catalogue.products.firstIndex { $0.id == id } ?? index
        return Self(catalogue: catalogue, index: index, cart: cart)
    }

    /// The neighbour of the product in view; the first follows the last.
    fileprivate func turned(by step: Int) -> Self {
        let count = catalogue.products.count
        return Self(catalogue: catalogue, index: (index + step + count) % count, cart: cart)
    }
}

extension PageError {
    /// An event that needs a product came before there was one.
    static let nothingLoaded = PageError.failed("no product is loaded yet; send load first")

    init(_ error: any Error) { self = (error as? PageError) ?? .failed("\(error)") }
}
