public import Promise

/// What the work of an effect may do; from any thread, for as long as it likes.
public struct EffectHandle<Event: Sendable>: Sendable {
    let run: EffectRun
    let sink: EffectSink<Event>
    let end: @Sendable ((any Error)?) -> Void

    init(run: EffectRun, sink: EffectSink<Event>, end: @escaping @Sendable ((any Error)?) -> Void) {
        (self.run, self.sink, self.end) = (run, sink, end)
    }

    init(run: EffectRun, sink: EffectSink<Event>) {
        self.init(run: run, sink: sink) { if run.finish() { sink.ended(run, $0) } }
    }

    /// Whether nobody wants the work any more.
    public var isCancelled: Bool { run.isCancelled }

    /// The scheduler of the system: its clock is the one to wait by.
    public var scheduler: any SerialScheduler { sink.scheduler }

    /// Sends an event. It goes to the end of the queue, from any thread in the order of the calls; after the work
    /// was cancelled nothing happens.
    public func send(_ event: Event) {
        if !run.isCancelled { sink.receive(event, run) }
    }

    /// Says that the work is over. Work under the same key that waits for that then has its turn.
    public func finish() { end(nil) }

    /// Says that the work has failed: the error goes to the system's `onError`. The feedback lives on.
    public func fail(_ error: any Error) {
        if !run.isCancelled { end(error) }
    }

    /// Calls `action` once when nobody wants the work any more, on the system's scheduler or where the system is
    /// released; at once if that has happened. What it keeps is let go of when the work is over.
    public func onCancel(_ action: @escaping @Sendable () -> Void) { run.onCancel(action) }

    /// Starts a promise for its effects, and ends with it.
    func run(_ promise: Promise<Void>) {
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
