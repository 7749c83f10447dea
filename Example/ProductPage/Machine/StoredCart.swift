import PromisedSystem

// To store the cart is part of the transition that changes it: what the page says was added is on the disk. Here
// is what keeps the two the same where a transition cannot.
extension ProductPage {
    /// Reads the cart again where nobody knows how far a change of it has come.
    ///
    /// A change that is cancelled may already be on the disk, and one that fails may fail when the new file is in
    /// its place. Whoever presses Esc does not wait to know which. Any other event ends this: what it was to find
    /// out is then out of date, even if it has been found and waits for its turn.
    static func storedCart(_ effects: Effects) -> Feedback<State, Event> {
        Feedback(effects: { state, event in
            guard let page = state.page, state.isCartInDoubt(after: event) else { return Effect<Event>.none }
            // What cannot be read says nothing new.
            return .promise(effects.cart().mapErrorRecover { _ in page.cart }.map(Event.stored))
        })
    }

    /// Stops the news that the cart in view is the one that is stored: nothing is shown twice.
    static let onlyNews = Middleware<State, Event>(before: { event, system in
        guard case .stored(let cart) = event, cart == system.state.page?.cart else { return .pass }
        return .stop
    })
}

extension ProductPage.State {
    /// - Parameter event: What has led to this state; nil where it is the first.
    fileprivate func isCartInDoubt(after event: ProductPage.Event?) -> Bool {
        switch (event, self) {
        case (.cancel, _), (.add, .failed(.cart, _)), (.remove, .failed(.cart, _)): true
        default: false
        }
    }
}
