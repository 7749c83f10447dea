internal import Synchronization

/// A part of a run with its own end: it ends once, and sends nothing afterwards.
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

    /// Ends this part with a last event, which is counted as pending before the end is signalled.
    ///
    /// - Returns: Whether to send the event; false if this part has ended before.
    @usableFromInline
    func endWithEvent(of run: EffectRun) -> Bool {
        guard !over.exchange(true, ordering: .acquiringAndReleasing) else { return false }
        run.eventEnqueued()
        onEnd(nil)
        return true
    }
}
