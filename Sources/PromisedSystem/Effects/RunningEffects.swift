internal import Promise

/// The feedbacks of one system, and what they keep running: for the owner of its loop.
@usableFromInline
final class RunningEffects<State: Sendable, Event: Sendable> {
    @usableFromInline typealias Registry = EffectRegistry<Event>

    @usableFromInline
    struct Part: Sendable {
        @usableFromInline let hearing: Feedback<State, Event>.Hearing
        @usableFromInline let decide: Feedback<State, Event>.Decide
        @usableFromInline let sink: EffectSink<Event>
        /// What was asked for so far.
        @usableFromInline var soFar = Few<EffectRequest<Event>>()

        @inlinable
        init(_ part: Feedback<State, Event>.Part, sink: EffectSink<Event>) {
            (hearing, decide, self.sink) = (part.hearing, part.make(), sink)
        }
    }

    @exclusivity(unchecked) @usableFromInline var parts: [Part] = []
    @exclusivity(unchecked) @usableFromInline var registry: Registry
    /// The timers of work that waits for quiet.
    @usableFromInline var quiet: [EffectName: (number: Int, timer: ScheduledWork)] = [:]
    @usableFromInline let scheduler: any SerialScheduler

    @inlinable
    init(_ feedback: Feedback<State, Event>, _ loop: Loop<State, Event>) {
        scheduler = loop.scheduler
        registry = Registry(feedbacks: feedback.parts.count)
        parts = feedback.parts.map { Part($0, sink: Self.sink(loop, $0.origin)) }
    }

    @inlinable
    static func sink(_ loop: Loop<State, Event>, _ origin: Origin) -> EffectSink<Event> {
        EffectSink(
            scheduler: loop.scheduler,
            receive: { [weak loop] event, run in
                run.eventWaits()
                if let loop {
                    loop.send(event, policy: nil, origin: origin, run: run)
                } else {
                    _ = run.eventHasTurn()
                }
            },
            receiveLast: { [weak loop] event, run in
                loop?.send(event, policy: nil, origin: origin, run: run)
            },
            ended: { [weak loop] run, error in loop?.receive(.effectEnded(run, error, origin)) },
            failed: { [weak loop] error in
                loop?.receive(.present { [weak loop] in loop?.report(error, origin) })
            },
            cancel: { [weak loop] key, run in
                loop?.receive(
                    .present { [weak loop] in
                        loop.map { $0.effects?.cancel(key, startedBefore: run.number, $0) }
                    })
            })
    }

    /// Asks every feedback what is to be running now, and sees to it.
    @inlinable
    func ask(_ input: Feedback<State, Event>.Input, _ loop: Loop<State, Event>) {
        for index in parts.indices where parts[index].hearing.hears(input) && !loop.isOver {
            var steps = Registry.Steps()
            switch parts[index].decide(parts[index].soFar, input) {
            case .asBefore: continue
            case .keep(let requests):
                parts[index].soFar = requests
                registry.keep(requests, of: index, now: { scheduler.now }, &steps)
            case .start(let request):
                guard registry.start(request, of: index, now: { scheduler.now }, &steps) else { break }
                perform(&steps, loop)
                start(request, index, loop, &steps)
            }
            perform(&steps, loop)
        }
    }

    /// A run has ended by itself.
    @inlinable
    func ended(_ run: EffectRun, _ loop: Loop<State, Event>) {
        var steps = Registry.Steps()
        registry.ended(run, now: { scheduler.now }, &steps)
        perform(&steps, loop)
    }

    /// The last event of a run has had its turn.
    @inlinable
    func forget(_ run: EffectRun) { registry.forget(run, now: { scheduler.now }) }

    @usableFromInline
    func cancel(_ key: EffectKey, startedBefore number: Int, _ loop: Loop<State, Event>) {
        var steps = Registry.Steps()
        registry.cancel(everywhere: key, startedBefore: number, &steps)
        perform(&steps, loop)
    }

    @usableFromInline
    func cancelAll(_ loop: Loop<State, Event>) {
        for quiet in quiet.values { quiet.timer.cancel() }
        var steps = Registry.Steps()
        registry.cancelAll(&steps)
        perform(&steps, loop)
    }

    @inlinable
    func perform(_ steps: inout Registry.Steps, _ loop: Loop<State, Event>) {
        while let step = steps.popFirst() {
            switch step {
            case .start(let request, let feedback): start(request, feedback, loop, &steps)
            case .cancel(let run): run.cancel()
            case .update(let update): update()
            case .awaitQuiet(let name, let number, let pause): awaitQuiet(name, number, pause, loop)
            case .callOff(let name): quiet.removeValue(forKey: name)?.timer.cancel()
            }
        }
    }

    @inlinable
    func awaitQuiet(
        _ name: EffectName, _ number: Int, _ pause: Duration, _ loop: Loop<State, Event>
    ) {
        quiet[name]?.timer.cancel()
        let timer = scheduler.schedule(after: pause) { [weak loop] in
            loop?.receive(.present { [weak loop] in loop.map { $0.effects?.becameQuiet(name, number, $0) } })
        }
        quiet[name] = (number, timer)
    }

    @inlinable
    func becameQuiet(_ name: EffectName, _ number: Int, _ loop: Loop<State, Event>) {
        if quiet[name]?.number == number { quiet[name] = nil }
        var steps = Registry.Steps()
        registry.becameQuiet(name, number: number, &steps)
        perform(&steps, loop)
    }

    @inlinable
    func start(
        _ request: EffectRequest<Event>, _ feedback: Int, _ loop: Loop<State, Event>,
        _ steps: inout Registry.Steps
    ) {
        guard !loop.isOver else { return }
        let run = EffectRun(
            EffectName(feedback: feedback, key: request.key), number: registry.nextNumber())
        request.work().begin(EffectHandle(run: run, sink: parts[feedback].sink))
        // Nothing else was decided meanwhile: what the work has sent waits behind this.
        registry.began(run, isRunning: run.hasStarted(), &steps)
    }
}

extension Loop {
    /// An effect that was made here has failed.
    @usableFromInline
    func report(_ error: any Error, _ origin: Origin) {
        guard !(error is CancellationError) else { return }
        // The form that wants the event as well has nothing to be told of it.
        if !listeners.errors.isEmpty { return listeners.errors.call(error) }
        PromiseDiagnostics.report(.init(problem: .failedEffect(error), origin: origin))
    }
}

@available(*, unavailable)
extension RunningEffects: Sendable {}
