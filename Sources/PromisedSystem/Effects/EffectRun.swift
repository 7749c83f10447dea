internal import Promise
internal import Synchronization

/// Where the key of some work is known: in one feedback.
@usableFromInline
struct EffectName: Sendable, Hashable {
    @usableFromInline let feedback: Int
    @usableFromInline let key: EffectKey

    @inlinable
    init(feedback: Int, key: EffectKey) { (self.feedback, self.key) = (feedback, key) }
}

/// One run of an effect: whether it is still wanted, and what to do when it is not.
///
/// | phase | entered by | means |
/// |---|---|---|
/// | `starting` | its making | whoever starts it will see how far it has come |
/// | `running` | its start | nobody asks to be told of a cancellation |
/// | `watched` | `onCancel`, `onBroadcast` | somebody does: see `watchers` |
/// | `finished` | `finish` | it has ended by itself |
/// | `cancelled` | `cancel` while it ran | nobody wants it any more |
/// | `withdrawn` | `cancel` after its end | what it has sent and still waits is taken back |
@usableFromInline
final class EffectRun: Sendable {
    private enum Phase: Int {
        case starting, running, watched, finished, cancelled, withdrawn
    }

    @usableFromInline let name: EffectName
    /// Counts the runs of a system, in the order in which they start.
    @usableFromInline let number: Int
    /// When it was asked for, in the same count: earlier than it started where it had to wait.
    @usableFromInline let asked: Int
    /// The phase, and above it the number of its events that wait: in one word, so that the last event is counted in
    /// the same step in which the run ends.
    private let word = Atomic(0)
    // Most runs have none.
    private let watchers = AtomicLazyReference<Lock<Watchers>>()

    /// What is called while somebody watches.
    private struct Watchers: Sendable {
        var cancellation: [Action] = []
        var broadcasts: [Receiver] = []
    }

    // A closure as a field is stored as it is; as a generic value it would be wrapped in another.
    private struct Receiver: Sendable {
        let run: @Sendable (any Sendable) -> Void
    }

    @usableFromInline
    init(_ name: EffectName, number: Int, asked: Int) {
        (self.name, self.number, self.asked) = (name, number, asked)
    }

    private static var phaseMask: Int { 7 }
    private static var oneEvent: Int { 8 }

    private var phase: Int { word.load(ordering: .acquiring) & Self.phaseMask }

    /// Nobody wants it any more: what it sends is ignored, and what it has sent and still waits is taken back.
    @usableFromInline var isCancelled: Bool { phase >= Phase.cancelled.rawValue }

    /// Whether it goes on and what it sends is heard.
    @usableFromInline var isWanted: Bool { phase < Phase.finished.rawValue }

    // MARK: Its events

    @usableFromInline
    func eventWaits() { word.wrappingAdd(Self.oneEvent, ordering: .acquiringAndReleasing) }

    /// - Returns: Whether this was the last event that waited.
    @usableFromInline
    func eventHasTurn() -> Bool {
        word.wrappingSubtract(Self.oneEvent, ordering: .acquiringAndReleasing).newValue < Self.oneEvent
    }

    /// Whether some of what it sent has not had its turn.
    @usableFromInline var hasEventsWaiting: Bool { word.load(ordering: .acquiring) >= Self.oneEvent }

    // MARK: Its end

    /// Calls `action` when the run is cancelled; at once when it has been; never when it ends before.
    @usableFromInline
    func onCancel(_ action: @escaping @Sendable () -> Void) {
        let phaseThen = watch { $0.cancellation.append(Action(action)) }
        if phaseThen == Phase.cancelled.rawValue { action() }
    }

    /// Calls `action` with what is broadcast to the run until it ends.
    @usableFromInline
    func onBroadcast(_ action: @escaping @Sendable (any Sendable) -> Void) {
        _ = watch { $0.broadcasts.append(Receiver(run: action)) }
    }

    /// Something is broadcast to the run.
    func receive(_ value: any Sendable) {
        let receivers = watchers.load()?.withLock { $0.broadcasts } ?? []
        for receiver in receivers where isWanted { receiver.run(value) }
    }

    /// Adds what is to be called, unless the run is over.
    ///
    /// - Returns: The phase in which it was added, or was not.
    private func watch(_ add: (inout Watchers) -> Void) -> Int {
        let watchers = self.watchers.load() ?? self.watchers.storeIfNil(Lock(Watchers()))
        _ = move(from: .starting, to: .watched) || move(from: .running, to: .watched)
        // Looked at under the lock, which whoever leaves this phase takes afterwards.
        return watchers.withLock { watchers in
            let phase = phase
            if phase == Phase.watched.rawValue { add(&watchers) }
            return phase
        }
    }

    /// Whoever started it is through with that; false when it has ended already.
    @usableFromInline
    func hasStarted() -> Bool {
        move(from: .starting, to: .running) || phase != Phase.finished.rawValue
    }

    @usableFromInline
    enum Finish: Sendable {
        case ended
        /// Whoever starts it looks for that; nobody else has to be told.
        case endedWhileStarting
        /// It had ended, or was cancelled, before.
        case none
    }

    /// It has ended by itself, for the first that says so.
    ///
    /// - Parameter withEvent: Whether it sends one more event, which is counted in the same step: whoever sees the end
    ///   sees that an event waits.
    @usableFromInline
    func finish(withEvent: Bool) -> Finish {
        let events = withEvent ? Self.oneEvent : 0
        if move(from: .starting, to: .finished, adding: events) { return .endedWhileStarting }
        if move(from: .running, to: .finished, adding: events) { return .ended }
        guard move(from: .watched, to: .finished, adding: events) else { return .none }
        _ = takeWatchers()
        return .ended
    }

    /// Nobody wants it any more; what it has sent is taken back even after it has ended.
    @usableFromInline
    func cancel() {
        if move(from: .starting, to: .cancelled) || move(from: .running, to: .cancelled)
            || move(from: .finished, to: .withdrawn)
        {
            return
        }
        guard move(from: .watched, to: .cancelled) else {
            // It has ended since it was found watched.
            return _ = move(from: .finished, to: .withdrawn)
        }
        for action in takeWatchers().cancellation { action.run() }
    }

    private func move(from before: Phase, to next: Phase, adding events: Int = 0) -> Bool {
        var word = self.word.load(ordering: .relaxed)
        while word & Self.phaseMask == before.rawValue {
            let (isMoved, seen) = self.word.weakCompareExchange(
                expected: word, desired: word - before.rawValue + next.rawValue + events,
                ordering: .acquiringAndReleasing)
            if isMoved { return true }
            word = seen
        }
        return false
    }

    private func takeWatchers() -> Watchers {
        watchers.load()?.withLock { watchers in
            defer { watchers = Watchers() }
            return watchers
        } ?? Watchers()
    }
}
