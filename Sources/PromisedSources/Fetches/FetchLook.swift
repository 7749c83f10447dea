/// The visible part of a state, apart from the value: while it is equal, nothing is shown again.
struct FetchLook: Sendable, Equatable {
    enum VisibleCase: Sendable, Equatable {
        case fetching(isPaused: Bool)
        case failure(FetchFailure)
        case fetched(isRefreshing: Bool, FetchFailure?)
    }

    /// The parts of the value, which may be of a type that can't be compared.
    struct ValueContent: Sendable, Equatable {
        let isOdd: Bool
        let changes: [Int]
    }

    let shown: VisibleCase
    let content: ValueContent
    /// Whether the entry must be retained.
    let isKept: Bool

    private let isStale: Bool

    init(_ state: FetchState<some Sendable>) {
        (isKept, isStale) = (state.isUsed, state.value != nil && state.fetchedAt == nil)
        content = ValueContent(isOdd: state.isOddValue, changes: state.changes.map { $0.number })
        shown =
            if state.value != nil {
                .fetched(isRefreshing: state.isComing, state.failure)
            } else if let failure = state.failure, !state.isComing {
                .failure(failure)
            } else {
                .fetching(isPaused: !state.canStart && !state.isFetching)
            }
    }

    /// Whether the value of the server differs from the one before, or has become stale.
    func isToBeStored(after before: FetchLook) -> Bool {
        content.isOdd != before.content.isOdd || isStale && !before.isStale
    }
}
