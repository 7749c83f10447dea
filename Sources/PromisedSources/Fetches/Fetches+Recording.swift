public import PromisedSystem

extension Fetches: Recordable {
    /// Has the value of each key recorded from now on: its requests with their calls, its changes, and its observers.
    ///
    /// Each key is a system of the recording, whose name is that of the fetches and the key; one that is used again after
    /// it was discarded has a number. Its states are of the type ``RecordedFetch``: if the value is `Codable`, they can be
    /// played back, and the key be run again, see ``replayed(_:)``.
    public func record(into sink: RecordingSink) {
        recordings.withLock { $0.append(sink) }
        for entry in paths.entries(under: []) { entry.record(into: sink) }
    }

    /// The value of a key, to be run again from a recording of it:
    ///
    /// ```swift
    /// import PromisedRecording
    /// import PromisedSources
    ///
    /// struct Rates: Sendable { var rate = Endpoint<String, Double>("rate") { _ in .value(1.1) } }
    ///
    /// struct RateKey: FetchKey {
    ///     let name: String
    ///     func fetch(from rates: Rates) -> Promise<Double> { rates.rate(name) }
    /// }
    ///
    /// func check(_ recording: Recording) throws {
    ///     let name = #"rates RateKey(name: "eur")"#
    ///     let result = try recording.run(RecordedFetch<Double>.self, as: name) { start in
    ///         Fetches(from: Rates(), on: start.scheduler).replayed(RateKey(name: "eur"))
    ///     }
    ///     print(result)
    /// }
    /// ```
    ///
    /// Observers that come and go, fetches, and values that were set are repeated. A change is a function, which a
    /// recording does not have: it ends the run with a difference. So does a time limit that has waited for the network.
    public func replayed<Key: FetchKey>(_ key: Key) -> ReplayedSystem where Key.Client == Client {
        let (entry, scheduler) = (entry(key), scheduler)
        // The entry is retained by what it is asked for.
        return ReplayedSystem(entry.system) { event in withExtendedLifetime(entry) { event.at(scheduler.now) }
        }
    }
}

extension FetchEntry {
    func record(into sink: RecordingSink) { sink.observe(system.explored, system.state.key) }
}

/// The state of one key of ``Fetches`` in a recording.
public struct RecordedFetch<Value: Sendable>: Sendable {
    /// The value that observers see, with the guesses of changes; nil if there is none.
    public let value: Value?
    /// Whether it is to be fetched again for the next observer, however old it is.
    public let isInvalidated: Bool
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
        (value, failure) = (state.shown, state.failure.map { "\($0.error)" })
        isInvalidated = state.value != nil && state.fetchedAt == nil
        failedAttempts = state.failure?.failedAttempts ?? 0
        observers = state.observers.count + state.leaving.count
        (isFetching, isWaiting, changes) = (state.isFetching, state.wantsFetch, state.changes.count)
    }
}

extension RecordedFetch: Codable where Value: Codable {}
extension RecordedFetch: StateOfEvents where Value: Codable {
    package static var eventType: any (Decodable & Sendable).Type { FetchEvent<Value>.self }
}

extension RecordedFetch: Equatable where Value: Equatable {}
extension RecordedFetch: Hashable where Value: Hashable {}

extension FetchState: StateWrapper {
    package static var wrappedType: Any.Type { RecordedFetch<Value>.self }
    package var wrappedState: Any { RecordedFetch(self) }
}
