internal import Promise

/// The way of a feedback's runs to send events to their system. It does not retain the system.
@usableFromInline
final class EffectContext<Event: Sendable>: Sendable {
    @usableFromInline let port: EffectPort
    let receive: @Sendable (Event, EffectRun) -> Void
    /// Prepares the last event of a run or a sub-effect, which is already counted as pending in the run.
    let prepareLast: @Sendable (Event, EffectRun) -> LastEvent
    /// Called when a sub-effect of a run has failed while the run continues; nil if the system reports the failure.
    let handleFailure: (@Sendable (any Error) -> Void)?

    @usableFromInline
    init(
        _ port: EffectPort, receive: @escaping @Sendable (Event, EffectRun) -> Void,
        prepareLast: @escaping @Sendable (Event, EffectRun) -> LastEvent,
        handleFailure: (@Sendable (any Error) -> Void)? = nil
    ) {
        (self.port, self.receive, self.prepareLast) = (port, receive, prepareLast)
        self.handleFailure = handleFailure
    }

    @inlinable
    convenience init(_ host: some EffectHost<Event>, _ origin: Origin) {
        self.init(
            EffectPort(host, origin) { [weak host] run, error, last in
                host?.receiveEnd(of: run, error, last, origin)
            },
            receive: { [weak host] event, run in
                run.eventEnqueued()
                if let host { host.receive(event, of: run, origin) } else { _ = run.eventDequeued() }
            },
            prepareLast: { [weak host] event, run in host?.prepareLast(event, of: run, origin) ?? { _ in } })
    }

    /// Starts an effect, whose events and end belong to `run`.
    @inlinable
    func begin(_ work: some EffectSource<Event>, _ run: EffectRun) {
        work.effect.begin(EffectHandle(run: run, context: self))
    }

    /// Identifies work that depends on nothing but `payload`; nil if the system is not explored.
    @inlinable
    func occasion(of payload: some Sendable) -> Int? {
        port.mayBeExplored ? port.occasion(of: payload) : nil
    }

    func failed(_ error: any Error) {
        if let handleFailure { handleFailure(error) } else { port.failed(error) }
    }

    /// A context that transforms events before it passes them on, and drops an event if the result is nil.
    func compactMap<Other: Sendable>(
        _ transform: @escaping @Sendable (Other) -> Event?
    ) -> EffectContext<Other> {
        EffectContext<Other>(
            port,
            receive: { [receive] event, run in if let event = transform(event) { receive(event, run) } },
            prepareLast: { [prepareLast, port] event, run in
                if let event = transform(event) { return prepareLast(event, run) }
                // When the run ended, this event may have counted as pending, so the end is reported again now that it
                // is dropped. If only a sub-effect has ended, the run is still wanted and continues.
                return { _ in if run.eventDequeued(), !run.isWanted { port.ended(run, nil, nil) } }
            }, handleFailure: handleFailure)
    }

    /// The scheduler that a run uses.
    func scheduler(of run: EffectRun) -> any SerialScheduler { run.explored ?? port.scheduler }

    /// The same context with another handler for failures of sub-effects.
    func handlingFailures(with failed: @escaping @Sendable (any Error) -> Void) -> EffectContext {
        EffectContext(port, receive: receive, prepareLast: prepareLast, handleFailure: failed)
    }
}
