/// What a handle of a part shares with the events that it has sent.
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
