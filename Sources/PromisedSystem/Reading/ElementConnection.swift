internal import Promise

/// Holds the subscription that feeds the ``ElementSubscriptions`` of a collection, for as long as a token or a source
/// of one of its elements is retained.
///
/// A separate object because it is referenced weakly, which would make every access to the subscriptions slower.
@usableFromInline
final class ElementConnection<Whole: Sendable, Finder: ElementLocator>: Sendable {
    @usableFromInline let readers: ElementSubscriptions<Whole, Finder>
    private let subscribe: @Sendable () -> SubscriptionToken
    private let token = Lock<SubscriptionToken?>(nil)

    @usableFromInline
    init(
        _ readers: ElementSubscriptions<Whole, Finder>,
        _ subscribe: @escaping @Sendable () -> SubscriptionToken
    ) {
        (self.readers, self.subscribe) = (readers, subscribe)
    }

    /// Subscribes to an element; see ``Source/attach``. The token retains this.
    @usableFromInline
    func subscribe(
        to id: Finder.ID, replayCurrent: Bool,
        _ body: @escaping @Sendable (Finder.Element?) -> Void, onEnd: @escaping @Sendable () -> Void
    ) -> SubscriptionToken {
        let listener = Listener<Finder.Element?>(body, onEnd: onEnd)
        listener.begin(replayCurrent: replayCurrent, on: readers.scheduler) { [self] listener in
            connect()
            let (element, isOver) = readers.add(listener, to: id)
            return ({ element }, isOver)
        }
        // Weak, so that a token that outlives the owner does not retain what the subscriber captures. One closure, for
        // the memory of many subscriptions.
        return SubscriptionToken(endsOnRelease: true) { [self, weak listener] in
            guard let listener else { return }
            listener.retire()
            readers.remove(listener)
        }
    }

    /// Subscribes to the whole, once. A concurrent caller blocks until that is done, so that no subscriber is added
    /// before changes are delivered.
    private func connect() {
        token.withLock { token in if token == nil { token = subscribe() } }
    }
}
