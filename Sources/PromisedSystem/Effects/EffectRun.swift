internal import Promise
internal import Synchronization

/// Where the key of some work is known: in one feedback.
struct EffectName: Sendable, Hashable {
    let feedback: Int
    let key: EffectKey
}

/// One run of an effect: whether it is still wanted, and what to do when it is not.
final class EffectRun: Sendable {
    private struct Ending {
        var actions: [Action] = []
        var isOver = false
    }

    let name: EffectName
    private let cancelled = Atomic(false)
    private let waitingEvents = Atomic(0)
    private let ending = Lock(Ending())

    init(_ name: EffectName) { self.name = name }

    /// Nobody wants it any more: what it sends is ignored, and what it has sent and still waits is taken back.
    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    /// Whether some of what it sent has not had its turn.
    var hasEventsWaiting: Bool { waitingEvents.load(ordering: .acquiring) > 0 }
    func eventWaits() { waitingEvents.wrappingAdd(1, ordering: .acquiringAndReleasing) }
    func eventHasTurn() { waitingEvents.wrappingSubtract(1, ordering: .acquiringAndReleasing) }

    /// Calls `action` when the run is cancelled; at once when it has been; never when it ends before.
    func onCancel(_ action: @escaping @Sendable () -> Void) {
        let isTooLate = ending.withLock { ending in
            guard !isCancelled, !ending.isOver else { return isCancelled && !ending.isOver }
            ending.actions.append(Action(action))
            return false
        }
        if isTooLate { action() }
    }

    /// It has ended by itself; false when it had ended or was cancelled before.
    func finish() -> Bool {
        let (isFirst, actions) = end { _ in }
        withExtendedLifetime(actions) {}
        return isFirst && !isCancelled
    }

    func cancel() {
        for action in end({ $0.store(true, ordering: .releasing) }).actions { action.run() }
    }

    private func end(_ mark: (borrowing Atomic<Bool>) -> Void) -> (isFirst: Bool, actions: [Action]) {
        ending.withLock { ending in
            mark(cancelled)
            defer { ending = Ending(isOver: true) }
            return (!ending.isOver, ending.actions)
        }
    }
}

/// What the runs of a system's effects need of it. It does not keep the system.
final class EffectSink<Event: Sendable>: Sendable {
    let scheduler: any SerialScheduler
    let receive: @Sendable (Event, EffectRun) -> Void
    /// A run has ended by itself, with an error or without.
    let ended: @Sendable (EffectRun, (any Error)?) -> Void
    let cancel: @Sendable (EffectKey) -> Void

    init(
        scheduler: any SerialScheduler, receive: @escaping @Sendable (Event, EffectRun) -> Void,
        ended: @escaping @Sendable (EffectRun, (any Error)?) -> Void,
        cancel: @escaping @Sendable (EffectKey) -> Void
    ) {
        (self.scheduler, self.receive, self.ended, self.cancel) = (scheduler, receive, ended, cancel)
    }

    func map<Other: Sendable>(_ transform: @escaping @Sendable (Other) -> Event) -> EffectSink<Other> {
        EffectSink<Other>(
            scheduler: scheduler, receive: { [receive] in receive(transform($0), $1) }, ended: ended,
            cancel: cancel)
    }
}
