internal import Promise

/// The feedbacks of one system, and the work that they keep running. Accessed only by the drain owner.
@usableFromInline
final class RunningEffects<State: Sendable, Event: Sendable> {
    @usableFromInline typealias Registry = EffectRegistry<Event>

    @usableFromInline
    struct Part: Sendable {
        @usableFromInline let hearing: FeedbackInputs
        @usableFromInline let decide: Feedback<State, Event>.Decide
        /// The requests that should be running, by the last decision.
        @usableFromInline var current = SmallArray<EffectRequest<Event>>()

        @inlinable
        init(_ part: Feedback<State, Event>.Part) { (hearing, decide) = (part.hearing, part.make()) }
    }

    @exclusivity(unchecked) @usableFromInline var parts: [Part] = []
    @exclusivity(unchecked) @usableFromInline var registry: Registry
    /// By registry number: first the feedbacks, then the elements.
    @exclusivity(unchecked) @usableFromInline var contexts: [EffectContext<Event>]
    /// What the next decision of each feedback depends on.
    @usableFromInline let memories: [FeedbackMemory]
    /// Set only while the system is explored.
    @exclusivity(unchecked) @usableFromInline var probe: (any WorkProbe)?
    /// The source locations of the feedbacks, by registry number.
    @usableFromInline var origins: [Origin]
    /// The element numbers of each feedback that is lifted to a collection, by its index.
    var elementEffects: [Int: ElementEffects] = [:]
    /// The element path of each registry number; absent for a feedback's own work.
    @usableFromInline var paths: [Int: [EffectKey]] = [:]
    /// Cancellations requested by a run while it is being started. They are collected here, on the drain owner, and
    /// performed directly after the start.
    @exclusivity(unchecked) @usableFromInline var toCancel: [(key: EffectKey, by: EffectRun)] = []
    /// The running timers of debounced requests, with the number of the request.
    @usableFromInline var debounced: [EffectName: (number: Int, timer: DebounceTimer)] = [:]
    @usableFromInline let scheduler: any SerialScheduler

    @inlinable
    init(_ feedback: Feedback<State, Event>, _ loop: Loop<State, Event>) {
        scheduler = loop.scheduler
        registry = Registry(feedbacks: feedback.parts.count)
        contexts = feedback.parts.map { Self.context(loop, $0.origin) }
        origins = feedback.parts.map(\.origin)
        memories = feedback.parts.map(\.memory)
        parts = feedback.parts.map(Part.init)
    }

    @inlinable
    static func context(_ loop: Loop<State, Event>, _ origin: Origin) -> EffectContext<Event> {
        EffectContext(
            scheduler: loop.scheduler,
            receive: { [weak loop] event, run in
                run.eventEnqueued()
                if let loop {
                    loop.send(event, policy: nil, origin: origin, run: run)
                } else {
                    _ = run.eventProcessed()
                }
            },
            receiveLast: { [weak loop] event, run in
                loop?.send(event, policy: nil, origin: origin, run: run)
            },
            ended: { [weak loop] run, error in loop?.receive(.effectEnded(run, error, origin)) },
            failed: { [weak loop] error in
                loop?.receive(.present { [weak loop] in loop?.report(error, origin) })
            },
            cancel: { [weak loop] key, run in loop?.effects?.toCancel.append((key, run)) },
            broadcast: { [weak loop] value, key, run in
                loop?.receive(
                    .present { [weak loop] in loop?.effects?.broadcast(value, to: key, from: run) })
            })
    }

    /// Passes an input to every feedback, and applies its decision.
    @inlinable
    func ask(_ input: Feedback<State, Event>.Input, _ loop: Loop<State, Event>) {
        for index in parts.indices where parts[index].hearing.accepts(input) && !loop.isOver {
            probe?.asks(true)
            let answer = parts[index].decide(parts[index].current, input)
            probe?.asks(false)
            switch answer {
            case .unchanged: continue
            case .keep(let requests):
                parts[index].current = requests
                keep(requests, index, loop)
            case .start(let request): begin(request, index, loop)
            case .end, .each: follow(answer, index, loop)
            }
        }
    }

    /// Makes these the only running requests of a feedback.
    @inlinable
    func keep(_ requests: SmallArray<EffectRequest<Event>>, _ feedback: Int, _ loop: Loop<State, Event>) {
        var steps = Registry.Steps()
        let requests =
            probe.map { requests.isEmpty ? requests : requests.asked(at: $0.occasion) } ?? requests
        registry.keep(requests, of: feedback, now: { scheduler.now }, &steps)
        perform(&steps, loop)
    }

