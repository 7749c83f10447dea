public import PromisedSystem

/// What a source tells, each value with its instant in virtual time.
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
    /// A value and when it was told.
    public struct Entry: Sendable, CustomStringConvertible {
        /// In the scheduler's time.
        public let instant: Duration
        /// What was told.
        public let value: Value

        /// A value and its instant, to compare with what was recorded.
        public init(_ instant: Duration, _ value: Value) { (self.instant, self.value) = (instant, value) }

        /// The instant and the value.
        public var description: String { "\(instant): \(value)" }
    }

    private struct Tape: Sendable {
        var entries: [Entry] = []
        var taken = 0
    }

    private let tape = Lock(Tape())
    private let token: SubscriptionToken

    private init(
        on scheduler: TestScheduler, _ listen: (@escaping @Sendable (Value) -> Void) -> SubscriptionToken
    ) {
        token = listen { [tape] value in
            let entry = Entry(scheduler.now, value)
            tape.withLock { $0.entries.append(entry) }
        }
    }

    /// Records from now on, for as long as this is kept.
    ///
    /// - Parameters:
    ///   - source: What to record.
    ///   - scheduler: Whose clock says when.
    ///   - replayCurrent: Whether the present value is recorded as well.
    public convenience init(_ source: Source<Value>, on scheduler: TestScheduler, replayCurrent: Bool = true)
    {
        self.init(on: scheduler) { record in source.subscribe(replayCurrent: replayCurrent) { record($0) } }
    }

    /// Records the turns of a system from now on, each at its end, for as long as this is kept.
    ///
    /// - Parameters:
    ///   - system: What to record.
    ///   - scheduler: Whose clock says when.
    public convenience init<State, Event>(
        turnsOf system: System<State, Event>, on scheduler: TestScheduler
    ) where Value == LoopRecord<State, Event> {
        self.init(on: scheduler) { record in system.onLoop { record($0) } }
    }

    deinit { token.cancel() }

    /// Everything that was recorded.
    public var entries: [Entry] { tape.withLock { $0.entries } }

    /// All values that were recorded.
    public var values: [Value] { entries.map(\.value) }

    /// What was recorded since this was called before.
    public func take() -> [Entry] {
        tape.withLock { tape in
            defer { tape.taken = tape.entries.count }
            return Array(tape.entries[tape.taken...])
        }
    }
}

extension Recorder.Entry: Equatable where Value: Equatable {}
