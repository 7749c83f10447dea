/// The common part of a handle of a part and of the events that it has sent.
@usableFromInline
final class PartHandle: Sendable {
    /// Whether the part is gone, so that the pending events of the handle are dropped.
    let isOver: @Sendable () -> Bool
    private let run: EffectRun

    init(isOver: @escaping @Sendable () -> Bool) {
        self.isOver = isOver
        run = EffectRun(outsideUntil: isOver)
    }

    /// The sender of one more event.
    @usableFromInline
    func sender() -> EffectRun {
        run.eventEnqueued()
        return run
    }
}
