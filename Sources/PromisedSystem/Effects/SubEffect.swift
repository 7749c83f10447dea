internal import Synchronization

/// A part of a run with its own end: it ends once, and sends nothing afterwards.
@usableFromInline
final class SubEffect: Sendable {
    private let over = Atomic(false)
    private let onEnd: @Sendable ((any Error)?, LastEvent?) -> Void

    /// - Parameter onEnd: Called once, with the error if this part failed, and with its last event, which it enqueues
    ///   or passes on.
    init(_ onEnd: @escaping @Sendable ((any Error)?, LastEvent?) -> Void) { self.onEnd = onEnd }

    var isOver: Bool { over.load(ordering: .acquiring) }

    func end(_ error: (any Error)?, _ last: LastEvent?) { if claimEnd() { onEnd(error, last) } }

    /// Ends this part with a last event, which is counted as pending before the end is signalled. It is a no-op if this
    /// part has ended before.
    func end<Event>(with event: Event, of run: EffectRun, _ context: EffectContext<Event>) {
        guard claimEnd() else { return }
        run.eventEnqueued()
        onEnd(nil, context.prepareLast(event, run))
    }

    private func claimEnd() -> Bool { !over.exchange(true, ordering: .acquiringAndReleasing) }
}
