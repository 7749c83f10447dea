extension Source: Hashable {
    /// Whether both are the same source: copies of one handle, or the same property of one system.
    ///
    /// The result of an operator is a source of its own. For the values, see ``hasSameValue(as:)``.
    public static func == (left: Source, right: Source) -> Bool { left.identity === right.identity }

    /// Hashes what makes it the same source, which does not change with its value.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}

extension Source where Value: Equatable {
    /// Whether the present values are equal; the sources may be different ones.
    public func hasSameValue(as other: Source) -> Bool { value == other.value }
}
