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
///
/// Operators such as ``map(_:)`` make sources from sources. What they do is done once for each value, for all
/// of their subscribers together, and where the first owner delivers.
///
/// As a property wrapper it is a view's read-only property:
///
/// ```swift
/// struct Label {
///     @Source var text: String
/// }
/// print(Label(text: .constant("Hello")).text)
/// ```
@propertyWrapper @dynamicMemberLookup
public struct Source<Value: Sendable>: Sendable {
    @usableFromInline package typealias Attach =
        @Sendable (_ replayCurrent: Bool, @escaping @Sendable (Value) -> Void, @escaping @Sendable () -> Void)
        -> SubscriptionToken

    @usableFromInline let identity: SourceIdentity<Value>
    @usableFromInline let read: @Sendable () -> Value
    /// Whether there may be subscribers that have not been notified of the present value yet; nil for never.
    @usableFromInline let isNotifying: (@Sendable () -> Bool)?
    @usableFromInline package var attach: Attach
    /// nil where there is no way in.
    @usableFromInline let entrance: Entrance?

    /// The way to hear every value without a gap, for those who do not want to be told the first one.
    @usableFromInline
    struct Entrance: Sendable {
        /// Calls the closure at a moment in which no other value can come, with what gives the present one. The closure
        /// must be quick, and ours; to look at the value is the user's work, and done afterwards.
        @usableFromInline let enter: @Sendable ((@escaping @Sendable () -> Value) -> Void) -> Void
        /// Subscribes, without comparing.
        @usableFromInline let attach:
            @Sendable (@escaping @Sendable (Value) -> Void, @escaping @Sendable () -> Void) ->
                SubscriptionToken

        @inlinable
        init(
            enter: @escaping @Sendable ((@escaping @Sendable () -> Value) -> Void) -> Void,
            attach:
                @escaping @Sendable (@escaping @Sendable (Value) -> Void, @escaping @Sendable () -> Void)
                -> SubscriptionToken
        ) {
            (self.enter, self.attach) = (enter, attach)
        }
    }

    /// - Parameters:
    ///   - identity: What this source and its copies have in common; another one makes another source.
    ///   - read: The value now.
    ///   - isNotifying: Whether there may be subscribers that have not been notified of it yet; nil for never.
    ///   - entrance: The way in for those who share a subscription.
    ///   - attach: Subscribes: tells the present value right there if asked to, and every following one.
    @inlinable
    init(
        identity: SourceIdentity<Value> = SourceIdentity(),
        read: @escaping @Sendable () -> Value, isNotifying: (@Sendable () -> Bool)? = nil,
        entrance: Entrance? = nil, attach: @escaping Attach
    ) {
        self.identity = identity
        self.read = read
        self.isNotifying = isNotifying
        self.entrance = entrance
        self.attach = attach
    }

    /// The value now.
    ///
    /// Read inside of `withObservationTracking`, it is told of every change; a part of the value that is read as
    /// a property of the source, as in `source.title`, only when that part becomes unequal.
    @inlinable public var value: Value { identity.isTracked ? tracked() : read() }

    /// The value now, for a property that is declared with `@Source`.
    public var wrappedValue: Value { value }

    /// The source itself, for a property that is declared with `@Source`.
    public var projectedValue: Source { self }

    // Stands here because in an extension the compiler does not look for it.

    /// The value, for a property of a renderer that is declared with `@Source`. The first time that it is read
    /// subscribes the renderer; one that has been given another source renders for that alone. A class that is none
    /// holds the source itself.
    @MainActor
    public static subscript<View: Renderer & AnyObject>(
        _enclosingInstance view: View, wrapped _: KeyPath<View, Value>, storage storage: KeyPath<View, Source>
    ) -> Value {
        let source = view[keyPath: storage]
        source.keepRendered(view, storage)
        return source.value
    }

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
