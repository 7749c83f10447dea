internal import Promise
public import PromisedSystem

extension Source {
    /// Fetches two values together: there is a pair when both were fetched.
    ///
    /// ```swift
    /// import PromisedSources
    ///
    /// let name = Source<Fetchable<String>>.fetching(on: .immediate) { Promise.value("Ada") }
    /// let age = Source<Fetchable<Int>>.fetching(on: .immediate) { Promise.value(36) }
    /// print(name.combinedFetch(with: age).value.fetched.map { "\($0.value)" } ?? "…")
    /// ```
    ///
    /// It is being fetched while one of them is, and has failed if one of them has, with the error of the first. A
    /// refresh refreshes both, as far as they can be, and publishes one pair when both are back. A change while it
    /// is refreshed is shown at once. A retry retries what
    /// has failed.
    ///
    /// - Parameter other: The source of the second value.
    public func combinedFetch<First: Sendable, Second: Sendable>(
        with other: Source<Fetchable<Second>>
    ) -> Source<Fetchable<(First, Second)>> where Value == Fetchable<First> {
        MachineSource(CombineMachine<First, Second>(scheduler: .immediate)) { send in
            [subscribe { send(.left($0)) }, other.subscribe { send(.right($0)) }]
        }.eraseToSource()
    }
}

struct CombineMachine<Left: Sendable, Right: Sendable>: SourceMachine {
    struct CombineState: Sendable {
        var left: Fetchable<Left>?
        var right: Fetchable<Right>?
        /// The pair that is shown.
        var shownLeft: Left?
        var shownRight: Right?
        /// Whether the left one was asked to refresh, and has not come back.
        var awaitsLeft = false
        var awaitsRight = false
    }

    enum CombineEvent: Sendable {
        case left(Fetchable<Left>)
        case right(Fetchable<Right>)
        case load, declined(Int)
    }

    let scheduler: any SerialScheduler

    var initialState: CombineState { CombineState() }
    var load: CombineEvent? { .load }

    func declined(_ call: Int) -> CombineEvent? { .declined(call) }

    func reduce(_ state: inout CombineState, _ event: CombineEvent) -> Reaction {
        switch event {
        case .left(let left):
            let isChanged = left.isLoading && left.isNews(after: state.left)
            state.left = left
            if isChanged, state.shownLeft != nil { state.shownLeft = left.fetched?.value }
            if !left.isLoading { state.awaitsLeft = false }
        case .right(let right):
            let isChanged = right.isLoading && right.isNews(after: state.right)
            state.right = right
            if isChanged, state.shownRight != nil { state.shownRight = right.fetched?.value }
            if !right.isLoading { state.awaitsRight = false }
        case .declined(let call):
            if call == 0 { state.awaitsLeft = false } else { state.awaitsRight = false }
        case .load: return load(&state)
        }
        if !state.areFetched {
            (state.shownLeft, state.shownRight) = (nil, nil)
        } else if !state.isRefreshing || state.shownLeft == nil {
            (state.shownLeft, state.shownRight) = (state.left?.fetched?.value, state.right?.fetched?.value)
        }
        return .show
    }

    private func load(_ state: inout CombineState) -> Reaction {
        guard state.areFetched else { return .call(state.left?.failure?.retry, state.right?.failure?.retry) }
        // A second refresh would begin with the one that is back already, and the pair would be of two refreshes.
        guard !state.isRefreshing else { return .stay }
        let (left, right) = (state.left?.fetched?.refresh, state.right?.fetched?.refresh)
        // An action that belongs to no source is not answered.
        state.awaitsLeft = left?.isOfSource == true
        state.awaitsRight = right?.isOfSource == true
        return .call(left, right, isShown: true)
    }

    func model(of state: CombineState, _ source: MachineSource<Self>) -> Fetchable<(Left, Right)> {
        if let left = state.shownLeft, let right = state.shownRight {
            let canRefresh = state.left?.fetched?.refresh != nil || state.right?.fetched?.refresh != nil
            return .fetched(
                .init(
                    (left, right), isRefreshing: state.isRefreshing,
                    refreshFailure: state.left?.refreshFailure
                        ?? state.right?.refreshFailure,
                    refresh: canRefresh ? source.refresh() : nil
                ).of(revision: state.revision))
        }
        let failures = [state.left?.failureParts, state.right?.failureParts].compactMap { $0 }
        guard let first = failures.first, state.left?.isFetching == false, state.right?.isFetching == false
        else {
            return .fetching(.init(progress: state.progress))
        }
        return .failure(
            .init(
                first.error, failedAttempts: failures.map { $0.attempts }.max() ?? 1,
                retry: failures.contains { $0.canRetry } ? source.retry() : nil))
    }
}

extension CombineMachine.CombineState: Equatable, Hashable where Left: Hashable, Right: Hashable {}
extension CombineMachine.CombineEvent: Equatable, Hashable where Left: Hashable, Right: Hashable {}
