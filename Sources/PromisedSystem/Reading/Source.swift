/// A read-only handle on a value that always exists and changes.
///
/// ```swift
/// let counter = System<Int, Int>(initialState: 0, scheduler: .immediate) { .value($0 + $1) }
/// let token = counter.settled.subscribe { print("now", $0) }
/// counter.sendEvent(2)
/// print(counter.settled.value)
/// token.cancel()
/// ```
///
/// A source can be copied and read from any thread; it cannot write. Every subscriber hears every change, in
/// the same order, equal values included, and never one change inside another. Holding a source does not
/// keep its owner alive; afterwards it still gives the last value.
public struct Source<Value: Sendable>: Sendable {
    @usableFromInline typealias Attach =
        @Sendable (_ replayCurrent: Bool, @escaping @Sendable (Value) -> Void, @escaping @Sendable () -> Void)
        -> SubscriptionToken

    @usableFromInline let read: @Sendable () -> Value
    @usableFromInline let attach: Attach

    @inlinable
    init(read: @escaping @Sendable () -> Value, attach: @escaping Attach) {
        self.read = read
        self.attach = attach
    }

    /// The value now.
    public var value: Value { read() }

    /// Calls `body` with every value, as long as the token is kept.
    ///
    /// - Parameters:
    ///   - replayCurrent: Whether the present value is delivered as well, right here, before this returns.
    ///   - body: Runs where the owner delivers: for a system, on its scheduler. A closure from main-actor
    ///     code runs on the main actor.
    /// - Returns: Keep it: when it goes, the subscription ends.
    public func subscribe(
        replayCurrent: Bool = true,
        @_inheritActorContext _ body: @escaping @isolated(any) @Sendable (Value) -> Void
    ) -> SubscriptionToken {
        // A closure of no actor is called as it is.
        if body.isolation == nil {
            return attach(replayCurrent, unsafeBitCast(body, to: (@Sendable (Value) -> Void).self), {})
        }
        let callback = Callback(body)
        let subscription = attach(replayCurrent, { callback.call($0) }, {})
        return SubscriptionToken(endsOnRelease: true) { [weak callback] in
            callback?.retire()
            subscription.cancel()
        }
    }

    /// The present value and every change from now on, without a gap; ends with the owner.
    public var values: Values { values(.every) }

    /// The present value and the changes from now on; ends with the owner.
    ///
    /// - Parameter delivery: Whether a reader that is slow gets every value, or only the latest.
    public func values(_ delivery: Values.Delivery) -> Values {
        let buffering: AsyncStream<Value>.Continuation.BufferingPolicy =
            switch delivery {
            case .every: .unbounded
            case .latest: .bufferingNewest(1)
            }
        let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: buffering)
        let token = attach(true, { continuation.yield($0) }, { continuation.finish() })
        continuation.onTermination = { _ in token.cancel() }
        return Values(stream: stream)
    }

    /// An asynchronous sequence of a source's values.
    ///
    /// It listens from the moment in which it was asked for, whenever it is iterated. One task should
    /// iterate it; ask for another sequence for another reader.
    public struct Values: AsyncSequence, Sendable {
        /// What a reader gets that is slower than the changes.
        public enum Delivery: Sendable {
            /// Every value, in order; what was not read yet is kept.
            case every
            /// The latest value that was not read yet.
            case latest
        }

        fileprivate let stream: AsyncStream<Value>

        /// The iterator that reads on.
        public func makeAsyncIterator() -> AsyncStream<Value>.Iterator { stream.makeAsyncIterator() }
    }
}
