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
/// | `watched` | `onCancel` | somebody does: see `watchers` |
/// | `finished` | `finish` | it has ended by itself |
/// | `cancelled` | `cancel` while it ran | nobody wants it any more |
/// | `withdrawn` | `cancel` after its end | what it has sent and still waits is taken back |
@usableFromInline
final class EffectRun: Sendable {
    private enum Phase: UInt8, AtomicRepresentable {
        case starting, running, watched, finished, cancelled, withdrawn
    }

    @usableFromInline let name: EffectName
    /// Counts the runs of a system, in the order in which they start.
    @usableFromInline let number: Int
    private let phase = Atomic(Phase.starting)
    private let waitingEvents = Atomic(0)
    // Most runs have none.
    private let watchers = AtomicLazyReference<Lock<[Action]>>()

    @usableFromInline
    init(_ name: EffectName, number: Int) { (self.name, self.number) = (name, number) }

    /// Nobody wants it any more: what it sends is ignored, and what it has sent and still waits is taken back.
    @usableFromInline var isCancelled: Bool {
        phase.load(ordering: .acquiring).rawValue >= Phase.cancelled.rawValue
    }

    /// Whether it goes on and what it sends is heard.
    @usableFromInline var isWanted: Bool {
        phase.load(ordering: .acquiring).rawValue < Phase.finished.rawValue
    }

    // MARK: Its events

    @usableFromInline
    func eventWaits() { waitingEvents.wrappingAdd(1, ordering: .acquiringAndReleasing) }

    /// - Returns: Whether this was the last event that waited.
    @usableFromInline
    func eventHasTurn() -> Bool {
        waitingEvents.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0
    }

    /// Whether some of what it sent has not had its turn.
    @usableFromInline var hasEventsWaiting: Bool { waitingEvents.load(ordering: .acquiring) > 0 }

    // MARK: Its end

    /// Calls `action` when the run is cancelled; at once when it has been; never when it ends before.
    @usableFromInline
    func onCancel(_ action: @escaping @Sendable () -> Void) {
        let watchers = self.watchers.load() ?? self.watchers.storeIfNil(Lock([]))
        _ = move(from: .starting, to: .watched) || move(from: .running, to: .watched)
        // Looked at under the lock, which whoever leaves this phase takes afterwards.
        let phaseThen = watchers.withLock { watchers in
            let phase = phase.load(ordering: .acquiring)
            if phase == .watched { watchers.append(Action(action)) }
            return phase
        }
        if phaseThen == .cancelled { action() }
    }

    /// Whoever started it is through with that; false when it has ended already.
    @usableFromInline
    func hasStarted() -> Bool {
        move(from: .starting, to: .running) || phase.load(ordering: .acquiring) != .finished
    }

    @usableFromInline
    enum Finish: Sendable {
        case ended
        /// Whoever starts it looks for that; nobody else has to be told.
        case endedWhileStarting
        /// It had ended, or was cancelled, before.
        case none
    }

    /// It has ended by itself.
    @usableFromInline
    func finish() -> Finish {
        if move(from: .starting, to: .finished) { return .endedWhileStarting }
        if move(from: .running, to: .finished) { return .ended }
        guard move(from: .watched, to: .finished) else { return .none }
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
        for action in takeWatchers() { action.run() }
    }

    private func move(from before: Phase, to next: Phase) -> Bool {
        phase.compareExchange(expected: before, desired: next, ordering: .acquiringAndReleasing).exchanged
    }

    private func takeWatchers() -> [Action] {
        watchers.load()?.withLock { watchers in
            defer { watchers = [] }
            return watchers
        } ?? []
    }
}
