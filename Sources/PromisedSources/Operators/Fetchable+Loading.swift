extension Fetchable {
    /// A failure that nothing is done about yet.
    struct LastFailure {
        var error: any Error
        var failedAttempts: Int
        /// Fetches again.
        var again: Action<Void>?
    }

    /// The failure of the last fetch, or of the last refresh; nil while it is fetched again.
    var problem: LastFailure? {
        switch self {
        case .fetching: nil
        case .failure(let failure):
            LastFailure(error: failure.error, failedAttempts: failure.failedAttempts, again: failure.retry)
        case .fetched(let fetched):
            fetched.isRefreshing
                ? nil
                : fetched.refreshFailure.map {
                    LastFailure(error: $0.error, failedAttempts: $0.failedAttempts, again: fetched.refresh)
                }
        }
    }

    /// Whether a fetch is in flight.
    var isLoading: Bool {
        switch self {
        case .fetching: true
        case .fetched(let fetched): fetched.isRefreshing
        case .failure: false
        }
    }

    /// Whether the last fetch was a success.
    var isUpToDate: Bool { !isLoading && problem == nil }

    /// Whether this has a new value: by an answer, or by a change of the fetched value.
    ///
    /// - Parameter before: The model before; nil if it is unknown.
    func isNews(after before: Fetchable?) -> Bool {
        guard let fetched else { return false }
        // A value that is refreshed, or whose refresh has failed, is that of before, as far as is known.
        guard let before, fetched.revision != 0 else { return isUpToDate }
        return fetched.revision != before.fetched?.revision
    }

    /// The result of the last fetch.
    var result: Result<Value, any Error> {
        if let problem { return .failure(problem.error) }
        return fetched.map { .success($0.value) } ?? .failure(CancellationError())
    }

    /// Fetches once more.
    var again: Action<Void>? { fetched?.refresh ?? failure?.retry }
}
