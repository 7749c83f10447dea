import PromisedSystem

// To store the cart is part of the transition that changes it: what the page says was added is on the disk. Here
// is what keeps the two the same where a transition cannot.
extension ProductPage {
    /// Reads the cart again where nobody knows how far a change of it has come.
    ///
    /// A change that is cancelled may already be on the disk, and one that fails may fail when the new file is in
    /// its place. Whoever presses Esc does not wait to know which. An event that has to do with the cart ends this:
    /// what it was to find out is then out of date, even if it has been found and waits for its turn.
    static func storedCart(_ effects: Effects) -> Feedback<State, Event> {
        Feedback(eventRequests: { soFar, event, state in
            if event.leavesCartAlone { return soFar }
            guard let page = state.page, state.isCartInDoubt(after: event) else { return [] }
            let revision = soFar.first?.revision == 0 ? 1 : 0
            return [
                // What cannot be read says nothing new.
                EffectRequest("stored cart", revision: EffectKey(revision)) {
                    .promise(effects.cart().mapErrorRecover { _ in page.cart }.map(Event.stored))
                }
            ]
        })
    }

    /// Stops the news that the cart in view is the one that is stored: nothing is shown twice.
    static let onlyNews = Middleware<State, Event>(before: { event, system in
        guard case .stored(let cart) = event, cart == system.state.page?.cart else { return .pass }
        return .stop
    })
}

extension ProductPage.Event {
    /// Whether what is known of the cart, or is being found out, is as good after it as before.
    fileprivate var leavesCartAlone: Bool {
        switch self {
        case .next, .previous: true
        case .load, .add, .remove, .refresh, .cancel, .stored: false
        }
    }
}

extension ProductPage.State {
    /// - Parameter event: What has led to this state.
    fileprivate func isCartInDoubt(after event: ProductPage.Event) -> Bool {
        switch (event, self) {
        // One that fails has ended a reading that was under way.
        case (.cancel, _), (.add, .failed), (.remove, .failed), (.load, .failed), (.refresh, .failed): true
        default: false
        }
    }
}
