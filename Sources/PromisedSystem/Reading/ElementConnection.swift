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

    /// Subscribes, once. A concurrent caller blocks until that is done, so that no subscriber is added before changes
    /// are delivered.
    func connect() {
        token.withLock { token in if token == nil { token = subscribe() } }
    }
}
