internal import Promise

/// Caches a source's delivery on the main thread, for views that are re-created often: the building block of
/// `Observed`, and of adapters for other frameworks.
///
/// ```swift
/// let delivery = MainDelivery<Int>()
/// let number = Source.constant(4)
/// print(delivery.of(number) == delivery.of(number))
/// ```
public final class MainDelivery<Value: Sendable>: Sendable {
    private let last = Lock<(id: SourceID, delivered: Source<Value>)?>(nil)

    /// Creates an empty cache, which subscribes to nothing until ``of(_:)`` is called.
    public init() {}

    /// Returns the source delivered on the main thread: the cached one if `source` is the same as in the last call.
    ///
    /// - Parameter source: The source to deliver. It replaces the previous one, whose delivery is released.
    public func of(_ source: Source<Value>) -> Source<Value> {
        // Compared outside of the lock, as the identity of a part may contain values of user types.
        if let last = last.withLock({ $0 }), last.id == source.identity.id { return last.delivered }
        let delivered = source.receive(on: .main)
        last.exchange(for: (source.identity.id, delivered))
        return delivered
    }
}
