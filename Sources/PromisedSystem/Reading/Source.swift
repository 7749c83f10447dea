/// A read-only handle on a value that is always present and changes over time.
///
/// ```swift
/// let counter = System<Int, Int>(initialState: 0, scheduler: .immediate) { .value($0 + $1) }
/// let token = counter.settled.subscribe { print("now", $0) }
/// counter.sendEvent(2)
/// print(counter.settled.value)
/// token.cancel()
/// ```
///
/// A source can be copied and read from any thread; it cannot write. Every subscriber receives every change, equal
/// values included, in the same order; deliveries are never nested. A source does not retain its owner; after the owner
/// is released, it still returns the last value.
///
/// Operators such as ``map(_:)`` derive sources from sources. Their closures are called once per value for all
/// subscribers together, where the owner of the original source delivers.
///
/// As a property wrapper, it declares a view's read-only property:
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
    /// Subscribes to every value, equal ones included, even if `attach` drops those; nil if subscribers to elements
    /// cannot share a subscription.
    @usableFromInline let attachToAll: Attach?

    /// - Parameters:
    ///   - identity: What this source and its copies share; sources with different identities are unequal.
    ///   - read: Returns the present value.
    ///   - isNotifying: Whether there may be subscribers that have not been notified of it yet; nil for never.
    ///   - attachToAll: Subscribes to equal values, too; nil if subscribers to elements cannot share a subscription.
    ///   - attach: Subscribes: delivers the present value synchronously if requested, and every later one.
    @inlinable
    init(
        identity: SourceIdentity<Value> = SourceIdentity(),
        read: @escaping @Sendable () -> Value, isNotifying: (@Sendable () -> Bool)? = nil,
        attachToAll: Attach? = nil, attach: @escaping Attach
    ) {
        self.identity = identity
        self.read = read
        self.isNotifying = isNotifying
        self.attachToAll = attachToAll
        self.attach = attach
    }

    /// The present value.
    ///
    /// Read inside of `withObservationTracking`, it is tracked for every change. A property of the value that is read
    /// through the source, as in `source.title`, is tracked only for changes that make that property unequal.
    @inlinable public var value: Value { isObservationTracked ? tracked() : read() }

    /// The present value, for a property that is declared with `@Source`.
    public var wrappedValue: Value { value }

    /// The source itself, for a property that is declared with `@Source`.
    public var projectedValue: Source { self }

    // Declared here because the compiler does not find this subscript in an extension.

    /// The present value, for a property of a ``Renderer`` class that is declared with `@Source`.
    ///
    /// The first read subscribes the renderer. A renderer whose property is set to another source renders only for
    /// changes of that one. In a class that is not a renderer, declare a property of type `Source` without the wrapper.
    @MainActor
    public static subscript<View: Renderer & AnyObject>(
        _enclosingInstance view: View, wrapped _: KeyPath<View, Value>, storage storage: KeyPath<View, Source>
    ) -> Value {
        let source = view[keyPath: storage]
        source.keepRendered(view, storage)
        return source.value
    }

    /// Calls `body` with every value, for as long as the token is retained.
    ///
    /// - Complexity: To subscribe takes constant time, and moves the callbacks of the system, which come later, by one
    ///   place; to cancel takes a binary search among the subscribers. A change calls each subscriber once.
    ///
    /// - Parameters:
    ///   - replayCurrent: Whether the present value is delivered as well: synchronously before this returns or, inside
    ///     a reducer that changes the state in place, right after the reducer.
    ///   - body: Called where the owner delivers: for a system, on its scheduler. A closure that is isolated to the
    ///     main actor is called there.
    /// - Returns: A token to retain: releasing it cancels the subscription.
    public func subscribe(
        replayCurrent: Bool = true,
        @_inheritActorContext _ body: @escaping @isolated(any) @Sendable (Value) -> Void
    ) -> SubscriptionToken {
        // A nonisolated closure is called without a hop.
        if body.isolation == nil {
            return attach(replayCurrent, unsafeBitCast(body, to: (@Sendable (Value) -> Void).self), {})
        }
        return subscribe(Callback(body), replayCurrent)
    }

    /// A sequence of the present value and every change from now on, without a gap. Ends with the owner.
    public var values: Values { values(.every) }

    /// Returns a sequence of the present value and the changes from now on. Ends with the owner.
    ///
    /// - Parameter delivery: Whether a slow consumer receives every value, or only the latest.
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
    /// It buffers from the moment it is created, not from the start of the iteration. Only one task should iterate it;
    /// create a sequence per consumer.
    public struct Values: AsyncSequence, Sendable {
        /// The values kept for a consumer that is slower than the changes.
        public enum Delivery: Sendable {
            /// Every value in order; the buffer is unbounded.
            case every
            /// Only the latest value that has not been consumed yet; older ones are dropped.
            case latest
        }

        fileprivate let stream: AsyncStream<Value>

        /// Creates an iterator over the shared buffer: it begins with the first value not yet consumed.
        public func makeAsyncIterator() -> AsyncStream<Value>.Iterator { stream.makeAsyncIterator() }
    }
}
