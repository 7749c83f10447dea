internal import Promise

/// The connection between the runs of effects and their system. It does not retain the system.
@usableFromInline
final class EffectContext<Event: Sendable>: Sendable {
    @usableFromInline let scheduler: any SerialScheduler
    @usableFromInline let receive: @Sendable (Event, EffectRun) -> Void
    /// Prepares the last event of a run or a sub-effect, which is already counted as pending in the run.
    @usableFromInline let prepareLast: @Sendable (Event, EffectRun) -> LastEvent
    /// Called when a run has finished by itself, with the error if it failed, and with its last event.
    @usableFromInline let ended: @Sendable (EffectRun, (any Error)?, LastEvent?) -> Void
    /// Called when a sub-effect of a run has failed while the run continues.
    @usableFromInline let failed: @Sendable (any Error) -> Void
    /// Cancels the work under a key that was requested before this run.
    @usableFromInline let cancel: @Sendable (EffectKey, EffectRun) -> Void
    /// Delivers a value to the work under a key that was requested before this run.
    @usableFromInline let broadcast: @Sendable (any Sendable, EffectKey, EffectRun) -> Void

    @inlinable
    init(
        scheduler: any SerialScheduler, receive: @escaping @Sendable (Event, EffectRun) -> Void,
        prepareLast: @escaping @Sendable (Event, EffectRun) -> LastEvent,
        ended: @escaping @Sendable (EffectRun, (any Error)?, LastEvent?) -> Void,
        failed: @escaping @Sendable (any Error) -> Void,
        cancel: @escaping @Sendable (EffectKey, EffectRun) -> Void,
        broadcast: @escaping @Sendable (any Sendable, EffectKey, EffectRun) -> Void
    ) {
        (self.scheduler, self.receive, self.prepareLast) = (scheduler, receive, prepareLast)
        self.ended = ended
        (self.failed, self.cancel, self.broadcast) = (failed, cancel, broadcast)
    }

    /// A context that transforms events before it passes them on, and drops an event if the result is nil.
    @inlinable
    func compactMap<Other: Sendable>(
        _ transform: @escaping @Sendable (Other) -> Event?
    ) -> EffectContext<Other> {
        EffectContext<Other>(
            scheduler: scheduler,
            receive: { [receive] event, run in if let event = transform(event) { receive(event, run) } },
            prepareLast: { [prepareLast, ended] event, run in
                if let event = transform(event) { return prepareLast(event, run) }
                // When the run ended, this event may have counted as pending, so the end is reported again now that it
                // is dropped. If only a sub-effect has ended, the run is still wanted and continues.
                return { _ in if run.eventProcessed(), !run.isWanted { ended(run, nil, nil) } }
            }, ended: ended, failed: failed, cancel: cancel, broadcast: broadcast)
    }

    /// The same context with another handler for failures of sub-effects.
    @usableFromInline
    func handlingFailures(with failed: @escaping @Sendable (any Error) -> Void) -> EffectContext {
        EffectContext(
            scheduler: scheduler, receive: receive, prepareLast: prepareLast, ended: ended, failed: failed,
            cancel: cancel, broadcast: broadcast)
    }
}
