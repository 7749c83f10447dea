extension ScopedSystem: Hashable {
    /// Whether both are the same part of the same system, however they were scoped to it: see ``Source/==(_:_:)``.
    ///
    /// Closures cannot be compared. A part that is found by closures, not by key paths and ids, is equal only to
    /// copies of its handle. And two handles to one part are equal even if they wrap the events that they send
    /// differently, or if one is of a part that has ended, and the other of its successor in the same place.
    public static func == (left: ScopedSystem, right: ScopedSystem) -> Bool { left.settled == right.settled }

    /// Hashes the identity of the part, which does not depend on its state.
    public func hash(into hasher: inout Hasher) { hasher.combine(settled) }
}
