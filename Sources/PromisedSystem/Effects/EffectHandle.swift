public import Promise

/// The interface of running work to its system: sends events, ends the work and observes cancellation. It can be used
/// from any thread, and be stored for as long as needed.
public struct EffectHandle<Event: Sendable>: Sendable {
    @usableFromInline let run: EffectRun
    @usableFromInline let context: EffectContext<Event>
    /// The sub-effect that this handle belongs to; nil if the end of the work ends the run.
    @usableFromInline let part: SubEffect?

    @inlinable
    init(run: EffectRun, context: EffectContext<Event>, part: SubEffect? = nil) {
        (self.run, self.context, self.part) = (run, context, part)
    }

    /// Whether the work was cancelled: its key was cancelled, its request was replaced or withdrawn, or the system was
    /// released. Everything that it sends is then ignored.
    public var isCancelled: Bool { run.isCancelled }

    /// The scheduler of the system. Use its clock for delays and timers, so that tests can control the time.
    public var scheduler: any SerialScheduler { context.scheduler(of: run) }

    /// Enqueues an event at the end of the system's queue. It can be called from any thread; the events of one thread
    /// keep their order. It is a no-op after the work has finished or was cancelled.
    public func send(_ event: Event) {
        guard run.isWanted, part?.isOver != true else { return }
        run.eventEnqueued()
        context.receive(event, run)
    }

    /// Sends a last event and finishes the work. When the event is processed the work already counts as finished, so
    /// the event may start new work under the same key. Work that is queued under the key starts before the event is
    /// processed, but what it sends is enqueued behind the event. It is a no-op after the work has finished or was
    /// cancelled; if several threads finish it, only the first one sends its event.
    public func finish(sending event: Event) {
        if let part {
            if run.isWanted { part.end(with: event, of: run, context) }
        } else {
            switch run.finish(withEvent: true) {
            case .ended: context.port.ended(run, nil, context.prepareLast(event, run))
            case .endedWhileStarting: context.receive(event, run)
            case .none: break
            }
        }
    }

    /// Finishes the work. The next request queued under the same key then starts. It is a no-op after the work has
    /// finished or was cancelled.
    public func finish() { end(nil) }

    func end(_ error: (any Error)?, _ last: LastEvent? = nil) {
        if let part { return part.end(error, last) }
        switch run.finish(withEvent: false) {
        case .ended: return context.port.ended(run, error, last)
        case .endedWhileStarting: if let error { context.failed(error) }
        case .none: break
        }
        last?(.atTheEnd)
    }

    /// Finishes the work with an error, which goes to the system's `onError`. The feedback stays active. The error of
    /// cancelled work is discarded.
    public func fail(_ error: any Error) {
        if !run.isCancelled { end(error) }
    }

    /// Calls `action` once when the work is cancelled: on the system's scheduler, or on the thread that releases the
    /// system. If the work is already cancelled, `action` is called immediately; if it has finished, never. Every call
    /// adds an action, and all of them are retained until the work ends, so long-running work should call this only
    /// once.
    public func onCancel(_ action: @escaping @Sendable () -> Void) { run.onCancel(action) }

    /// Sends the interim values and the final value of a promise, and finishes with it.
    @inlinable
    package func run(_ promise: Promise<Event>, on scheduler: (any SerialScheduler)? = nil) {
        promise.forEachLeading { send($0.value) }
        let observation = promise.observe(inheriting: scheduler ?? self.scheduler) { update in
            switch update {
            case .interim(let event): send(event.value)
            case .outcome(.fulfilled(let event)):
                finish(sending: event.value)
            case .outcome(.rejected(let failure)): fail(failure.error)
            }
        }
        onCancel { observation.cancel() }
    }

    /// Starts a promise without a result, and finishes with it.
    package func finish(with promise: Promise<Void>) {
        let observation = promise.observe(inheriting: scheduler) { update in
            switch update {
            case .interim: break
            case .outcome(.fulfilled): finish()
            case .outcome(.rejected(let failure)): fail(failure.error)
            }
        }
        onCancel { observation.cancel() }
    }

    /// Starts a sub-effect, which finishes separately. A failure is reported immediately; `onEnd` is called in both
    /// cases.
    func begin(_ part: Effect<Event>, _ onEnd: @escaping @Sendable (LastEvent?) -> Void) {
        part.begin(
            EffectHandle(
                run: run, context: context,
                part: SubEffect { [context] error, last in
                    if let error { context.failed(error) }
                    onEnd(last)
                }))
    }
}
