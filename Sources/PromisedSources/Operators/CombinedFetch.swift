internal import Promise
public import PromisedSystem

extension Source {
    /// Fetches two values together: there is a pair when both are there.
    ///
    /// ```swift
    /// import PromisedSources
    ///
    /// let name = Source<Fetchable<String>>.fetching(on: .immediate) { Promise.value("Ada") }
    /// let age = Source<Fetchable<Int>>.fetching(on: .immediate) { Promise.value(36) }
    /// print(name.combinedFetch(with: age).value.fetched.map { "\($0.value)" } ?? "…")
    /// ```
    ///
    /// It is being fetched while one of them is, and has failed if one of them has, with the error of the first. A refresh
    /// refreshes both, as far as they can be, and publishes one pair when both are back. A retry retries what has failed.
    ///
    /// - Parameter other: The source of the second value. Use one scheduler for both: if their fetches run on two, the
    ///   answer of one may come before the other is known to be refreshing, and is then shown in a pair with the old one.
    public func combinedFetch<First: Sendable, Second: Sendable>(
        with other: Source<Fetchable<Second>>
    ) -> Source<Fetchable<(First, Second)>> where Value == Fetchable<First> {
        MachineSource(CombineMachine(left: self, right: other)).eraseToSource()
    }
}

struct CombineMachine<Left: Sendable, Right: Sendable>: SourceMachine {
    struct State: Sendable {
        var left: Fetchable<Left>?
        var right: Fetchable<Right>?
        /// The pair that is shown.
        var shownLeft: Left?
        var shownRight: Right?
        /// Whether the refresh of both has been asked for, and is known to have begun in one of them at most.
        var isCalling = false
    }

    enum Event: Sendable {
        case left(Fetchable<Left>)
        case right(Fetchable<Right>)
        case load, called
    }

    let left: Source<Fetchable<Left>>
    let right: Source<Fetchable<Right>>
    let scheduler: any SerialScheduler

    init(
        left: Source<Fetchable<Left>>, right: Source<Fetchable<Right>>,
        scheduler: any SerialScheduler = .immediate
    ) { (self.left, self.right, self.scheduler) = (left, right, scheduler) }

    var initialState: State { State() }
    var load: Event? { .load }
    var called: Event? { .called }

    func connect(_ send: @escaping @Sendable (Event) -> Void) -> [SubscriptionToken] {
        [left.subscribe { send(.left($0)) }, right.subscribe { send(.right($0)) }]
    }

    func reduce(_ state: inout State, _ event: Event) -> Reaction {
        switch event {
        case .left(let left): state.left = left
        case .right(let right): state.right = right
        case .called: state.isCalling = false
        case .load:
            let calls =
                state.areFetched
                ? [state.left?.fetched?.refresh, state.right?.fetched?.refresh]
                : [state.left?.failure?.retry, state.right?.failure?.retry]
            let reaction = Reaction(calls: calls.compactMap { $0 }, isShown: false)
            state.isCalling = !reaction.calls.isEmpty
            return reaction
        }
        if !state.areFetched {
            (state.shownLeft, state.shownRight) = (nil, nil)
        } else if !state.isRefreshing || state.shownLeft == nil {
            (state.shownLeft, state.shownRight) = (state.left?.fetched?.value, state.right?.fetched?.value)
        } else if case .called = event {
            return .stay
        }
        return state.isCalling ? .stay : .show
    }

    func model(of state: State, _ source: MachineSource<Self>) -> Fetchable<(Left, Right)> {
        if let left = state.shownLeft, let right = state.shownRight {
            let canRefresh = state.left?.fetched?.refresh != nil || state.right?.fetched?.refresh != nil
            return .fetched(
                .init(
                    (left, right), isRefreshing: state.isRefreshing,
                    refreshFailure: state.left?.refreshFailure?.asFailure() ?? state.right?.refreshFailure?.asFailure(),
                    refresh: canRefresh ? source.refresh() : nil))
        }
        let failures = [state.left?.failureParts, state.right?.failureParts].compactMap { $0 }
        guard let first = failures.first, state.left?.isFetching == false, state.right?.isFetching == false else {
            return .fetching(.init(progress: state.progress))
        }
        return .failure(
            .init(
                first.error, failedAttempts: failures.map(\.attempts).max() ?? 1,
                retry: failures.contains { $0.canRetry } ? source.retry() : nil))
    }
}

extension CombineMachine.State: Equatable, Hashable where Left: Hashable, Right: Hashable {}
extension CombineMachine.Event: Equatable, Hashable where Left: Hashable, Right: Hashable {}
