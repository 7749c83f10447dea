internal import Promise

/// The feedbacks of one system, and what they keep running: for the owner of its loop.
@usableFromInline
final class RunningEffects<State: Sendable, Event: Sendable> {
    @usableFromInline typealias Registry = EffectRegistry<Event>

    @usableFromInline
    struct Part: Sendable {
        @usableFromInline let decide: Feedback<State, Event>.Decide
        @usableFromInline let sink: EffectSink<Event>
        /// What was asked for so far.
        @usableFromInline var soFar = Few<EffectRequest<Event>>()

        @inlinable
        init(decide: @escaping Feedback<State, Event>.Decide, sink: EffectSink<Event>) {
            (self.decide, self.sink) = (decide, sink)
        }
    }

    @exclusivity(unchecked) @usableFromInline var parts: [Part] = []
    @exclusivity(unchecked) @usableFromInline var registry: Registry
    /// The timers of work that waits for quiet.
    @usableFromInline var quiet: [EffectName: ScheduledWork] = [:]
    @usableFromInline let scheduler: any SerialScheduler
    @usableFromInline weak let loop: Loop<State, Event>?

    @inlinable
    init(_ feedback: Feedback<State, Event>, _ loop: Loop<State, Event>) {
        scheduler = loop.scheduler
        self.loop = loop
        registry = Registry(feedbacks: feedback.parts.count)
        parts = feedback.parts.map { Part(decide: $0.make(), sink: Self.sink(loop, $0.origin)) }
    }

    @inlinable
    static func sink(_ loop: Loop<State, Event>, _ origin: Origin) -> EffectSink<Event> {
        EffectSink(
            scheduler: loop.scheduler,
            receive: { [weak loop] event, run in
                loop?.send(event, policy: nil, origin: origin, run: run)
            },
            ended: { [weak loop] run, error in loop?.receive(.effectEnded(run, error, origin)) },
            failed: { [weak loop] error in
                loop?.receive(.present { [weak loop] in loop?.report(error, origin) })
            },
            cancel: { [weak loop] key in
                loop?.receive(.present { [weak loop] in loop?.effects?.cancel(key) })
            })
    }

    /// Asks every feedback what is to be running now, and sees to it.
    @inlinable
    func ask(_ input: Feedback<State, Event>.Input) {
        for index in parts.indices {
            var steps = Registry.Steps()
            switch parts[index].decide(parts[index].soFar, input) {
            case .asBefore: continue
            case .keep(let requests):
                parts[index].soFar = requests
                registry.keep(requests, of: index, now: { scheduler.now }, &steps)
            case .start(let request):
                registry.start(request, of: index, now: { scheduler.now }, &steps)
            }
            perform(&steps)
        }
    }

    /// A run has ended by itself.
    @inlinable
    func ended(_ run: EffectRun) {
        var steps = Registry.Steps()
        registry.ended(run, now: { scheduler.now }, &steps)
        perform(&steps)
    }

    /// The last event of a run has had its turn.
    @inlinable
    func forget(_ run: EffectRun) { registry.forget(run, now: { scheduler.now }) }

    @usableFromInline
    func cancel(_ key: EffectKey) {
        var steps = Registry.Steps()
        registry.cancel(everywhere: key, &steps)
        perform(&steps)
    }

    @usableFromInline
    func cancelAll() {
        for timer in quiet.values { timer.cancel() }
        var steps = Registry.Steps()
        registry.cancelAll(&steps)
        perform(&steps)
    }

    @inlinable
    func perform(_ steps: inout Registry.Steps) {
        while let step = steps.popFirst() {
            switch step {
            case .start(let request, let name): start(request, name)
            case .cancel(let run): run.cancel()
            case .update(let update): update()
            case .awaitQuiet(let name, let number, let pause): awaitQuiet(name, number, pause)
            }
        }
    }

    @inlinable
    func awaitQuiet(_ name: EffectName, _ number: Int, _ pause: Duration) {
        quiet[name]?.cancel()
        quiet[name] = scheduler.schedule(after: pause) { [weak loop] in
            loop?.receive(.present { [weak loop] in loop?.effects?.becameQuiet(name, number) })
        }
    }

    @inlinable
    func becameQuiet(_ name: EffectName, _ number: Int) {
        quiet[name] = nil
        var steps = Registry.Steps()
        registry.becameQuiet(name, number: number, &steps)
        perform(&steps)
    }

    @inlinable
    func start(_ request: EffectRequest<Event>, _ name: EffectName) {
        guard let loop, !loop.isOver else { return }
        let run = EffectRun(name)
        registry.began(run)
        let handle = EffectHandle(run: run, sink: parts[name.feedback].sink)
        request.work().begin(handle)
    }
}

extension Loop {
    /// An effect that was made here has failed.
    @usableFromInline
    func report(_ error: any Error, _ origin: Origin) {
        guard !(error is CancellationError) else { return }
        if listeners.wantsErrors { return listeners.errors.call(error) }
        PromiseDiagnostics.report(.init(problem: .failedEffect(error), origin: origin))
    }
}

@available(*, unavailable)
extension RunningEffects: Sendable {}
