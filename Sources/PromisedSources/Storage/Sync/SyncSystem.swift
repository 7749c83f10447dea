internal import Promise
internal import PromisedSystem

/// The operations of the storage here for a system that syncs.
struct SyncedLocal<Value: Versioned>: Sendable {
    /// Stores a value, or removes it if nil, if the value here still has that revision, as one step.
    let store: @Sendable (_ value: Value?, _ revision: Int) -> Void
    /// Stores the known state of the server, before the next request.
    let note: @Sendable (_ record: SyncRecord<Value>?) -> Void
    /// Writes the value here, before the server is asked to delete its value. Throws an error if it can't be written.
    let write: @Sendable () throws -> Void
}

/// Creates the system that syncs a value.
///
/// - Parameters:
///   - inputs: Sends `activated` and `localChanged`.
///   - pause: How long it waits after a failure.
func syncSystem<Value: Versioned>(
    _ state: SyncState<Value>, on scheduler: any SerialScheduler, with remote: RemoteStorage<Value>,
    _ local: SyncedLocal<Value>, pause: Duration, inputs: [Feedback<SyncState<Value>, SyncEvent<Value>>] = []
) -> System<SyncState<Value>, SyncEvent<Value>> {
    typealias State = SyncState<Value>
    typealias Event = SyncEvent<Value>
    let requests = Feedback<State, Event>.latest(
        state: { state in state.request.map { ($0, state.isSecond) } },
        // One request differs from the next in this alone.
        equals: { $0?.1 == $1?.1 },
        effects: { request, _ in
            remote.send(request, local.write).mapErrorRecover { .failed(SyncFailure(error: $0)) }
        })
    let arrivals = Feedback<State, Event>.latest(
        state: { $0.arrival },
        equals: { ($0 == nil) == ($1 == nil) && $0?.over == $1?.over && $0?.isSecond == $1?.isSecond },
        effects: { arrival in Effect<Event>.fireAndForget { local.store(arrival.value, arrival.over) } })
    let records = Feedback<State, Event>.latest(
        state: { Optional.some($0.record) }, equals: { SyncRecord.isSame($0 ?? nil, $1 ?? nil) },
        effects: { record in Effect<Event>.fireAndForget { local.note(record) } })
    let waiting = Feedback<State, Event>.latest(state: { $0.isWaiting ? true : nil }) { _ in
        Promise<Event>.value(.waited).delay(pause)
    }
    return System(
        initialState: state, scheduler: scheduler, reducer: Reducer { $0.handle($1) },
        feedbacks: inputs + [records, arrivals, requests, waiting])
}

extension RemoteStorage {
    fileprivate func send(
        _ request: SyncState<Value>.Request, _ write: @escaping @Sendable () throws -> Void
    ) -> Promise<SyncEvent<Value>> {
        switch request {
        case .get: get().map { .got($0) }
        case .create(let value): create(value).map { .done }
        case .update(let value, let old): update(value, old).map { .done }
        case .delete(let value):
            Promise { resolver in
                try write()
                resolver.fulfill(())
            }.flatMap { delete(value) }.map { .done }
        }
    }
}
