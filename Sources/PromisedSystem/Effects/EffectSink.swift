internal import Promise

/// What the runs of a system's effects need of it. It does not keep the system.
@usableFromInline
final class EffectSink<Event: Sendable>: Sendable {
    @usableFromInline let scheduler: any SerialScheduler
    @usableFromInline let receive: @Sendable (Event, EffectRun) -> Void
    /// A run has ended by itself, with an error or without.
    @usableFromInline let ended: @Sendable (EffectRun, (any Error)?) -> Void
    /// A part of a run has failed, and the rest goes on.
    @usableFromInline let failed: @Sendable (any Error) -> Void
    @usableFromInline let cancel: @Sendable (EffectKey) -> Void

    @inlinable
    init(
        scheduler: any SerialScheduler, receive: @escaping @Sendable (Event, EffectRun) -> Void,
        ended: @escaping @Sendable (EffectRun, (any Error)?) -> Void,
        failed: @escaping @Sendable (any Error) -> Void, cancel: @escaping @Sendable (EffectKey) -> Void
    ) {
        (self.scheduler, self.receive, self.ended) = (scheduler, receive, ended)
        (self.failed, self.cancel) = (failed, cancel)
    }

    @inlinable
    func compactMap<Other: Sendable>(
        _ transform: @escaping @Sendable (Other) -> Event?
    ) -> EffectSink<Other> {
        EffectSink<Other>(
            scheduler: scheduler,
            receive: { [receive] event, run in if let event = transform(event) { receive(event, run) } },
            ended: ended, failed: failed, cancel: cancel)
    }

    @inlinable
    func map<Other: Sendable>(_ transform: @escaping @Sendable (Other) -> Event) -> EffectSink<Other> {
        EffectSink<Other>(
            scheduler: scheduler, receive: { [receive] in receive(transform($0), $1) }, ended: ended,
            failed: failed, cancel: cancel)
    }
}
