internal import Promise

/// Holds the subscription that feeds the ``ElementSubscriptions`` of a collection, for as long as a token or a source
/// of one of its elements is retained.
///
/// A separate object because it is referenced weakly, which would make every access to the subscriptions slower.
@usableFromInline
final class ElementConnection<Whole: Sendable, Finder: ElementLocator>: SubscriberList {
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
        return token(of: listener, endsOnRelease: true, retaining: self)
    }

    func remove(_ listener: Listener<Finder.Element?>) { readers.remove(listener) }

    /// Subscribes to the whole, once. A concurrent caller blocks until that is done, so that no subscriber is added
    /// before changes are delivered.
    private func connect() {
        token.withLock { token in if token == nil { token = subscribe() } }
    }
}
