internal import Promise

/// The feedbacks of one system, and what they keep running: for the owner of its loop.
@usableFromInline
final class RunningEffects<State: Sendable, Event: Sendable> {
    @usableFromInline typealias Registry = EffectRegistry<Event>

    @usableFromInline
    struct Part: Sendable {
        @usableFromInline let hearing: FeedbackInputs
        @usableFromInline let decide: Feedback<State, Event>.Decide
        /// What was asked for so far.
        @usableFromInline var current = SmallArray<EffectRequest<Event>>()

        @inlinable
        init(_ part: Feedback<State, Event>.Part) { (hearing, decide) = (part.hearing, part.make()) }
    }

    @exclusivity(unchecked) @usableFromInline var parts: [Part] = []
    @exclusivity(unchecked) @usableFromInline var registry: Registry
    /// By their numbers in the registry: those of the parts, and then those of elements.
    @exclusivity(unchecked) @usableFromInline var contexts: [EffectContext<Event>]
    /// What the next answers depend on.
    @usableFromInline let memories: [FeedbackMemory]
    /// Nobody, but in an exploration.
    @exclusivity(unchecked) @usableFromInline var probe: (any WorkProbe)?
    /// Where the feedbacks were made, by the same numbers.
    @usableFromInline var origins: [Origin]
    /// By the number of a part, if it works for elements.
    var groups: [Int: ElementEffects] = [:]
    /// The elements that work is of, by its number in the registry.
    @usableFromInline var paths: [Int: [EffectKey]] = [:]
    /// What a run cancels that is being started: it says so before that is done, to the owner of the loop.
    @exclusivity(unchecked) @usableFromInline var toCancel: [(key: EffectKey, by: EffectRun)] = []
    /// The timers of work that waits for quiet.
    @usableFromInline var quiet: [EffectName: (number: Int, timer: DebounceTimer)] = [:]
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
            cancel: { [weak loop] key, run in loop?.effects?.toCancel.append((key, run)) },
            broadcast: { [weak loop] value, key, run in
                loop?.receive(
                    .present { [weak loop] in loop?.effects?.broadcast(value, to: key, from: run) })
            })
    }

    /// Asks every feedback what is to be running now, and sees to it.
    @inlinable
    func ask(_ input: Feedback<State, Event>.Input, _ loop: Loop<State, Event>) {
        for index in parts.indices where parts[index].hearing.accepts(input) && !loop.isOver {
            probe?.asks(true)
            let answer = parts[index].decide(parts[index].current, input)
            probe?.asks(false)
            switch answer {
            case .asBefore: continue
            case .keep(let requests):
                parts[index].current = requests
                keep(requests, index, loop)
            case .start(let request): begin(request, index, loop)
            case .end, .each: follow(answer, index, loop)
            }
        }
    }

    /// Keeps exactly these running.
    @inlinable
    func keep(_ requests: SmallArray<EffectRequest<Event>>, _ feedback: Int, _ loop: Loop<State, Event>) {
        var steps = Registry.Steps()
        let requests =
            probe.map { requests.isEmpty ? requests : requests.asked(at: $0.occasion) } ?? requests
        registry.keep(requests, of: feedback, now: { scheduler.now }, &steps)
        perform(&steps, loop)
    }

    /// Starts work as its policy says.
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

    @inlinable
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
            case .callOff(let name): quiet.removeValue(forKey: name)?.timer.cancel()
            }
        }
    }

    @inlinable
    func scheduleDebounce(
        _ name: EffectName, _ number: Int, _ pause: Duration, _ loop: Loop<State, Event>
    ) {
        quiet[name]?.timer.cancel()
        let timer = DebounceTimer(pause, on: scheduler) { [weak loop] in
            loop?.receive(
                .present { [weak loop] in loop.map { $0.effects?.debounceFired(name, number, $0) } })
        }
        quiet[name] = (number, timer)
    }

    @inlinable
    func debounceFired(_ name: EffectName, _ number: Int, _ loop: Loop<State, Event>) {
        if quiet[name]?.number == number { quiet[name] = nil }
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
        // It does not mean itself.
        if !toCancel.isEmpty { cancelWhatIsNamed(&steps) }
        // Nothing else was decided meanwhile: what the work has sent waits behind this.
        registry.began(run, isRunning: run.hasStarted(), &steps)
    }
}

extension Loop {
    /// An effect that was made here has failed.
    @usableFromInline
    func report(_ error: any Error, _ origin: Origin) {
        guard !(error is CancellationError) else { return }
        probe?.failed(error)
        // The form that wants the event as well has nothing to be told of it.
        let isHandled = !listeners.errors.isEmpty
        if isHandled { listeners.errors.call(error) }
        if probe == nil {
            listeners.report(.init(problem: .failedEffect(error), origin: origin), isHandled: isHandled)
        }
    }
}

@available(*, unavailable)
extension RunningEffects: Sendable {}
