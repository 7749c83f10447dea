public import Promise

/// What the work of an effect may do; from any thread, for as long as it likes.
public struct EffectHandle<Event: Sendable>: Sendable {
    @usableFromInline let run: EffectRun
    @usableFromInline let sink: EffectSink<Event>
    /// What the end of a part does; nil where it is the end of the run.
    @usableFromInline let endOfPart: (@Sendable ((any Error)?) -> Void)?

    @inlinable
    init(
        run: EffectRun, sink: EffectSink<Event>, endOfPart: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        (self.run, self.sink, self.endOfPart) = (run, sink, endOfPart)
    }

    /// Whether nobody wants the work any more.
    @inlinable public var isCancelled: Bool { run.isCancelled }

    /// The scheduler of the system: its clock is the one to wait by.
    @inlinable public var scheduler: any SerialScheduler { sink.scheduler }

    /// Sends an event. It goes to the end of the queue, from any thread in the order of the calls; after the work
    /// was cancelled nothing happens.
    @inlinable
    public func send(_ event: Event) {
        if !run.isCancelled { sink.receive(event, run) }
    }

    /// Says that the work is over. Work under the same key that waits for that then has its turn.
    @inlinable
    public func finish() { end(nil) }

    @inlinable
    func end(_ error: (any Error)?) {
        if let endOfPart { return endOfPart(error) }
        switch run.finish() {
        case .ended: sink.ended(run, error)
        case .endedWhileStarting: if let error { sink.failed(error) }
        case .none: break
        }
    }

    /// Says that the work has failed: the error goes to the system's `onError`. The feedback lives on.
    @inlinable
    public func fail(_ error: any Error) {
        if !run.isCancelled { end(error) }
    }

    /// Calls `action` once when nobody wants the work any more, on the system's scheduler or where the system is
    /// released; at once if that has happened. What it keeps is let go of when the work is over.
    @inlinable
    public func onCancel(_ action: @escaping @Sendable () -> Void) { run.onCancel(action) }

    /// Sends what a promise reports meanwhile and comes to, and ends with it.
    @inlinable
    func run(_ promise: Promise<Event>) {
        for lead in promise.leadingValues { send(lead) }
        let observation = promise.observe(on: scheduler) { update in
            switch update {
            case .interim(let event): send(event)
            case .outcome(.fulfilled(let event)):
                send(event)
                finish()
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
            EffectHandle(run: run, sink: sink) { [run, sink] error in
                if let error, !run.isCancelled { sink.failed(error) }
                onEnd()
            })
    }
}
