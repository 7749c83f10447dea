internal import Promise
public import PromisedSystem

extension Source {
    /// Refreshes the value again and again, for as long as there is one.
    ///
    /// ```swift
    /// import PromisedSources
    ///
    /// let price = Source<Fetchable<Int>>.fetching(on: .immediate) { Promise.value(3) }
    ///     .refreshing(every: .seconds(60), on: .immediate)
    /// print(price.value.fetched?.value ?? 0)
    /// ```
    ///
    /// The period begins when a value has been fetched, or a refresh has failed. It ends when the source is released.
    ///
    /// - Parameters:
    ///   - period: The time between a refresh and the next one.
    ///   - scheduler: Measures the time, and is where the values are delivered: that of the fetch, as a rule.
    public func refreshing<Fetched: Sendable>(
        every period: Duration, on scheduler: any SerialScheduler
    ) -> Source where Value == Fetchable<Fetched> {
        MachineSource(RefreshMachine<Fetched>(period: period, scheduler: scheduler)) { send in
            [subscribe { send(.input($0)) }]
        }.eraseToSource()
    }
}

struct RefreshMachine<Value: Sendable>: SourceMachine {
    struct RefreshState: Sendable {
        var input: Fetchable<Value>?
        /// Whether the period is over, and the refresh has not begun.
        var isDue = false
    }

    enum RefreshEvent: Sendable {
        case input(Fetchable<Value>)
        case tick
    }

    let period: Duration
    let scheduler: any SerialScheduler

    var initialState: RefreshState { RefreshState() }

    var feedbacks: [Feedback<MachineState<RefreshState>, RefreshEvent>] {
        [
            .timer(
                { [period] state in
                    let fetched = state.content.input?.fetched
                    let canRefresh = fetched?.refresh != nil && fetched?.isRefreshing == false
                    return canRefresh && !state.content.isDue ? period : nil
                }, .tick)
        ]
    }

    func reduce(_ state: inout RefreshState, _ event: RefreshEvent) -> Reaction {
        switch event {
        case .input(let input):
            state = RefreshState(input: input)
            return .show
        case .tick:
            state.isDue = true
            return .call(state.input?.fetched?.refresh)
        }
    }

    func model(of state: RefreshState, _: MachineSource<Self>) -> Fetchable<Value> {
        state.input ?? .fetching(.init())
    }
}

extension RefreshMachine.RefreshState: Equatable, Hashable where Value: Hashable {}
extension RefreshMachine.RefreshEvent: Equatable, Hashable where Value: Hashable {}
