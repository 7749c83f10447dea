internal import Promise

/// A request that is to run. It is the same one for as long as it is equal.
struct FetchStart<Value: Sendable>: Sendable, Equatable {
    private let request: EntryRequest
    /// The last value of the server.
    private let value: Value?
    /// The change to send; nil for a fetch.
    private let change: FetchChange<Value>?

    init?(_ state: FetchState<Value>) {
        guard let running = state.running else { return nil }
        (request, value) = (running, state.value)
        change = state.isFetching ? nil : state.changes.first
    }

    static func == (left: FetchStart, right: FetchStart) -> Bool { left.request == right.request }

    func promise<Key: FetchKey>(
        _ key: Key, _ client: Key.Client, _ scheduler: any SerialScheduler, _ gate: OnlineGate?
    ) -> Promise<FetchEvent<Value>> where Key.Value == Value {
        if let change { return send(change, scheduler) }
        // Not `map`: an interim value is no answer.
        let request = value == nil ? key.fetch(from: client) : key.refresh(value, from: client)
        return key.limited(request, on: scheduler, gate)
            .flatMap { .value(.fetched($0, now: scheduler.now)) }
            .mapErrorRecover { .fetchFailed(FetchFailure($0), now: scheduler.now) }
    }

    private func send(
        _ change: FetchChange<Value>, _ scheduler: any SerialScheduler
    ) -> Promise<FetchEvent<Value>> {
        change.send(value)
            .flatMap { .value(.changed($0, now: scheduler.now, change)) }
            .mapErrorRecover { .changeFailed(FetchFailure($0), change) }
    }
}
