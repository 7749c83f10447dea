import ProductReading
import PromisedRecording
import PromisedSystem

/// The product page as a machine: its states, its events, and the system that runs them.
enum ProductPage {
    /// The contents of the page: the products of a source, one of them in view, and the cart.
    struct Page: Sendable, Hashable, Codable {
        var catalogue: Catalogue
        var index: Int
        /// Nil while it is not known: it was not read yet, or could not be.
        var cart: Cart?

        var product: Product { catalogue.products[index] }
        /// The product in view as a line of the cart, with the price that it has now.
        var line: Cart.Line { Cart.Line(product, from: catalogue.id) }
    }

    /// How long something has been in flight.
    enum LoadingPhase: Sendable, Hashable, Codable {
        case started
        /// More than `slowThreshold`.
        case slow
    }

    enum State: Sendable, Hashable, Codable {
        case start
        /// Something is in flight; the page before is shown meanwhile.
        case loading(Page?, LoadingPhase)
        case loaded(Page)
        /// One piece of this was put into the cart.
        case added(Page, Cart.Line)
        /// One piece of this was taken out of the cart.
        case removed(Page, Cart.Line)
        /// This was to be taken out and is not in the cart.
        case missing(Page, Cart.Line)
        /// The last event failed; the page before is still known.
        case failed(PageError, Page?)

        /// The page behind the state, if one was loaded.
        var page: Page? {
            switch self {
            case .start: nil
            case .loading(let page, _), .failed(_, let page): page
            case .loaded(let page), .added(let page, _), .removed(let page, _), .missing(let page, _): page
            }
        }
    }

    enum Event: Sendable, Hashable, Codable {
        case load, refresh, next, previous
        /// This product comes into view.
        case show(Product.ID)
        /// One piece of the product in view.
        case add, remove
        /// One piece of a line of the cart, whatever is in view.
        case addLine(Cart.Line), removeLine(Cart.Line)
        /// Cancels the running transition at once; queued events are processed after it.
        case cancel
    }

    /// After this time a loading state is a slow one.
    static let slowThreshold = Duration.seconds(5)

    /// The page on a scheduler. The tool passes `.main` and the real effects; tests pass a `TestScheduler` and
    /// effects that they decide on, or a reducer with a planted fault.
    static func system(
        effects: Effects, initialState: State = .start, scheduler: some SerialScheduler,
        bindings: [(@Sendable (State) -> Void)?] = [], recorder: SessionRecorder? = nil,
        reducer: @escaping @Sendable (State, Event, Effects) -> Promise<State> = reduce
    ) -> System<State, Event> {
        var configuration = System<State, Event>.Configuration(
            eventPolicy: { $0 == .cancel ? .replace : .queue })
        if let recorder { configuration = configuration.recorded(by: recorder, as: "page") }
        return System(
            initialState: initialState, scheduler: scheduler, uiBindings: .init(bindings),
            configuration: configuration
        ) { state, event in
            reducer(state, event, effects)
        }
    }
}
