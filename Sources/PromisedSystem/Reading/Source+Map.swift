extension Source {
    /// Transforms every value with a closure.
    ///
    /// - Parameter transform: Called once per value, however many subscribers there are, where the owner delivers; for
    ///   the present value when the first subscriber subscribes, on that subscriber's thread. Reading the value also
    ///   calls it while there are no subscribers, and while the owner notifies its subscribers. If two threads are the
    ///   first to subscribe at the same time, each may call it for the present value.
    @inlinable
    public func map<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Output
    ) -> Source<Output> {
        Source<Output>(
            deliveringLike: scheduler, isOfSystem: identity.isOfSystem, isBehind: isNotifying,
            read: { [read] in transform(read()) }
        ) {
            feed($0) { $0.publish(transform($1)) }
        }
    }

    /// Wraps every value in an optional, for an API that takes a source of optionals.
    @inlinable
    public func optional() -> Source<Value?> { map { $0 } }

    @usableFromInline var scheduler: (any SerialScheduler)? { identity.scheduler }
}
