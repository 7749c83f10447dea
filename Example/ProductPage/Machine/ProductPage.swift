import PromisedSystem

/// The product page as a machine: which states it has, what can happen to it, and what follows.
///
/// Everything here is a description. `reduce` opens no file and no connection and starts no timer; it says
/// which effects belong to an event, and the system runs them.
enum ProductPage {
    /// What the page shows: the products of a source, one of them in view, and the cart.
    struct Page: Sendable, Hashable {
        var catalogue: Catalogue
        var index: Int
        var cart: Cart

        var product: Product { catalogue.products[index] }
    }

    /// How long something has been on its way.
    enum Wait: Sendable, Hashable {
        case asked
        /// Long enough for somebody who waits to wonder: `patience` has passed.
        case slow
    }

    enum State: Sendable, Hashable {
        /// Nothing has happened.
        case start
        /// Something is on its way; what was there before, or is remembered from an earlier run, is shown
        /// meanwhile.
        case loading(Page?, Wait)
        case loaded(Page)
        /// The product in view was put into the cart.
        case added(Page)
        /// One piece of the product in view was taken out of the cart.
        case removed(Page)
        /// The last wish could not be fulfilled; what was there before is still known.
        case failed(PageError, Page?)

        /// The page behind the state, if one was ever loaded.
        var page: Page? {
            switch self {
            case .start: nil
            case .loading(let page, _), .failed(_, let page): page
            case .loaded(let page), .added(let page), .removed(let page): page
            }
        }
    }

    enum Event: Sendable, Hashable {
        case load, add, remove, refresh, next, previous
        /// Ends what is running, at once; events that wait have their turn after it.
        case cancel
        /// The cart turned out to be this. Nobody asks for it: it comes from a feedback.
        case stored(Cart)
    }

    /// After how long a wait is said to be a long one.
    static let patience = Duration.seconds(5)

    /// The page on a scheduler, with everything that it does to the world passed in.
    ///
    /// This is the one way to build it. The tool passes `.main` and the real effects; tests pass a
    /// `TestScheduler` and effects that they decide on.
    static func system(
        effects: Effects, scheduler: some SerialScheduler,
        middleware: Middleware<State, Event> = .identity, bindings: [(@Sendable (State) -> Void)?] = []
    ) -> System<State, Event> {
        System(
            initialState: .start, scheduler: scheduler, feedbacks: [storedCart(effects)],
            middleware: onlyNews <> middleware, uiBindings: bindings,
            configuration: .init(eventPolicy: { $0 == .cancel ? .replace : .queue })
        ) { state, event in
            reduce(state: state, event: event, effects: effects)
        }
    }
}
