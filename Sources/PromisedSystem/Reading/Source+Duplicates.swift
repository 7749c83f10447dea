extension Source {
    /// Drops values that are equal to the one delivered last.
    ///
    /// Each subscription compares separately, beginning with the value at the time of subscription. Other subscribers
    /// of this source still receive equal values.
    ///
    /// - Complexity: A change costs one comparison for each subscriber.
    ///
    /// - Parameter areEqual: Compares the value delivered last with the next.
    @inlinable
    public func removeDuplicates(by areEqual: @escaping @Sendable (Value, Value) -> Bool) -> Source {
        part({ $0 }, at: nil, unlessEqual: areEqual)
    }
}

extension Source where Value: Equatable {
    /// Drops values that are equal to the one delivered last; see ``removeDuplicates(by:)``.
    @inlinable
    public func removeDuplicates() -> Source { removeDuplicates(by: areSame) }
}
