extension Source {
    /// The latest value that is included; the one that is there now always is, as a source has a value.
    ///
    /// What passed last belongs to the operator: all of its subscribers find the same. It listens from now on, until
    /// this source and its subscriptions have gone.
    ///
    /// - Parameter isIncluded: Whether a change passes; called once for each, where the owner delivers.
    @inlinable
    public func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> Source {
        remembering(first: { $0 }, next: { _, value in isIncluded(value) ? value : nil })
    }
}
