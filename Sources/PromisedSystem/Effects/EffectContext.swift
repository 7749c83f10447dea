internal import Promise

/// What the runs of a system's effects need of it. It does not keep the system.
@usableFromInline
final class EffectContext<Event: Sendable>: Sendable {
    @usableFromInline let scheduler: any SerialScheduler
    @usableFromInline let receive: @Sendable (Event, EffectRun) -> Void
    /// As `receive`, for an event that was said to wait already.
    @usableFromInline let receiveLast: @Sendable (Event, EffectRun) -> Void
    /// A run has ended by itself, with an error or without.
    @usableFromInline let ended: @Sendable (EffectRun, (any Error)?) -> Void
    /// A part of a run has failed, and the rest goes on.
    @usableFromInline let failed: @Sendable (any Error) -> Void
    /// Cancels the work of a key that was asked for before this run.
    @usableFromInline let cancel: @Sendable (EffectKey, EffectRun) -> Void
    /// Delivers a value to the work of a key that was asked for before this run.
    @usableFromInline let broadcast: @Sendable (any Sendable, EffectKey, EffectRun) -> Void

    @inlinable
    init(
        scheduler: any SerialScheduler, receive: @escaping @Sendable (Event, EffectRun) -> Void,
        receiveLast: @escaping @Sendable (Event, EffectRun) -> Void,
        ended: @escaping @Sendable (EffectRun, (any Error)?) -> Void,
        failed: @escaping @Sendable (any Error) -> Void,
        cancel: @escaping @Sendable (EffectKey, EffectRun) -> Void,
        broadcast: @escaping @Sendable (any Sendable, EffectKey, EffectRun) -> Void
    ) {
        (self.scheduler, self.receive, self.receiveLast) = (scheduler, receive, receiveLast)
        self.ended = ended
        (self.failed, self.cancel, self.broadcast) = (failed, cancel, broadcast)
    }

    /// The same for work whose events are made others, and dropped where there is none.
    @inlinable
    func compactMap<Other: Sendable>(
        _ transform: @escaping @Sendable (Other) -> Event?
    ) -> EffectContext<Other> {
        EffectContext<Other>(
            scheduler: scheduler,
            receive: { [receive] event, run in if let event = transform(event) { receive(event, run) } },
            receiveLast: { [receiveLast, ended] event, run in
                if let event = transform(event) { return receiveLast(event, run) }
                // It may have been seen waiting when the run ended. A run of which only a part has ended goes on.
                if run.eventHasTurn(), !run.isWanted { ended(run, nil) }
            }, ended: ended, failed: failed, cancel: cancel, broadcast: broadcast)
    }

    /// The same, with another ear for the failures of parts.
    @usableFromInline
    func hearing(failures failed: @escaping @Sendable (any Error) -> Void) -> EffectContext {
        EffectContext(
            scheduler: scheduler, receive: receive, receiveLast: receiveLast, ended: ended, failed: failed,
            cancel: cancel, broadcast: broadcast)
    }
}
