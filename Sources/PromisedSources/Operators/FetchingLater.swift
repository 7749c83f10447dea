internal import Promise
public import PromisedSystem

extension Source {
    /// Waits before the fetch is started, for one that is likely to be replaced by another one soon.
    ///
    /// ```swift
    /// import PromisedSources
    ///
    /// let found = Source<Fetchable<Int>>.fetching(on: .immediate) { Promise.value(3) }
    ///     .fetchAfterDelay(of: .milliseconds(300), on: .immediate)
    /// print(found.value.fetching != nil)
    /// ```
    ///
    /// It shows that something is fetched from the first read on. The source is neither read nor subscribed to before
    /// the delay is over, and never if the result is released before that.
    ///
    /// - Parameters:
    ///   - delay: The time from the first read or subscription to the start of the fetch.
    ///   - scheduler: Measures the time, and is where the values are delivered: that of the fetch, as a rule.
    public func fetchAfterDelay<Fetched: Sendable>(
        of delay: Duration, on scheduler: any SerialScheduler
    ) -> Source where Value == Fetchable<Fetched> {
        let input = MachineInput(self)
        let machine = DelayMachine(source: input.reference, delay: delay, scheduler: scheduler)
        return MachineSource(machine) { [input] send in
            withExtendedLifetime(input) { send(.wait) }
            return []
        }.eraseToSource()
    }
}

struct DelayMachine<Value: Sendable>: SourceMachine {
    struct DelayState: Sendable {
        var isWaiting = false
        var hasBegun = false
        var input: Fetchable<Value>?
    }

    enum DelayEvent: Sendable {
        case wait, begin
        case input(Fetchable<Value>)
    }

    let source: MachineInput<Fetchable<Value>>.WeakInput
    let delay: Duration
    let scheduler: any SerialScheduler

    var initialState: DelayState { DelayState() }

    var feedbacks: [Feedback<MachineState<DelayState>, DelayEvent>] {
        [
            .timer({ [delay] in $0.content.isWaiting ? delay : nil }, .begin),
            .reading(source, while: { $0.content.hasBegun }, DelayEvent.input),
        ]
    }

    func reduce(_ state: inout DelayState, _ event: DelayEvent) -> Reaction {
        switch event {
        case .wait:
            state.isWaiting = true
            return .show
        case .begin:
            (state.isWaiting, state.hasBegun) = (false, true)
            return .stay
        case .input(let input):
            defer { state.input = input }
            // That it is being fetched is shown already.
            return state.input == nil && input.fetching == Fetchable.Fetching() ? .stay : .show
        }
    }

    func model(of state: DelayState, _: MachineSource<Self>) -> Fetchable<Value> {
        state.input ?? .fetching(.init())
    }
}

extension DelayMachine.DelayState: Equatable, Hashable where Value: Hashable {}
extension DelayMachine.DelayEvent: Equatable, Hashable where Value: Hashable {}
