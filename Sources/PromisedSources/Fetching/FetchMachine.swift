internal import Promise
internal import PromisedSystem

/// Fetches a value when it starts, and again when asked to; one request at a time.
struct FetchMachine<Value: Sendable>: SourceMachine {
    struct LoadState: Sendable {
        /// The value that was fetched last.
        var value: Value?
        /// The failure since then, if there was one.
        var failure: FetchFailure?
        var isLoading = false
        var progress: FetchProgress?
    }

    enum LoadEvent: Sendable {
        case load
        case progressed(FetchProgress)
        case loaded(Value)
        case failed(FetchError)
    }

    let scheduler: any SerialScheduler
    let fetch: @Sendable (FetchRequest<Value>) -> Promise<Value>

    var initialState: LoadState { LoadState() }
    var load: LoadEvent? { .load }

    var feedbacks: [Feedback<MachineState<LoadState>, LoadEvent>] {
        // The value is not compared: there is one request while it loads.
        [
            .latest(
                state: { state -> LoadRequest? in
                    state.content.isLoading ? LoadRequest(previous: state.content.value) : nil
                },
                equals: { ($0 == nil) == ($1 == nil) }
            ) { [fetch] request in
                Effect<LoadEvent> { effect in
                    let request = FetchRequest(previous: request.previous) { effect.send(.progressed($0)) }
                    effect.run(
                        fetch(request).map(LoadEvent.loaded).mapErrorRecover {
                            .failed(FetchError(error: $0))
                        })
                }
            }
        ]
    }

    private struct LoadRequest: Sendable { let previous: Value? }

    func reduce(_ state: inout LoadState, _ event: LoadEvent) -> Reaction {
        switch event {
        case .load:
            // Not a second request: this one is looked at only now, and several may have been sent before.
            guard !state.isLoading else { return .stay }
            (state.isLoading, state.progress) = (true, nil)
        case .progressed(let progress): state.progress = progress
        case .loaded(let value): state = LoadState(value: value, isLoading: false)
        case .failed(let failed):
            let attempts = (state.failure?.failedAttempts ?? 0) + 1
            state.failure = .init(failed.error, failedAttempts: attempts)
            (state.isLoading, state.progress) = (false, nil)
        }
        return .show
    }

    func model(of state: LoadState, _ source: MachineSource<Self>) -> Fetchable<Value> {
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

extension FetchMachine.LoadState: Equatable, Hashable where Value: Hashable {}
extension FetchMachine.LoadEvent: Equatable, Hashable where Value: Hashable {}
