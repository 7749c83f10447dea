extension Source: Hashable {
    /// Whether both are the same source: copies of one handle, or the same part of one system.
    ///
    /// Two expressions of one part are one source: see ``Scope``. The result of an operator is a source of its own. For
    /// the values, see ``hasSameValue(as:)``.
    public static func == (left: Source, right: Source) -> Bool { left.id == right.id }

    /// Hashes what makes it the same source, which does not change with its value.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Source: Identifiable {
    /// What makes it the same source; see ``==(_:_:)``.
    public struct ID: Hashable, Sendable {
        private let root: SourceRoot
        private let key: PartKey

        fileprivate init(_ identity: SourceIdentity<Value>) { (root, key) = (identity.root, identity.key) }

        /// Whether both are of the same source.
        public static func == (left: ID, right: ID) -> Bool {
            left.root === right.root && left.key == right.key
        }

        /// Hashes what makes it the same source.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(root))
            hasher.combine(key)
        }
    }

    /// The same for two expressions of one source, and does not change with its value.
    ///
    /// It is that of the source: for an `id` of the value, write `source.value.id`.
    public var id: ID { ID(identity) }
}

extension Source where Value: Equatable {
    /// Whether the present values are equal; the sources may be different ones.
    public func hasSameValue(as other: Source) -> Bool { value == other.value }
}
