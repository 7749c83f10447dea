internal import Promise
internal import Synchronization

/// Where the key of some work is known: in one feedback.
struct EffectName: Sendable, Hashable {
    let feedback: Int
    let key: EffectKey
}

/// One run of an effect: whether it is still wanted, and what to do when it is not.
final class EffectRun: Sendable {
    private enum Phase {
        case running([Action])
        case finished
        case cancelled
    }

    let name: EffectName
    private let cancelled = Atomic(false)
    private let waitingEvents = Atomic(0)
    private let phase = Lock(Phase.running([]))

    init(_ name: EffectName) { self.name = name }

    /// Nobody wants it any more: what it sends is ignored, and what it has sent and still waits is taken back.
    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    /// Whether some of what it sent has not had its turn.
    var hasEventsWaiting: Bool { waitingEvents.load(ordering: .acquiring) > 0 }
    func eventWaits() { waitingEvents.wrappingAdd(1, ordering: .acquiringAndReleasing) }
    func eventHasTurn() { waitingEvents.wrappingSubtract(1, ordering: .acquiringAndReleasing) }

    /// Calls `action` when the run is cancelled; at once when it has been; never when it ends before.
    func onCancel(_ action: @escaping @Sendable () -> Void) {
        let isTooLate = phase.withLock { phase in
            switch phase {
            case .running(let actions): phase = .running(actions + [Action(action)])
            case .finished: break
            case .cancelled: return true
            }
            return false
        }
        if isTooLate { action() }
    }

    /// It has ended by itself; false when it had ended or was cancelled before.
    func finish() -> Bool { leave(for: .finished) != nil }

    /// Nobody wants it any more; what it has sent is taken back even after it has ended.
    func cancel() {
        cancelled.store(true, ordering: .releasing)
        for action in leave(for: .cancelled) ?? [] { action.run() }
    }

    /// What was to be done on cancelling; nil when it was running no more.
    private func leave(for next: Phase) -> [Action]? {
        phase.withLock { phase in
            guard case .running(let actions) = phase else { return nil }
            phase = next
            return actions
        }
    }
}

/// What the runs of a system's effects need of it. It does not keep the system.
final class EffectSink<Event: Sendable>: Sendable {
    let scheduler: any SerialScheduler
    let receive: @Sendable (Event, EffectRun) -> Void
    /// A run has ended by itself, with an error or without.
    let ended: @Sendable (EffectRun, (any Error)?) -> Void
    /// A part of a run has failed, and the rest goes on.
    let failed: @Sendable (any Error) -> Void
    let cancel: @Sendable (EffectKey) -> Void

    init(
        scheduler: any SerialScheduler, receive: @escaping @Sendable (Event, EffectRun) -> Void,
        ended: @escaping @Sendable (EffectRun, (any Error)?) -> Void,
        failed: @escaping @Sendable (any Error) -> Void, cancel: @escaping @Sendable (EffectKey) -> Void
    ) {
        (self.scheduler, self.receive, self.ended) = (scheduler, receive, ended)
        (self.failed, self.cancel) = (failed, cancel)
    }

    func map<Other: Sendable>(_ transform: @escaping @Sendable (Other) -> Event) -> EffectSink<Other> {
        EffectSink<Other>(
            scheduler: scheduler, receive: { [receive] in receive(transform($0), $1) }, ended: ended,
            failed: failed, cancel: cancel)
    }
}
