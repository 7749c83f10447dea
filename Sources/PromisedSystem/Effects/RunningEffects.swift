internal import Promise

/// The work that the feedbacks of one system keep running. Accessed only by the owner of the loop.
///
/// It depends on no type of state or event, so it is compiled once. ``RunningFeedbacks`` adds the feedbacks.
@usableFromInline
class RunningEffects {
    typealias Registry = EffectRegistry

    @exclusivity(unchecked) final var registry: Registry
    /// The memory of each feedback on which its next decision depends.
    final let memories: [FeedbackMemory]
    /// Set only while the system is observed.
    @exclusivity(unchecked) @usableFromInline final var probe: (any WorkProbe)?
    /// The source locations of the feedbacks, and of the first one of each part whose feedbacks share slots.
    final let origins: [Origin]
    /// The index in `origins` of each registry number: numbers of elements are reused, and identify nothing else.
    @exclusivity(unchecked) final var bases: [Int]
    /// The element numbers of each feedback that is lifted to a collection, by its index.
    final var elementEffects: [Int: ElementEffects] = [:]
    /// The element path of each registry number; absent for work of no element.
    final var paths: [Int: [EffectKey]] = [:]
    @exclusivity(unchecked) final var sharedKeys: SharedKeys
    /// Cancellations requested by a run while it is being started. They are collected here, by the owner of the loop,
    /// and performed directly after the start.
    @exclusivity(unchecked) final var toCancel: [(key: EffectKey, by: EffectRun)] = []
    /// The running timers of debounced requests, with the number of the request.
    @exclusivity(unchecked) final var debounced: [EffectName: (number: Int, timer: DebounceTimer)] = [:]
    final let scheduler: any SerialScheduler

    init(
        _ scheduler: any SerialScheduler, origins: [Origin], memories: [FeedbackMemory], places: [PartKey]
    ) {
        self.scheduler = scheduler
        self.memories = memories
        sharedKeys = SharedKeys(places)
        self.origins = origins + sharedKeys.firstFeedbacks.map { origins[$0] }
        bases = Array(self.origins.indices)
        registry = Registry(feedbacks: self.origins.count)
        for index in places.indices {
            let path = sharedKeys.path(of: index)
            if !path.isEmpty { paths[index] = path }
        }
    }

    /// Where the feedback was created that a registry number belongs to.
    final func origin(of number: Int) -> Origin { origins[bases[number]] }

    /// The time, for the throttle windows.
    final var now: Duration { probe?.now ?? scheduler.now }

    /// Makes these the only running requests of a feedback.
    @usableFromInline
    final func keep(
        _ requests: SmallArray<EffectPlan>, _ feedback: Int, _ host: any EffectHost
    ) {
        var steps = Registry.Steps()
        let requests = probe.map { requests.requested(at: $0.occasion) } ?? requests
        let last = registry.lastNumber
        registry.keep(requests, of: feedback, now: { now }, &steps)
        if let probe { noteWaiting(feedback, after: last, probe) }
        perform(&steps, host)
    }

    /// Starts a request in addition to the running ones, subject to its policy.
    @usableFromInline
    final func begin(_ request: EffectPlan, _ feedback: Int, _ host: any EffectHost) {
        begin(request, by: feedback, of: feedback, host)
    }

    /// - Parameters:
    ///   - number: The registry number of the feedback, or of an element that it works for.
    ///   - index: The index of the feedback.
    final func begin(_ request: EffectPlan, by number: Int, of index: Int, _ host: any EffectHost) {
        let isShared = request.key != .unnamed && sharedKeys.isShared(index)
        // Most plans are started as they are: a copy costs as much as the decision.
        guard isShared || probe != nil else { return begin(request, in: number, host) }
        var request = probe.map { request.requested(at: $0.occasion) } ?? request
        if isShared { request.requester = number }
        begin(request, in: isShared ? sharedSlots(of: index, number) : number, host)
    }

    private final func begin(_ request: EffectPlan, in slots: Int, _ host: any EffectHost) {
        var steps = Registry.Steps()
        if let number = registry.start(request, of: slots, now: { now }, &steps) {
            perform(&steps, host)
            start(request, slots, number: number, requestNumber: number, host, &steps)
        } else if let probe {
            noteWaiting(slots, after: registry.lastNumber - 1, probe)
        }
        perform(&steps, host)
    }

    /// Notes the pending requests after a number.
    private final func noteWaiting(_ feedback: Int, after last: Int, _ probe: any WorkProbe) {
        if registry.lastNumber == last { return }
        var pending: [Registry.QueuedRequest] = []
        registry.slots[feedback].forEach { _, slot in
            if !slot.wait.isEmpty { pending += slot.pending.filter { $0.requestNumber > last } }
        }
        for waiting in pending.sorted(by: { $0.requestNumber < $1.requestNumber }) {
            let requester = waiting.request.requester ?? feedback
            let place = place(of: requester) + [waiting.request.key]
            probe.waits(
                waiting.requestNumber, place, from: origin(of: requester),
                window: waiting.request.policy.rateLimit?.longestWindow)
        }
    }

