/// What can be seen of a state, apart from the value: while it is equal, nothing is shown again.
struct FetchLook: Sendable, Equatable {
    enum Shown: Sendable, Equatable {
        case fetching(isPaused: Bool)
        case failure(FetchFailure)
        case fetched(isOdd: Bool, isRefreshing: Bool, FetchFailure?, changes: [Int])
    }

    let shown: Shown
    /// Whether the entry must be retained.
    let isKept: Bool

    init(_ state: FetchState<some Sendable>) {
        isKept = state.isUsed
        shown =
            if state.value != nil {
                .fetched(
                    isOdd: state.isOddValue, isRefreshing: state.isComing, state.failure,
                    changes: state.changes.map(\.number))
            } else if let failure = state.failure, !state.isComing {
                .failure(failure)
            } else {
                .fetching(isPaused: !state.isOnline && !state.isFetching)
            }
    }
}
