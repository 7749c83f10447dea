internal import Synchronization

/// A part of some work: it ends once, and sends nothing afterwards.
@usableFromInline
final class SubEffect: Sendable {
    private let over = Atomic(false)
    private let onEnd: @Sendable ((any Error)?) -> Void

    init(_ onEnd: @escaping @Sendable ((any Error)?) -> Void) { self.onEnd = onEnd }

    @usableFromInline var isOver: Bool { over.load(ordering: .acquiring) }

    @usableFromInline
    func end(_ error: (any Error)?) {
        if !over.exchange(true, ordering: .acquiringAndReleasing) { onEnd(error) }
    }

    /// Ends it with an event of the run that is counted before anybody hears of the end.
    ///
    /// - Returns: Whether the event may be sent; not if the part has ended before.
    @usableFromInline
    func endWithEvent(of run: EffectRun) -> Bool {
        guard !over.exchange(true, ordering: .acquiringAndReleasing) else { return false }
        run.eventWaits()
        onEnd(nil)
        return true
    }
}
