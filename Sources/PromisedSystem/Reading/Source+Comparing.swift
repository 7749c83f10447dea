extension Source: Hashable {
    /// Whether both are the same source: copies of one handle, or the same part of one system.
    ///
    /// Two expressions of one part are the same source: see ``Scope``. Every call of an operator returns a new source.
    /// To compare the values, use ``hasSameValue(as:)``.
    public static func == (left: Source, right: Source) -> Bool { left.identity.id == right.identity.id }

    /// Hashes the identity of the source, which does not depend on its value.
    public func hash(into hasher: inout Hasher) { hasher.combine(identity.id) }
}

extension Source: Identifiable where Value: Identifiable {
    /// The `id` of the present value, tracked as every property is: see `subscript(_:)`. Which source it is, is
    /// compared by ``==(_:_:)``.
    public var id: Value.ID {
        isObservationTracked ? tracked(\.id) { $0.id == $1.id } : read().id
    }
}

extension Source where Value: Equatable {
    /// Whether the present values of two sources, which need not be the same source, are equal.
    public func hasSameValue(as other: Source) -> Bool { value == other.value }
}
