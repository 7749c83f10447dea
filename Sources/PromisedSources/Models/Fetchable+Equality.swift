// Actions make no difference. Errors are equal if their texts are.

extension Fetchable.Fetched: Equatable where Value: Equatable {
    /// Compares all but the action.
    public static func == (left: Self, right: Self) -> Bool {
        left.value == right.value && left.isRefreshing == right.isRefreshing
            && left.refreshFailure == right.refreshFailure
    }
}

extension Fetchable.Fetched: Hashable where Value: Hashable {
    /// Hashes all but the action.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(value)
        hasher.combine(isRefreshing)
        hasher.combine(refreshFailure)
    }
}

extension Fetchable.Failure: Equatable, Hashable {
    /// Compares the number of attempts and the texts of the errors.
    public static func == (left: Self, right: Self) -> Bool {
        left.failedAttempts == right.failedAttempts && "\(left.error)" == "\(right.error)"
    }

    /// Hashes the number of attempts and the text of the error.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(failedAttempts)
        hasher.combine("\(error)")
    }
}
