extension Source: Hashable {
    /// Whether both are the same source: copies of one handle, or the same part of one system.
    ///
    /// Two expressions of one part are the same source: see ``Scope``. Every call of an operator returns a new source.
    /// To compare the values, use ``hasSameValue(as:)``.
    public static func == (left: Source, right: Source) -> Bool { left.id == right.id }

    /// Hashes the identity of the source, which does not depend on its value.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Source: Identifiable {
    /// The identity of a source; see ``==(_:_:)``.
    public struct ID: Hashable, Sendable {
        private let root: SourceRoot
        private let key: PartKey

        fileprivate init(_ identity: SourceIdentity<Value>) { (root, key) = (identity.root, identity.key) }

        /// Whether both identify the same source.
        public static func == (left: ID, right: ID) -> Bool {
            left.root === right.root && left.key == right.key
        }

        /// Hashes the root and the part that identify the source.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(root))
            hasher.combine(key)
        }
    }

    /// The identity of the source, equal for two expressions of one source and independent of its value.
    ///
    /// This is not the `id` of the value: for that, write `source.value.id`.
    public var id: ID { ID(identity) }
}

extension Source where Value: Equatable {
    /// Whether the present values of two sources, which need not be the same source, are equal.
    public func hasSameValue(as other: Source) -> Bool { value == other.value }
}
