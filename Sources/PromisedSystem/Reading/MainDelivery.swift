internal import Promise

/// Keeps one delivery of a source on the main thread, for views that are made again and again: what `Observed` is made
/// of, and adapters for other frameworks can be.
///
/// ```swift
/// let delivery = MainDelivery<Int>()
/// let number = Source.constant(4)
/// print(delivery.of(number) == delivery.of(number))
/// ```
public final class MainDelivery<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var id: Source<Value>.ID?
        var delivered: Source<Value>?
    }

    private let state = Lock(State())

    /// Delivers nothing yet.
    public init() {}

    /// The source, delivered on the main thread: the same as the last time, if it is given the same source again.
    ///
    /// - Parameter source: Takes the place of the one before, which is listened to no longer.
    public func of(_ source: Source<Value>) -> Source<Value> {
        let last = state.withLock { $0 }
        // Compared outside of the lock, as there may be values of the user's in the identity of a part.
        if last.id == source.id, let delivered = last.delivered { return delivered }
        let delivered = source.receive(on: .main)
        let before = state.withLock { state in
            defer { state = State(id: source.id, delivered: delivered) }
            return state
        }
        withExtendedLifetime(before) {}
        return delivered
    }
}