    /// Removes a run that has finished by itself, and starts the next queued request.
    @usableFromInline
    final func ended(_ run: EffectRun, _ error: (any Error)?, _ host: any EffectHost) {
        probe?.ended(run.number, error)
        var steps = Registry.Steps()
        registry.ended(run, now: { now }, &steps)
        perform(&steps, host)
    }

    /// Removes a run that has ended and has no pending events any more.
    @usableFromInline
    final func forget(_ run: EffectRun) { registry.forget(run, now: { now }) }

    @usableFromInline
    final func cancelAll(_ host: any EffectHost) {
        for debounced in debounced.values { debounced.timer.cancel() }
        var steps = Registry.Steps()
        registry.cancelAll(&steps)
        perform(&steps, host)
    }

    final func perform(_ steps: inout Registry.Steps, _ host: any EffectHost) {
        while let step = steps.popFirst() {
            switch step {
            case .start(let request, let feedback, let requestNumber):
                start(request, feedback, number: requestNumber, requestNumber: requestNumber, host, &steps)
            case .startAfterWait(let request, let feedback, let requestNumber):
                start(
                    request, feedback, number: registry.nextNumber(), requestNumber: requestNumber, host,
                    &steps)
            case .cancel(let run): run.cancel { probe?.cancelled(run.number) }
            case .update(let update, let runs):
                probe?.updates(workOf: runs)
                update()
            case .scheduleDebounce(let name, let number, let pause):
                scheduleDebounce(name, number, pause, host)
            case .cancelDebounce(let name): debounced.removeValue(forKey: name)?.timer.cancel()
            }
        }
    }

    final func scheduleDebounce(
        _ name: EffectName, _ number: Int, _ pause: Duration, _ host: any EffectHost
    ) {
        debounced[name]?.timer.cancel()
        let timer = DebounceTimer(pause, on: scheduler) { [weak host] in
            host?.perform { [weak host] in
                if let host { host.runningEffects?.debounceFired(name, number, host) }
            }
        }
        debounced[name] = (number, timer)
    }

    final func debounceFired(_ name: EffectName, _ number: Int, _ host: any EffectHost) {
        if debounced[name]?.number == number {
            debounced[name] = nil
            probe?.timerFired(of: number)
        }
        var steps = Registry.Steps()
        registry.debounceFired(name, number: number, now: { now }, &steps)
        perform(&steps, host)
    }

    /// Starts the debounced requests under a key that precede a run. A flush from an element reaches only that element
    /// and elements inside it.
    final func flush(_ key: EffectKey, from run: EffectRun, _ host: any EffectHost) {
        guard !run.isCancelled else { return }
        var steps = Registry.Steps()
        registry.flush(key, requestedBefore: run.number, &steps) {
            isInside($0, of: run)
        }
        perform(&steps, host)
    }

    /// Whether a registry number is that of the element for which a run works, or of one inside it.
    final func isInside(_ number: Int, of run: EffectRun) -> Bool {
        (paths[number] ?? []).starts(with: paths[run.name.feedback] ?? [])
    }

    final func start(
        _ request: EffectPlan, _ feedback: Int, number: Int, requestNumber: Int,
        _ host: any EffectHost, _ steps: inout Registry.Steps
    ) {
        guard !host.isOver else { return }
        let requester = request.requester ?? feedback
        let run = EffectRun(
            EffectName(feedback: feedback, key: request.key), number: number, requestNumber: requestNumber,
            requester: requester,
            scheduler: probe?.starts(
                number, of: requestNumber, place(of: requester) + [request.key], from: origin(of: requester),
                requestedAt: request.occasion ?? 0, window: request.policy.rateLimit?.longestWindow))
        request.begin(run)
        probe?.hasStarted()
        // The run is not registered yet, so it cannot cancel itself.
        if !toCancel.isEmpty { performCancellations(&steps) }
        // No other decision was made meanwhile: the events that the work has sent are queued behind this call.
        let isRunning = run.endStarting { now }
        if !isRunning { probe?.ended(number, nil) }
        registry.began(run, isRunning: isRunning, &steps)
    }
}

extension RunningEffects {
    /// The identity of a feedback, or of the element for which it works.
    private final func place(of feedback: Int) -> [EffectKey] {
        guard feedback >= memories.count, let path = paths[feedback] else { return [EffectKey(feedback)] }
        return [EffectKey(origin(of: feedback).place)] + path
    }
}

@available(*, unavailable)
extension RunningEffects: Sendable {}
