public import PromisedSystem

/// Records the values of a source, each with its instant in virtual time.
///
/// ```swift
/// import PromisedSystem
/// import PromisedTesting
///
/// let scheduler = TestScheduler()
/// let system = System<Int, Int>(initialState: 0, scheduler: scheduler) { count, number in
///     Promise.value(count + number).delay(.seconds(2)).stateWhenLoading(-1)
/// }
/// let recorder = Recorder(system.shown.map(\.state), on: scheduler)
/// system.sendEvent(3)
/// scheduler.run()
/// print(recorder.take())
/// system.sendEvent(4)
/// scheduler.run()
/// print(recorder.take().map(\.value))
/// ```
public final class Recorder<Value: Sendable>: Sendable {
    /// A value and the instant at which it was delivered.
    public struct Entry: Sendable, CustomStringConvertible {
        /// The virtual time of the scheduler when the value was delivered.
        public let instant: Duration
        /// The delivered value, or the record of a turn.
        public let value: Value

        /// Creates an entry, to compare with recorded ones.
        public init(_ instant: Duration, _ value: Value) { (self.instant, self.value) = (instant, value) }

        /// The text "instant: value".
        public var description: String { "\(instant): \(value)" }
    }

    private struct RecordedInputs: Sendable {
        var entries: [Entry] = []
        var taken = 0
    }

    private let recording = Lock(RecordedInputs())
    private let token: SubscriptionToken

    private init(
        on scheduler: TestScheduler, _ subscribe: (@escaping @Sendable (Value) -> Void) -> SubscriptionToken
    ) {
        token = subscribe { [recording] value in
            let entry = Entry(scheduler.now, value)
            recording.withLock { $0.entries.append(entry) }
        }
    }

    /// Records the values of a source from now on, for as long as the recorder is retained.
    ///
    /// - Parameters:
    ///   - source: The source to record.
    ///   - scheduler: The scheduler whose clock gives the instants.
    ///   - replayCurrent: Whether the present value is recorded as well.
    public convenience init(_ source: Source<Value>, on scheduler: TestScheduler, replayCurrent: Bool = true)
    {
        self.init(on: scheduler) { record in source.subscribe(replayCurrent: replayCurrent) { record($0) } }
    }

    /// Records the turns of a system from now on, each at its end, for as long as the recorder is retained.
    ///
    /// - Parameters:
    ///   - system: The system to record.
    ///   - scheduler: The scheduler whose clock gives the instants.
    public convenience init<State, Event>(
        turnsOf system: System<State, Event>, on scheduler: TestScheduler
    ) where Value == LoopRecord<State, Event> {
        self.init(on: scheduler) { record in system.onLoop { record($0) } }
    }

    deinit { token.cancel() }

    /// All recorded entries, in order; ``take()`` does not remove them.
    public var entries: [Entry] { recording.withLock { $0.entries } }

    /// The values of all ``entries``, in order.
    public var values: [Value] { entries.map(\.value) }

    /// Returns the entries that were recorded since the last call; at the first call, all of them.
    public func take() -> [Entry] {
        recording.withLock { recording in
            defer { recording.taken = recording.entries.count }
            return Array(recording.entries[recording.taken...])
        }
    }
}

extension Recorder.Entry: Equatable where Value: Equatable {}
