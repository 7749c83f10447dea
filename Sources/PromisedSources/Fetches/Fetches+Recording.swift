public import PromisedSystem

extension Fetches: Recordable {
    /// Has the value of each key recorded from now on: its requests with their calls, its changes, and its observers.
    ///
    /// Each key is a system of the recording, whose name is that of the fetches and the key; one that is used again after
    /// it was discarded has a number. Its states are of the type ``RecordedFetch``, and can be played back if the value
    /// is `Codable`. Its events are text, as some of them are functions.
    public func record(into sink: RecordingSink) {
        recordings.withLock { $0.append(sink) }
        for entry in paths.entries(under: []) { entry.record(into: sink) }
    }
}

extension FetchEntry {
    func record(into sink: RecordingSink) { sink.observe(system.explored, system.state.key) }
}

/// The state of one key of ``Fetches`` in a recording.
public struct RecordedFetch<Value: Sendable>: Sendable {
    /// The value that observers see, with the guesses of changes; nil if there is none.
    public let value: Value?
    /// When it was fetched, in the time of the scheduler; nil if there is none, or if it is stale.
    public let fetchedAt: Duration?
    /// The description of the error with which the last fetch has failed; nil if it has not.
    public let failure: String?
    /// How often it has failed in a row.
    public let failedAttempts: Int
    /// The number of observers, those included that have left and may come back.
    public let observers: Int
    /// Whether a fetch is in flight.
    public let isFetching: Bool
    /// Whether a fetch waits for changes or for the network.
    public let isWaiting: Bool
    /// The number of changes that the server has not answered.
    public let changes: Int

    init(_ state: FetchState<Value>) {
        (value, fetchedAt, failure) = (state.shown, state.fetchedAt, state.failure.map { "\($0.error)" })
        failedAttempts = state.failure?.failedAttempts ?? 0
        observers = state.observers.count + state.leaving.count
        (isFetching, isWaiting, changes) = (state.isFetching, state.wantsFetch, state.changes.count)
    }
}

extension RecordedFetch: Codable where Value: Codable {}
extension RecordedFetch: Equatable where Value: Equatable {}
extension RecordedFetch: Hashable where Value: Hashable {}

extension FetchState: StateWrapper {
    package static var wrappedType: Any.Type { RecordedFetch<Value>.self }
    package var wrappedState: Any { RecordedFetch(self) }
}
