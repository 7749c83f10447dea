internal import Promise

/// The loop of a system, as its effects see it.
@usableFromInline
protocol EffectHost<Event>: AnyObject, Sendable {
    associatedtype Event: Sendable

    var scheduler: any SerialScheduler { get }
    var isOver: Bool { get }
    /// Whether a ``WorkProbe`` may observe its effects.
    var mayBeExplored: Bool { get }
    /// Accessed only by the owner of the loop; nil after the end.
    var runningEffects: RunningEffects? { get }

    /// Enqueues an event that a run has sent.
    func receive(_ event: Event, of run: EffectRun, _ origin: Origin)
    /// Prepares the last event of a run or a sub-effect, as one sent now.
    func prepareLast(_ event: Event, of run: EffectRun, _ origin: Origin) -> LastEvent
    /// Enqueues the end of a run, and its last event before it.
    func receiveEnd(of run: EffectRun, _ error: (any Error)?, _ last: LastEvent?, _ origin: Origin)
    /// Runs `action` as the owner of the loop, in order of arrival.
    func perform(_ action: @escaping @Sendable () -> Void)
    /// Reports the failure of an effect that was created at `origin`.
    func report(_ error: any Error, _ origin: Origin)
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

    /// Called when a sub-effect of a run has failed while the run continues.
    func failed(_ error: any Error) {
        host?.perform { [weak host, origin] in host?.report(error, origin) }
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
