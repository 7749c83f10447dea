extension Source {
    /// The same value, whose subscribers are not told again what they were told last.
    ///
    /// Each subscription compares for itself, beginning with the value that was there when it began; the
    /// owner goes on showing equal values to everyone else.
    ///
    /// - Parameter areEqual: Compares the value told last with the next.
    @inlinable
    public func removeDuplicates(by areEqual: @escaping @Sendable (Value, Value) -> Bool) -> Source {
        part({ $0 }, at: nil, unlessEqual: areEqual)
    }
}

extension Source where Value: Equatable {
    /// The same value, whose subscribers are not told again what they were told last.
    @inlinable
    public func removeDuplicates() -> Source { removeDuplicates(by: ==) }
}
