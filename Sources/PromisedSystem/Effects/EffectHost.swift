internal import Promise

/// The loop of a system, as its effects see it.
@usableFromInline
protocol EffectHost<Event>: AnyObject, Sendable {
    associatedtype Event: Sendable

    var scheduler: any SerialScheduler { get }
    var isOver: Bool { get }
    /// Whether an exploration may observe its effects.
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
    ///
    /// - Parameter isApart: Whether no end of the effect with this error follows.
    func report(_ error: any Error, _ origin: Origin, isApart: Bool)
}
