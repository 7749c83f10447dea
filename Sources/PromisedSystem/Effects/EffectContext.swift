internal import Promise

/// The way of a feedback's runs to send events to their system. It does not retain the system.
@usableFromInline
final class EffectContext<Event: Sendable>: Sendable {
    @usableFromInline let port: EffectPort
    /// Enqueues an event of a run, which is already counted as pending in the run.
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

    /// The same for a payload that is the value of a key.
    @inlinable
    func occasion<Payload>(of payload: Payload, _ key: EffectKey) -> Int? {
        // An object may be equal to itself alone, and is created again on each path.
        port.mayBeExplored && !(Payload.self is AnyClass) ? port.occasion(ofKey: key) : nil
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
            receive: { [receive, port] event, run in
                if let event = transform(event) { receive(event, run) } else { port.discardEvent(of: run) }
            },
            prepareLast: { [prepareLast, port] event, run in
                if let event = transform(event) { return prepareLast(event, run) }
                return { _ in port.discardEvent(of: run) }
            }, handleFailure: handleFailure)
    }

    /// The scheduler that a run uses.
    func scheduler(of run: EffectRun) -> any SerialScheduler { run.scheduler ?? port.scheduler }

    /// The same context with another handler for failures of sub-effects.
    func handlingFailures(with failed: @escaping @Sendable (any Error) -> Void) -> EffectContext {
        EffectContext(port, receive: receive, prepareLast: prepareLast, handleFailure: failed)
    }
}

/// The way of a feedback's runs to end, to fail, to cancel and to broadcast: the part of ``EffectContext`` that does
/// not depend on the type of event. It does not retain the system.
@usableFromInline
final class EffectPort: Sendable {
    let scheduler: any SerialScheduler
    private let origin: Origin
    private weak let host: (any EffectHost)?
    @usableFromInline let mayBeExplored: Bool

    /// Called when a run has finished by itself, with the error if it failed, and with its last event. A closure made
    /// for the type of host, as what drains the loop afterwards is then specialised for its types.
    let ended: @Sendable (EffectRun, (any Error)?, LastEvent?) -> Void

    @usableFromInline
    init(
        _ host: any EffectHost, _ origin: Origin,
        ended: @escaping @Sendable (EffectRun, (any Error)?, LastEvent?) -> Void
    ) {
        (scheduler, self.host, self.origin) = (host.scheduler, host, origin)
        (mayBeExplored, self.ended) = (host.mayBeExplored, ended)
    }

    @usableFromInline
    func occasion(of payload: any Sendable) -> Int? { host?.runningEffects?.probe?.occasion(of: payload) }
    @usableFromInline
    func occasion(ofKey key: EffectKey) -> Int? { host?.runningEffects?.probe?.occasion(ofKey: key) }

    /// Called when a sub-effect of a run has failed while the run continues.
    func failed(_ error: any Error) {
        host?.perform { [weak host, origin] in host?.report(error, origin, isApart: true) }
    }

    /// Drops a pending event of a run before it arrives.
    func discardEvent(of run: EffectRun) {
        // A run that has not ended is still wanted and continues.
        guard run.eventDequeued(), !run.isWanted else { return }
        host?.perform { [weak host] in host?.runningEffects?.forget(run) }
    }

    /// Cancels the work under a key that was requested before this run.
    func cancel(_ key: EffectKey, by run: EffectRun) { host?.runningEffects?.toCancel.append((key, run)) }

    /// Starts the debounced requests under a key that were made before this run.
    func flush(_ key: EffectKey, from run: EffectRun) {
        host?.perform { [weak host] in
            if let host { host.runningEffects?.flush(key, from: run, host) }
        }
    }

    /// Delivers a value to the work under a key that was requested before this run.
    func broadcast(_ value: any Sendable, to key: EffectKey, from run: EffectRun) {
        host?.perform { [weak host] in host?.runningEffects?.broadcast(value, to: key, from: run) }
    }
}
