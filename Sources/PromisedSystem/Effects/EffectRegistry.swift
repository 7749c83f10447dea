internal import Promise

/// All running and pending work of a system, by feedback and key. Accessed only by the owner of the loop.
///
/// The registry only decides and records. It returns steps to its owner, which starts, cancels and schedules after the
/// decision, because these calls may re-enter.
struct EffectRegistry: Sendable {
    struct EffectSlot: Sendable {
        /// The revision of the request that a feedback keeps running; nil if the work was started by an event, which no
        /// feedback keeps.
        var revision: EffectKey?
        var runs = SmallArray<EffectRun>()
        /// Runs that have ended while some of their events are still pending.
        var ended = SmallArray<EffectRun>()
        /// The pending requests, if any. It has at most one element: an empty array takes only one pointer.
        var wait: [Wait] = []

        /// Whether the slot holds nothing and can be removed.
        var isIdle: Bool { revision == nil && runs.isEmpty && ended.isEmpty && wait.isEmpty }

        /// The pending requests.
        var pending: [QueuedRequest] {
            guard let wait = wait.first else { return [] }
            let delayed = wait.limiter.waiting.map {
                QueuedRequest(request: $0.value, requestNumber: $0.number, since: $0.since)
            }
            return wait.requests.all + (delayed.map { [$0] } ?? [])
        }

        var isDebouncing: Bool { wait.first?.limiter.waiting != nil }

        mutating func changeWait(_ body: (inout Wait) -> Void) {
            if wait.isEmpty { wait.append(Wait()) }
            body(&wait[0])
            if wait[0].isIdle { wait = [] }
        }

        /// Passes a request to the rate limiter, and notes its feedback if it opens a window.
        mutating func limiting<Result>(
            _ request: EffectPlan, _ body: (inout RateLimiter<EffectPlan>) -> Result
        ) -> Result {
            var wait = wait.first ?? Wait()
            let before = wait.limiter.windowEnd
            let result = body(&wait.limiter)
            if wait.limiter.windowEnd != before { wait.windowOpener = request.requester }
            changeWait { $0 = wait }
            return result
        }
    }

    /// A pending request, with the number under which it was requested, and when.
    struct QueuedRequest: Sendable {
        let request: EffectPlan
        let requestNumber: Int
        let since: Duration
    }

    /// The requests of a key that are pending, and its throttle window.
    struct Wait: Sendable {
        var requests = Deque<QueuedRequest>()
        /// The request that is debounced, or waits for the end of the throttle window, and that window.
        var limiter = RateLimiter<EffectPlan>()
        /// The feedback whose request has opened the window, where feedbacks share the key.
        var windowOpener: Int?

        /// The request that starts next.
        var nextRequest: EffectPlan? { requests.first?.request ?? limiter.waiting?.value }

        var isIdle: Bool { requests.isEmpty && limiter.isIdle }
    }

    enum EffectStep: Sendable {
        /// Starts a request immediately, under the number of the request.
        case start(EffectPlan, feedback: Int, requestNumber: Int)
        /// Starts a queued or debounced request, under a new run number.
        case startAfterWait(EffectPlan, feedback: Int, requestNumber: Int)
        case cancel(EffectRun)
        case update(@Sendable () -> Void, runs: [Int])
        /// Schedules a call of ``debounceFired(_:number:now:_:)`` after the duration.
        case scheduleDebounce(EffectName, number: Int, Duration)
        /// Cancels the debounce timer of a name.
        case cancelDebounce(EffectName)
    }

    typealias Steps = Deque<EffectStep>

    /// The slots of each feedback, by its number.
    var slots: [KeyedEffects]
    /// The numbers of removed feedbacks, for reuse.
    var free: [Int] = []
    /// The last number given to a request or a run; both share one count.
    var lastNumber = 0
    /// The number of slots in one feedback at which idle slots are swept. Doubled after a sweep, so that its cost is
    /// amortized.
    var sweepAt = 64

    init(feedbacks: Int) { slots = Array(repeating: KeyedEffects(), count: feedbacks) }

    // MARK: Requests

