internal import Promise

/// The feedbacks of one system, and what they keep running: for the owner of its loop.
final class RunningEffects<State: Sendable, Event: Sendable> {
    private struct Part {
        let decide: Feedback<State, Event>.Decide
        let sink: EffectSink<Event>
        let origin: Origin
        var soFar: [EffectRequest<Event>] = []
    }

    private var parts: [Part] = []
    private var registry = EffectRegistry<Event>()
    /// The timers of work that waits for quiet.
    private var quiet: [EffectName: ScheduledWork] = [:]
    private let scheduler: any SerialScheduler
    private weak var loop: Loop<State, Event>?

    init(_ feedback: Feedback<State, Event>, _ loop: Loop<State, Event>) {
        scheduler = loop.scheduler
        self.loop = loop
        parts = feedback.parts.map {
            Part(decide: $0.make(), sink: Self.sink(loop, $0.origin), origin: $0.origin)
        }
    }

    private static func sink(_ loop: Loop<State, Event>, _ origin: Origin) -> EffectSink<Event> {
        EffectSink(
            scheduler: loop.scheduler,
            receive: { [weak loop] event, run in loop?.send(event, origin: origin, run: run) },
            ended: { [weak loop] run, error in
                loop?.receive(
                    .present { [weak loop] in
                        if let error { loop?.report(error, origin) }
                        loop?.effects?.ended(run)
                    })
            },
            failed: { [weak loop] error in
                loop?.receive(.present { [weak loop] in loop?.report(error, origin) })
            },
            cancel: { [weak loop] key in
                loop?.receive(.present { [weak loop] in loop?.effects?.cancel(key) })
            })
    }

    /// Asks every feedback what is to be running now, and sees to it.
    func ask(_ input: Feedback<State, Event>.Input) {
        for index in parts.indices {
            let part = parts[index]
            guard let requests = part.decide(part.soFar, input) else { continue }
            let steps = registry.apply(requests, of: index, before: part.soFar, now: scheduler.now)
            parts[index].soFar = requests
            perform(steps)
        }
    }

    /// A run has ended by itself.
    func ended(_ run: EffectRun) { perform(registry.ended(run)) }

    func cancel(_ key: EffectKey) { perform(registry.cancel(everywhere: key)) }

    func cancelAll() {
        for timer in quiet.values { timer.cancel() }
        perform(registry.cancelAll())
    }

    private func perform(_ steps: [EffectRegistry<Event>.Step]) {
        for step in steps {
            switch step {
            case .start(let request, let name): start(request, name)
            case .cancel(let run): run.cancel()
            case .update(let update): update()
            case .awaitQuiet(let name, let number, let pause):
                quiet[name]?.cancel()
                quiet[name] = scheduler.schedule(after: pause) { [weak loop] in
                    loop?.receive(.present { [weak loop] in loop?.effects?.becameQuiet(name, number) })
                }
            }
        }
    }

    private func becameQuiet(_ name: EffectName, _ number: Int) {
        quiet[name] = nil
        perform(registry.becameQuiet(name, number: number))
    }

    private func start(_ request: EffectRequest<Event>, _ name: EffectName) {
        guard let loop, !loop.isOver, let work = request.work else { return }
        let run = EffectRun(name)
        guard registry.began(run) else { return }
        let sink = parts[name.feedback].sink
        // A work list of its own: what can answer at once has answered when this returns.
        separately { work().begin(EffectHandle(run: run, sink: sink)) }
    }
}

extension Loop {
    /// An effect that was made here has failed.
    fileprivate func report(_ error: any Error, _ origin: Origin) {
        guard !(error is CancellationError) else { return }
        if listeners.wantsErrors { return listeners.errors.call(error) }
        PromiseDiagnostics.report(.init(problem: .failedEffect(error), origin: origin))
    }
}
