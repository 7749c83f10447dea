import Foundation
import ProductReading
import PromisedSystem

/// Watches a price. A price tracker is a state machine with one event: look again.
struct Watch: Sendable {
    struct State: Sendable, Equatable {
        /// The product as it was last seen.
        var product: Product?
        /// Of its price when it was first seen: another one cannot be compared.
        var currency: String?
        /// Why the last look failed, and how many in a row did.
        var error: PageError?
        var failures = 0

        /// The least that is known to be asked; nil where it cannot be compared.
        var price: Decimal? {
            guard let price = product?.price?.all.first(where: { $0.currency == currency }) else {
                return nil
            }
            let (low, high) = price.bounds
            // Nothing is a price where the product is said to be there; elsewhere, and beside a price, it was not
            // filled in.
            let amount = low == 0 && high ?? 0 > 0 ? high : low ?? high
            return amount == 0 && product?.availability?.canBeOrdered != true ? nil : amount
        }
    }

    enum Event: Sendable { case look }

    var source: any CatalogueSource
    /// Which product of the source; nil for the first one.
    var query: String?
    /// The price below which it ends; nil to continue endlessly.
    var below: Decimal?
    var every = Duration.seconds(600)

    /// Looks when the first event is sent, and again after each pause, until it is over.
    func system(on scheduler: some SerialScheduler) -> System<State, Event> {
        System(
            initialState: State(), scheduler: scheduler,
            feedbacks: [
                // After each look, also if the state is the same as before: that is a look that saw no change.
                .withLatest(state: pause(after:)) { pause in
                    Effect.promise(Promise.value(Event.look).delay(pause))
                }
            ]
        ) { state, _ in look(after: state) }
    }

    private func look(after state: State) -> Promise<State> {
        source.catalogue()
            .map { catalogue in
                let product = catalogue.products[try query.map(catalogue.index(of:)) ?? 0]
                return State(product: product, currency: state.currency ?? product.price?.currency)
            }
            .mapErrorRecover { error in
                var state = state
                (state.error, state.failures) = (PageError(error), state.failures + 1)
                return state
            }
    }

    /// How long to wait for the next look; nil before the first one and when it is over.
    func pause(after state: State) -> Duration? {
        if isOver(state) { return nil }
        // It doubles with each further failure, up to an hour.
        let backoff = Backoff.exponential(from: every, upTo: max(every, .seconds(3600)))
        if state.failures > 0 {
            return max(backoff.delay(afterAttempt: state.failures), state.error?.retryAfter ?? .zero)
        }
        return state.product == nil ? nil : every
    }

    /// Whether the product can be had for less, or was never there to be watched.
    func isOver(_ state: State) -> Bool {
        switch (state.product, state.error) {
        case (nil, .usage?), (nil, .noInput?): true
        case (let product?, nil):
            if product.availability?.canBeOrdered != false, let below, let price = state.price {
                price < below
            } else {
                false
            }
        default: false
        }
    }
}
