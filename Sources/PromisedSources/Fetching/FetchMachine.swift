internal import Promise
internal import PromisedSystem

/// Fetches a value when it starts, and again when asked to; one request at a time.
struct FetchMachine<Value: Sendable>: SourceMachine {
    struct State: Sendable {
        /// The value that was fetched last.
        var value: Value?
        /// The failure since then, if there was one.
        var failure: FetchFailure?
        var isLoading = false
        var progress: FetchProgress?
    }

    enum Event: Sendable {
        case load
        case progressed(FetchProgress)
        case loaded(Value)
        case failed(FetchError)
    }

    let scheduler: any SerialScheduler
    let fetch: @Sendable (FetchRequest<Value>) -> Promise<Value>

    var initialState: State { State() }
    var load: Event? { .load }

    var feedbacks: [Feedback<MachineState<State>, Event>] {
        // The value is not compared: there is one request while it loads.
        [
            .latest(
                state: { state -> Request? in
                    state.content.isLoading ? Request(previous: state.content.value) : nil
                },
                equals: { ($0 == nil) == ($1 == nil) }
            ) { [fetch] request in
                Effect<Event> { effect in
                    let request = FetchRequest(previous: request.previous) { effect.send(.progressed($0)) }
                    effect.run(
                        fetch(request).map(Event.loaded).mapErrorRecover { .failed(FetchError(error: $0)) })
                }
            }
        ]
    }

    private struct Request: Sendable { let previous: Value? }

    func reduce(_ state: inout State, _ event: Event) -> Reaction {
        switch event {
        case .load:
            // Not a second request: this one is looked at only now, and several may have been sent before.
            guard !state.isLoading else { return .stay }
            (state.isLoading, state.progress) = (true, nil)
        case .progressed(let progress): state.progress = progress
        case .loaded(let value): state = State(value: value, isLoading: false)
        case .failed(let failed):
            let attempts = (state.failure?.failedAttempts ?? 0) + 1
            state.failure = .init(failed.error, failedAttempts: attempts)
            (state.isLoading, state.progress) = (false, nil)
        }
        return .show
    }

    func model(of state: State, _ source: MachineSource<Self>) -> Fetchable<Value> {
        if let value = state.value {
            return .fetched(
                .init(
                    value, isRefreshing: state.isLoading, refreshFailure: state.failure,
                    refresh: source.refresh()))
        }
        if let failure = state.failure, !state.isLoading {
            return .failure(
                .init(failure.error, failedAttempts: failure.failedAttempts, retry: source.retry()))
        }
        return .fetching(.init(progress: state.progress))
    }
}

/// An error, equal to another one of the same text.
struct FetchError: Sendable, Hashable {
    let error: any Error

    static func == (left: Self, right: Self) -> Bool { "\(left.error)" == "\(right.error)" }
    func hash(into hasher: inout Hasher) { hasher.combine("\(error)") }
}

extension FetchMachine.State: Equatable, Hashable where Value: Hashable {}
extension FetchMachine.Event: Equatable, Hashable where Value: Hashable {}
