internal import Promise
public import PromisedSystem

extension Source {
    /// Fetches again by itself after a failure.
    ///
    /// ```swift
    /// import PromisedSources
    ///
    /// let quote = Source<Fetchable<String>>.fetching(on: .immediate) { Promise.value("Less is more.") }
    ///     .retrying(.interval(.seconds(1)), forwardErrorAfter: .attempts(2), on: .immediate)
    /// print(quote.value.fetched?.value ?? "…")
    /// ```
    ///
    /// A failure is hidden until `forwardErrorAfter` says that it is to be shown: meanwhile, the model is that of a
    /// value being fetched. Retrying continues after that, and begins from the start after a success. The failure of a
    /// refresh is retried and hidden in the same way, beside its value.
    ///
    /// - Parameters:
    ///   - strategy: How long to wait before each retry, and how many there are.
    ///   - forwardErrorAfter: When a failure is shown. One that no retry follows is shown in any case.
    ///   - scheduler: Measures the time, and is where the values are delivered: that of the fetch, as a rule.
    public func retrying<Fetched: Sendable>(
        _ strategy: RetryStrategy, forwardErrorAfter: ForwardErrorAfter = .immediately,
        on scheduler: any SerialScheduler
    ) -> Source where Value == Fetchable<Fetched> {
        MachineSource(
            RetryMachine<Fetched>(strategy: strategy, forwarding: forwardErrorAfter, scheduler: scheduler)
        ) { send in [subscribe { send(.input($0)) }] }.eraseToSource()
    }
}

struct RetryMachine<Value: Sendable>: SourceMachine {
    struct RetryState: Sendable {
        var input: Fetchable<Value>?
        /// The failures since the last success.
        var failures = 0
        /// The time until the next retry, while it is waited for.
        var delay: Duration?
        /// Whether no retry follows the last failure.
        var isLast = false
        var isTimeUp = false
    }

    enum RetryEvent: Sendable {
        case input(Fetchable<Value>)
        case retry, timeUp
    }

    let strategy: RetryStrategy
    let forwarding: ForwardErrorAfter
    let scheduler: any SerialScheduler

    var initialState: RetryState { RetryState() }

    var feedbacks: [Feedback<MachineState<RetryState>, RetryEvent>] {
        let limit = forwarding.time
        return [
            .timer({ $0.content.delay }, .retry),
            .timer({ $0.content.failures > 0 && !$0.content.isTimeUp ? limit : nil }, .timeUp),
        ]
    }

    func reduce(_ state: inout RetryState, _ event: RetryEvent) -> Reaction {
        let wasHidden = isHidden(state)
        switch event {
        case .timeUp:
            state.isTimeUp = true
            return wasHidden ? .show : .stay
        case .retry:
            state.delay = nil
            return .call(state.input?.problem?.again)
        case .input(let input):
            let before = state.input
            receive(input, &state)
            // A failure is replaced by the model before it.
            let isSame =
                isHidden(state)
                ? before?.isLoading ?? false : wasHidden && input.isLoading && input.fetching?.progress == nil
            return isSame ? .stay : .show
        }
    }

    private func receive(_ input: Fetchable<Value>, _ state: inout RetryState) {
        let before = state.input?.problem
        state.input = input
        guard let problem = input.problem else {
            state.delay = nil
            if !input.isLoading { (state.failures, state.isTimeUp, state.isLast) = (0, false, false) }
            return
        }
        // The same failure may be published more than once.
        if before?.failedAttempts == problem.failedAttempts { return }
        state.failures += 1
        state.delay = problem.again == nil ? nil : strategy.delay(beforeRetry: state.failures)
        state.isLast = state.delay == nil
    }

    private func isHidden(_ state: RetryState) -> Bool {
        state.input?.problem != nil && !state.isLast && !state.isTimeUp
            && !forwarding.isReached(retries: state.failures - 1)
    }

    func model(of state: RetryState, _: MachineSource<Self>) -> Fetchable<Value> {
        guard let input = state.input else { return .fetching(.init()) }
        guard isHidden(state) else { return input }
        guard case .fetched(var fetched) = input else { return .fetching(.init()) }
        (fetched.isRefreshing, fetched.refreshFailure) = (true, nil)
        return .fetched(fetched)
    }
}

extension RetryMachine.RetryState: Equatable, Hashable where Value: Hashable {}
extension RetryMachine.RetryEvent: Equatable, Hashable where Value: Hashable {}