    /// Makes these the only running requests of a feedback: starts new ones, cancels all others.
    mutating func keep(
        _ requests: SmallArray<EffectPlan>, of feedback: Int, now: () -> Duration,
        _ steps: inout Steps
    ) {
        if !slots[feedback].isEmpty { cancelOthers(than: requests, of: feedback, now, &steps) }
        guard let first = requests.first else { return }
        guard !requests.rest.isEmpty else { return ask(first, feedback, now, &steps) }
        // If several requests have one key, the last one counts.
        var places: [EffectKey: Int] = [:]
        let all = requests.all
        for (place, request) in all.enumerated() { places[request.key] = place }
        for (place, request) in all.enumerated() where places[request.key] == place {
            ask(request, feedback, now, &steps)
        }
    }

    mutating func cancelOthers(
        than requests: SmallArray<EffectPlan>, of feedback: Int, _ now: () -> Duration,
        _ steps: inout Steps
    ) {
        // A linear search is faster for a few requests; for many, a set avoids quadratic cost.
        let many = requests.rest.count > 8 ? Set(requests.all.map { $0.key }) : nil
        var removedKeys: [EffectKey] = []
        slots[feedback].forEach { key, _ in
            if !(many?.contains(key) ?? requests.contains { $0.key == key }) { removedKeys.append(key) }
        }
        guard !removedKeys.isEmpty else { return }
        var removedSlots: [EffectSlot] = []
        for key in removedKeys {
            guard let slot = slots[feedback].remove(key) else { continue }
            let name = EffectName(feedback: feedback, key: key)
            if slot.isDebouncing { steps.append(.cancelDebounce(name)) }
            if let end = slot.wait.first?.limiter.windowEnd, now() < end {
                withSlot(name) { $0.changeWait { $0.limiter.windowEnd = end } }
            }
            removedSlots.append(slot)
        }
        cancel(removedSlots, &steps)
    }

    mutating func ask(
        _ request: EffectPlan, _ feedback: Int, _ now: () -> Duration, _ steps: inout Steps
    ) {
        let name = EffectName(feedback: feedback, key: request.key)
        let number = nextNumber()
        withSlot(name) { slot in
            guard slot.revision != request.revision || request.revision == .restart else { return }
            slot.revision = request.revision
            // A run that has ended but is not removed yet receives no update.
            if let update = request.update, slot.runs.contains(where: \.isWanted) {
                return steps.append(.update(update, runs: slot.runs.all.map { $0.number }))
            }
            if Self.begins(request, name, &slot, number, now, &steps) {
                steps.append(.start(request, feedback: feedback, requestNumber: number))
            }
        }
    }

    /// Starts a request in addition to those that the feedback keeps running, subject to its policy.
    ///
    /// - Returns: The number of the request, for the caller to start after performing the steps; nil if the request is
    ///   not started now.
    mutating func start(
        _ request: EffectPlan, of feedback: Int, now: () -> Duration, _ steps: inout Steps
    ) -> Int? {
        if slots[feedback].count >= sweepAt { sweep(feedback, now()) }
        let name = EffectName(feedback: feedback, key: request.key)
        let number = nextNumber()
        var starts = false
        withSlot(name) { starts = Self.begins(request, name, &$0, number, now, &steps) }
        return starts ? number : nil
    }

    mutating func nextNumber() -> Int {
        lastNumber &+= 1
        return lastNumber
    }

    mutating func withSlot(_ name: EffectName, _ body: (inout EffectSlot) -> Void) {
        slots[name.feedback].change(name.key, makes: true) { slot in
            body(&slot)
            return false
        }
    }

    static func begins(
        _ request: EffectPlan, _ name: EffectName, _ slot: inout EffectSlot, _ number: Int,
        _ now: () -> Duration, _ steps: inout Steps
    ) -> Bool {
        switch request.policy {
        case .concurrent: break
        case .replace: cancelRuns(&slot, name, &steps)
        case .drop: return slot.runs.isEmpty
        case .queue:
            guard !slot.runs.isEmpty else { return true }
            let queued = QueuedRequest(request: request, requestNumber: number, since: now())
            slot.changeWait { $0.requests.append(queued) }
            return false
        case .debounce, .debounceThenReplace, .throttle:
            guard let limit = request.policy.rateLimit else { break }
            switch slot.limiting(request, { $0.decision(limit, now) }) {
            case .discard: return false
            case .pass: cancelRuns(&slot, name, &steps)
            case .wait(let pause):
                if case .debounce = request.policy { cancelRuns(&slot, name, &steps) }
                slot.changeWait { $0.limiter.wait(request, number, limit, at: now()) }
                steps.append(.scheduleDebounce(name, number: number, pause))
                return false
            }
        }
        return true
    }
}