    /// Starts a request in addition to the running ones, subject to its policy.
    @inlinable
    func begin(_ request: EffectRequest<Event>, _ feedback: Int, _ loop: Loop<State, Event>) {
        var steps = Registry.Steps()
        let request = probe.map { request.asked(at: $0.occasion) } ?? request
        if let number = registry.start(request, of: feedback, now: { scheduler.now }, &steps) {
            perform(&steps, loop)
            start(request, feedback, number: number, asked: number, loop, &steps)
        }
        perform(&steps, loop)
    }

    /// Removes a run that has finished by itself, and starts the next queued request.
    @inlinable
    func ended(_ run: EffectRun, _ loop: Loop<State, Event>) {
        var steps = Registry.Steps()
        registry.ended(run, now: { scheduler.now }, &steps)
        perform(&steps, loop)
    }

    /// Removes a run that has ended and has no pending events any more.
    @inlinable
    func forget(_ run: EffectRun) { registry.forget(run, now: { scheduler.now }) }

    @inlinable
    func cancelAll(_ loop: Loop<State, Event>) {
        for debounced in debounced.values { debounced.timer.cancel() }
        var steps = Registry.Steps()
        registry.cancelAll(&steps)
        perform(&steps, loop)
    }

    @inlinable
    func perform(_ steps: inout Registry.Steps, _ loop: Loop<State, Event>) {
        while let step = steps.popFirst() {
            switch step {
            case .start(let request, let feedback, let asked):
                start(request, feedback, number: asked, asked: asked, loop, &steps)
            case .startAfterWait(let request, let feedback, let asked):
                start(request, feedback, number: registry.nextNumber(), asked: asked, loop, &steps)
            case .cancel(let run): run.cancel()
            case .update(let update, let runs):
                probe?.updates(workOf: runs)
                update()
            case .scheduleDebounce(let name, let number, let pause):
                scheduleDebounce(name, number, pause, loop)
            case .cancelDebounce(let name): debounced.removeValue(forKey: name)?.timer.cancel()
            }
        }
    }

    @inlinable
    func scheduleDebounce(
        _ name: EffectName, _ number: Int, _ pause: Duration, _ loop: Loop<State, Event>
    ) {
        debounced[name]?.timer.cancel()
        let timer = DebounceTimer(pause, on: scheduler) { [weak loop] in
            loop?.receive(
                .present { [weak loop] in loop.map { $0.effects?.debounceFired(name, number, $0) } })
        }
        debounced[name] = (number, timer)
    }

    @inlinable
    func debounceFired(_ name: EffectName, _ number: Int, _ loop: Loop<State, Event>) {
        if debounced[name]?.number == number { debounced[name] = nil }
        var steps = Registry.Steps()
        registry.debounceFired(name, number: number, &steps)
        perform(&steps, loop)
    }

    @inlinable
    func start(
        _ request: EffectRequest<Event>, _ feedback: Int, number: Int, asked: Int,
        _ loop: Loop<State, Event>, _ steps: inout Registry.Steps
    ) {
        guard !loop.isOver else { return }
        let run = EffectRun(
            EffectName(feedback: feedback, key: request.key), number: number, asked: asked)
        probe?.starts(run.number, askedAt: request.occasion, isKnownByKey: request.isKnownByKey)
        request.work().begin(EffectHandle(run: run, context: contexts[feedback]))
        // The run is not registered yet, so it cannot cancel itself.
        if !toCancel.isEmpty { cancelWhatIsNamed(&steps) }
        // No other decision was made meanwhile: the events that the work has sent are queued behind this call.
        registry.began(run, isRunning: run.hasStarted(), &steps)
    }
}

extension Loop {
    /// Reports the failure of an effect that was created at `origin`.
    @usableFromInline
    func report(_ error: any Error, _ origin: Origin) {
        guard !(error is CancellationError) else { return }
        probe?.failed(error)
        // Only `errors` is called: handlers that also take an event do not apply, because no event failed.
        let isHandled = !observers.errors.isEmpty
        if isHandled { observers.errors.call(error) }
        if probe == nil {
            observers.report(
                .init(problem: SystemProblem.failedEffect(error), origin: origin), isHandled: isHandled)
        }
    }
}

@available(*, unavailable)
extension RunningEffects: Sendable {}
