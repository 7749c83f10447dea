public import PromisedSystem

internal import Promise

extension Model {
    /// A source of a property of the state: its present value, and every later one that is unequal to the one before
    /// it. It ends when the state is removed.
    @inlinable
    public func source<Value: Equatable & Sendable>(
        of path: any KeyPath<State, Value> & Sendable
    ) -> Source<Value> { context.source(of: path) { areSame($0, $1) } }

    /// A source of a property whose type is not known to be `Equatable`: if it is not, it has the present value, and
    /// one for every write that may concern it.
    @_disfavoredOverload @inlinable
    public func source<Value: Sendable>(of path: any KeyPath<State, Value> & Sendable) -> Source<Value> {
        context.source(of: path) { areDynamicallySame($0, $1) }
    }

    /// The present value of a property and every later one that is unequal to the one before it, without a gap: nothing
    /// is lost between this call and the first iteration. Ends when the state is removed.
    ///
    /// - Parameters:
    ///   - path: The property.
    ///   - delivery: Whether a slow consumer receives every value or only the latest.
    public func values<Value: Equatable & Sendable>(
        of path: any KeyPath<State, Value> & Sendable, delivery: Source<Value>.Values.Delivery = .every
    ) -> AsyncStream<Value> {
        stream(context.source(of: path, isOfLogic: true, areSame), replayCurrent: true, delivery)
    }

    /// The later values of a property, each unequal to the one before it. Ends when the state is removed.
    ///
    /// - Parameters:
    ///   - path: The property.
    ///   - delivery: Whether a slow consumer receives every value or only the latest.
    public func changes<Value: Equatable & Sendable>(
        of path: any KeyPath<State, Value> & Sendable, delivery: Source<Value>.Values.Delivery = .every
    ) -> AsyncStream<Value> {
        stream(context.source(of: path, isOfLogic: true, areSame), replayCurrent: false, delivery)
    }
}

/// The values of a source as a stream, which buffers from now on.
func stream<Value: Sendable>(
    _ source: Source<Value>, replayCurrent: Bool, _ delivery: Source<Value>.Values.Delivery
) -> AsyncStream<Value> {
    let policy: AsyncStream<Value>.Continuation.BufferingPolicy =
        switch delivery {
        case .every: .unbounded
        case .latest: .bufferingNewest(1)
        }
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: policy)
    let token = source.attach(replayCurrent, { continuation.yield($0) }, { continuation.finish() })
    continuation.onTermination = { _ in token.cancel() }
    return stream
}
