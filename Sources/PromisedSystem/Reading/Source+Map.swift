extension Source {
    /// The value as `transform` makes it.
    ///
    /// - Parameter transform: Called once for each value, however many subscribers there are, where the owner
    ///   delivers; for the present value with the first subscriber, where that subscribes. Reading the value calls it
    ///   while there is no subscriber, and while the owner notifies its subscribers.
    @inlinable
    public func map<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Output
    ) -> Source<Output> {
        Source<Output>(
            deliveringLike: scheduler, isBehind: isNotifying, read: { [read] in transform(read()) }
        ) {
            [attach] broadcaster in
            broadcaster.keep(
                attach(true, { [weak broadcaster] value in broadcaster?.publish(transform(value)) }) {
                    [weak broadcaster] in broadcaster?.finish()
                })
        }
    }

    /// The value as an optional one, for what takes such a source.
    @inlinable
    public func optional() -> Source<Value?> { map { $0 } }

    @usableFromInline var scheduler: (any SerialScheduler)? { identity.scheduler }
}
