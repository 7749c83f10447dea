// Actions make no difference. Errors are equal if their texts are.

extension Persistable.Found: Equatable where Value: Equatable {
    /// Compares all but the actions.
    public static func == (left: Self, right: Self) -> Bool {
        left.value == right.value && left.isExpired == right.isExpired
            && left.error.map { "\($0)" } == right.error.map { "\($0)" }
    }
}

extension Persistable.Found: Hashable where Value: Hashable {
    /// Hashes all but the actions.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(value)
        hasher.combine(isExpired)
        hasher.combine(error.map { "\($0)" })
    }
}

extension Persistable.NotFound: Equatable, Hashable {
    /// Compares the texts of the errors.
    public static func == (left: Self, right: Self) -> Bool {
        left.error.map { "\($0)" } == right.error.map { "\($0)" }
    }

    /// Hashes the text of the error.
    public func hash(into hasher: inout Hasher) { hasher.combine(error.map { "\($0)" }) }
}
