internal import Promise

/// The feedbacks of one system, and the work that they keep running. Accessed only by the drain owner.
@usableFromInline
final class RunningEffects<State: Sendable, Event: Sendable> {
    @usableFromInline typealias Registry = EffectRegistry<Event>

    @usableFromInline
    struct Part: Sendable {
        @usableFromInline let inputs: FeedbackInputs
        @usableFromInline let decide: Feedback<State, Event>.Decide
        /// The requests that should be running, by the last decision.
        @usableFromInline var current = SmallArray<EffectRequest<Event>>()

        @inlinable
        init(_ part: Feedback<State, Event>.Part) { (inputs, decide) = (part.inputs, part.make()) }
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
    init(_ feedback: Feedback<State, Event>, _ host: some EffectHost<State, Event>) {
        scheduler = host.scheduler
        registry = Registry(feedbacks: feedback.parts.count)
        contexts = feedback.parts.map { Self.context(host, $0.origin) }
        origins = feedback.parts.map(\.origin)
        memories = feedback.parts.map(\.memory)
        parts = feedback.parts.map(Part.init)
    }

    @inlinable
    static func context(
        _ host: some EffectHost<State, Event>, _ origin: Origin
    ) -> EffectContext<Event> {
        EffectContext(
            scheduler: host.scheduler,
            receive: { [weak host] event, run in
                run.eventEnqueued()
                if let host { host.receive(event, of: run, origin) } else { _ = run.eventProcessed() }
            },
            prepareLast: { [weak host] event, run in host?.prepareLast(event, of: run, origin) ?? { _ in } },
            ended: { [weak host] run, error, last in host?.receiveEnd(of: run, error, last, origin) },
            failed: { [weak host] error in host?.perform { [weak host] in host?.report(error, origin) } },
            cancel: { [weak host] key, run in host?.effects?.toCancel.append((key, run)) },
            broadcast: { [weak host] value, key, run in
                host?.perform { [weak host] in host?.effects?.broadcast(value, to: key, from: run) }
            })
    }

    /// Passes an input to every feedback, and applies its decision.
    @inlinable
    func ask(_ input: Feedback<State, Event>.Input, _ host: some EffectHost<State, Event>) {
        for index in parts.indices where parts[index].inputs.accepts(input) && !host.isOver {
            probe?.asks(true)
            let answer = parts[index].decide(parts[index].current, input)
            probe?.asks(false)
            switch answer {
            case .unchanged: continue
            case .keep(let requests):
                parts[index].current = requests
                keep(requests, index, host)
            case .start(let request): begin(request, index, host)
            case .end, .each: follow(answer, index, host)
            }
        }
    }

    /// Makes these the only running requests of a feedback.
    @inlinable
    func keep(
        _ requests: SmallArray<EffectRequest<Event>>, _ feedback: Int, _ host: some EffectHost<State, Event>
    ) {
        var steps = Registry.Steps()
        let requests =
            probe.map { requests.isEmpty ? requests : requests.requested(at: $0.occasion) } ?? requests
        registry.keep(requests, of: feedback, now: { scheduler.now }, &steps)
        perform(&steps, host)
    }

    /// Starts a request in addition to the running ones, subject to its policy.
    @inlinable
    func begin(_ request: EffectRequest<Event>, _ feedback: Int, _ host: some EffectHost<State, Event>) {
        var steps = Registry.Steps()
        let request = probe.map { request.requested(at: $0.occasion) } ?? request
        if let number = registry.start(request, of: feedback, now: { scheduler.now }, &steps) {
            perform(&steps, host)
            start(request, feedback, number: number, requestNumber: number, host, &steps)
        }
        perform(&steps, host)
    }

    /// Removes a run that has finished by itself, and starts the next queued request.
    @inlinable
    func ended(_ run: EffectRun, _ host: some EffectHost<State, Event>) {
        var steps = Registry.Steps()
        registry.ended(run, now: { scheduler.now }, &steps)
        perform(&steps, host)
    }

    /// Removes a run that has ended and has no pending events any more.
    @inlinable
    func forget(_ run: EffectRun) { registry.forget(run, now: { scheduler.now }) }

    @inlinable
    func cancelAll(_ host: some EffectHost<State, Event>) {
        for debounced in debounced.values { debounced.timer.cancel() }
        var steps = Registry.Steps()
        registry.cancelAll(&steps)
        perform(&steps, host)
    }

    @inlinable
    func perform(_ steps: inout Registry.Steps, _ host: some EffectHost<State, Event>) {
        while let step = steps.popFirst() {
            switch step {
            case .start(let request, let feedback, let requestNumber):
                start(request, feedback, number: requestNumber, requestNumber: requestNumber, host, &steps)
            case .startAfterWait(let request, let feedback, let requestNumber):
                start(
                    request, feedback, number: registry.nextNumber(), requestNumber: requestNumber, host,
                    &steps)
            case .cancel(let run): run.cancel()
            case .update(let update, let runs):
                probe?.updates(workOf: runs)
                update()
            case .scheduleDebounce(let name, let number, let pause):
                scheduleDebounce(name, number, pause, host)
            case .cancelDebounce(let name): debounced.removeValue(forKey: name)?.timer.cancel()
            }
        }
    }

    @inlinable
    func scheduleDebounce(
        _ name: EffectName, _ number: Int, _ pause: Duration, _ host: some EffectHost<State, Event>
    ) {
        debounced[name]?.timer.cancel()
        let timer = DebounceTimer(pause, on: scheduler) { [weak host] in
            host?.perform { [weak host] in if let host { host.effects?.debounceFired(name, number, host) } }
        }
        debounced[name] = (number, timer)
    }

    @inlinable
    func debounceFired(_ name: EffectName, _ number: Int, _ host: some EffectHost<State, Event>) {
        if debounced[name]?.number == number { debounced[name] = nil }
        var steps = Registry.Steps()
        registry.debounceFired(name, number: number, &steps)
        perform(&steps, host)
    }

    @inlinable
    func start(
        _ request: EffectRequest<Event>, _ feedback: Int, number: Int, requestNumber: Int,
        _ host: some EffectHost<State, Event>, _ steps: inout Registry.Steps
    ) {
        guard !host.isOver else { return }
        let run = EffectRun(
            EffectName(feedback: feedback, key: request.key), number: number, requestNumber: requestNumber)
        probe?.starts(run.number, requestedAt: request.occasion, isKnownByKey: request.isKnownByKey)
        request.work().begin(EffectHandle(run: run, context: contexts[feedback]))
        // The run is not registered yet, so it cannot cancel itself.
        if !toCancel.isEmpty { cancelWhatIsNamed(&steps) }
        // No other decision was made meanwhile: the events that the work has sent are queued behind this call.
        registry.began(run, isRunning: run.hasStarted(), &steps)
    }
}

@available(*, unavailable)
extension RunningEffects: Sendable {}
