extension Source {
    /// Drops changes that do not satisfy a predicate. The present value always passes, as a source has to have a value.
    ///
    /// The operator stores the last value that passed and shares it with all subscribers. It subscribes to this source
    /// at once, and cancels that when the returned source and its subscriptions are released.
    ///
    /// - Parameter isIncluded: Whether a change passes; called once per change, where the owner delivers.
    @inlinable
    public func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> Source {
        remembering(first: { $0 }, next: { _, value in isIncluded(value) ? value : nil })
    }
}
