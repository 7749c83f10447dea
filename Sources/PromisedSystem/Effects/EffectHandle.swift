public import Promise

/// What the work of an effect may do; from any thread, for as long as it likes.
public struct EffectHandle<Event: Sendable>: Sendable {
    @usableFromInline let run: EffectRun
    @usableFromInline let context: EffectContext<Event>
    /// nil where the end of the work is that of the run.
    @usableFromInline let part: SubEffect?

    @inlinable
    init(run: EffectRun, context: EffectContext<Event>, part: SubEffect? = nil) {
        (self.run, self.context, self.part) = (run, context, part)
    }

    /// Whether nobody wants the work any more.
    @inlinable public var isCancelled: Bool { run.isCancelled }

    /// The scheduler of the system: its clock is the one to wait by.
    @inlinable public var scheduler: any SerialScheduler { context.scheduler }

    /// Sends an event. It goes to the end of the queue, from any thread in the order of the calls; when the work is
    /// over, or was cancelled, nothing happens.
    @inlinable
    public func send(_ event: Event) {
        if run.isWanted, part?.isOver != true { context.receive(event, run) }
    }

    /// Sends a last event, and says that the work is over: when the event has its turn, the work counts as over
    /// already, so that what follows from it may be work under the same key. Work that is over, or was cancelled,
    /// sends nothing: of several threads that end it, one does.
    @inlinable
    public func finish(sending event: Event) {
        if let part {
            guard run.isWanted, part.endWithEvent(of: run) else { return }
        } else {
            switch run.finish(withEvent: true) {
            case .ended: context.ended(run, nil)
            case .endedWhileStarting: break
            case .none: return
            }
        }
        context.receiveLast(event, run)
    }

    /// Says that the work is over. Work under the same key that waits for that then has its turn.
    @inlinable
    public func finish() { end(nil) }

    @inlinable
    func end(_ error: (any Error)?) {
        if let part { return part.end(error) }
        switch run.finish(withEvent: false) {
        case .ended: context.ended(run, error)
        case .endedWhileStarting: if let error { context.failed(error) }
        case .none: break
        }
    }

    /// Says that the work has failed: the error goes to the system's `onError`. The feedback lives on. The
    /// failure of work that was cancelled is discarded.
    @inlinable
    public func fail(_ error: any Error) {
        if !run.isCancelled { end(error) }
    }

    /// Calls `action` once when nobody wants the work any more, on the system's scheduler or where the system is
    /// released; at once if that has happened. Every call adds an action, and all are let go of when the work is over:
    /// work that goes on for long asks once.
    @inlinable
    public func onCancel(_ action: @escaping @Sendable () -> Void) { run.onCancel(action) }

    /// Sends what a promise reports meanwhile and comes to, and ends with it.
    @inlinable
    func run(_ promise: Promise<Event>) {
        for lead in promise.leadingBoxes { send(lead.value) }
        let observation = promise.observe(on: scheduler) { update in
            switch update {
            case .interim(let event): send(event.value)
            case .outcome(.fulfilled(let event)):
                finish(sending: event.value)
            case .outcome(.rejected(let failure)): fail(failure.error)
            }
        }
        onCancel { observation.cancel() }
    }

    /// Starts a promise for its effects, and ends with it.
    func finish(with promise: Promise<Void>) {
        let observation = promise.observe(on: scheduler) { update in
            switch update {
            case .interim: break
            case .outcome(.fulfilled): finish()
            case .outcome(.rejected(let failure)): fail(failure.error)
            }
        }
        onCancel { observation.cancel() }
    }

    /// Begins a part of the work, which has an end of its own.
    func begin(_ part: Effect<Event>, _ onEnd: @escaping @Sendable () -> Void) {
        part.begin(
            EffectHandle(
                run: run, context: context,
                part: SubEffect { [context] error in
                    if let error { context.failed(error) }
                    onEnd()
                }))
    }
}
