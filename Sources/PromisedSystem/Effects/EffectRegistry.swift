internal import Promise

/// All running work of a system, by feedback and key: for the owner of the loop.
///
/// It decides and keeps; starting, cancelling and waiting are done by whoever owns it, when the decision is made,
/// as they may call back.
@usableFromInline
struct EffectRegistry<Event: Sendable>: Sendable {
    @usableFromInline
    struct Slot: Sendable {
        /// Of the request that is asked for; nil where an event has set the work off, and nobody asks any more.
        @usableFromInline var revision: EffectKey?
        @usableFromInline var runs = Few<EffectRun>()
        /// Runs that have ended, and some of whose events still wait.
        @usableFromInline var ended = Few<EffectRun>()
        @usableFromInline var waiting = FIFO<EffectRequest<Event>>()
        /// Waits until nothing new has come, and the number that it goes by.
        @usableFromInline var quiet: EffectRequest<Event>?
        @usableFromInline var quietNumber = 0
        @usableFromInline var windowEnd: Duration?

        @inlinable
        init(_ revision: EffectKey?) { self.revision = revision }

        /// Whether there is nothing that it is needed for.
        @inlinable var isIdle: Bool {
            revision == nil && runs.isEmpty && ended.isEmpty && waiting.isEmpty && quiet == nil
                && windowEnd == nil
        }
    }

    @usableFromInline
    enum Step: Sendable {
        case start(EffectRequest<Event>, EffectName)
        case cancel(EffectRun)
        case update(@Sendable () -> Void)
        /// Ask ``becameQuiet(_:number:)`` after a while.
        case awaitQuiet(EffectName, number: Int, Duration)
    }

    @usableFromInline typealias Steps = FIFO<Step>

    /// For each feedback.
    @usableFromInline var slots: [[EffectKey: Slot]]
    /// Counts what was asked for.
    @usableFromInline var lastNumber = 0
    /// As many slots of one feedback as there may be before those that are idle by now are looked for.
    @usableFromInline var sweepAt = 64

    @inlinable
    init(feedbacks: Int) { slots = Array(repeating: [:], count: feedbacks) }

    // MARK: Asking

    /// Keeps exactly these running for a feedback.
    @inlinable
    mutating func keep(
        _ requests: Few<EffectRequest<Event>>, of feedback: Int, now: () -> Duration, _ steps: inout Steps
    ) {
        if !slots[feedback].isEmpty { cancelOthers(than: requests, of: feedback, &steps) }
        guard let first = requests.first else { return }
        guard !requests.rest.isEmpty else { return ask(first, feedback, now, &steps) }
        // Of several under one key the last counts.
        var places: [EffectKey: Int] = [:]
        let all = requests.all
        for (place, request) in all.enumerated() { places[request.key] = place }
        for (place, request) in all.enumerated() where places[request.key] == place {
            ask(request, feedback, now, &steps)
        }
    }

    @usableFromInline
    mutating func cancelOthers(
        than requests: Few<EffectRequest<Event>>, of feedback: Int, _ steps: inout Steps
    ) {
        let wanted = Set(requests.all.map(\.key))
        for key in slots[feedback].keys where !wanted.contains(key) {
            guard let slot = slots[feedback].removeValue(forKey: key) else { continue }
            Self.cancel(slot, &steps)
        }
    }

    @inlinable
    mutating func ask(
        _ request: EffectRequest<Event>, _ feedback: Int, _ now: () -> Duration, _ steps: inout Steps
    ) {
        let name = EffectName(feedback: feedback, key: request.key)
        lastNumber += 1
        let number = lastNumber
        withSlot(name) { slot in
            guard slot.revision != request.revision else { return }
            slot.revision = request.revision
            if let update = request.update, !slot.runs.isEmpty { return steps.append(.update(update)) }
            Self.begin(request, name, &slot, number, now, &steps)
        }
    }

    /// Starts work beside what a feedback keeps running, as the request's policy says.
    @inlinable
    mutating func start(
        _ request: EffectRequest<Event>, of feedback: Int, now: () -> Duration, _ steps: inout Steps
    ) {
        if slots[feedback].count >= sweepAt { sweep(feedback, now()) }
        let name = EffectName(feedback: feedback, key: request.key)
        lastNumber += 1
        let number = lastNumber
        withSlot(name) { Self.begin(request, name, &$0, number, now, &steps) }
    }

    @inlinable
    mutating func withSlot(_ name: EffectName, _ body: (inout Slot) -> Void) {
        body(&slots[name.feedback][name.key, default: Slot(nil)])
    }

    @inlinable
    static func begin(
        _ request: EffectRequest<Event>, _ name: EffectName, _ slot: inout Slot, _ number: Int,
        _ now: () -> Duration, _ steps: inout Steps
    ) {
        switch request.policy {
        case .concurrent: break
        case .replace: cancelRuns(&slot, &steps)
        case .drop: guard slot.runs.isEmpty else { return }
        case .queue: guard slot.runs.isEmpty else { return slot.waiting.append(request) }
        case .throttle(let window):
            let now = now()
            if let end = slot.windowEnd, now < end { return }
            slot.windowEnd = now + window
            cancelRuns(&slot, &steps)
        case .debounce(let pause):
            (slot.quiet, slot.quietNumber) = (request, number)
            return steps.append(.awaitQuiet(name, number: number, pause))
        }
        steps.append(.start(request, name))
    }

    // MARK: Ending

    @inlinable
    static func cancelRuns(_ slot: inout Slot, _ steps: inout Steps) {
        guard !(slot.runs.isEmpty && slot.ended.isEmpty && slot.waiting.isEmpty) else { return }
        cancel(slot, &steps)
        (slot.runs, slot.ended, slot.waiting) = (Few(), Few(), FIFO())
    }

    @inlinable
    static func cancel(_ slot: Slot, _ steps: inout Steps) {
        slot.runs.forEach { steps.append(.cancel($0)) }
        slot.ended.forEach { steps.append(.cancel($0)) }
    }

    /// Ends everything under a key, in whichever feedback; the key stays known where it is asked for.
    @usableFromInline
    mutating func cancel(everywhere key: EffectKey, _ steps: inout Steps) {
        for feedback in slots.indices {
            guard let slot = slots[feedback].removeValue(forKey: key) else { continue }
            Self.cancel(slot, &steps)
            if slot.revision != nil { slots[feedback][key] = Slot(slot.revision) }
        }
    }

    @usableFromInline
    mutating func cancelAll(_ steps: inout Steps) {
        for slot in slots.flatMap(\.values) { Self.cancel(slot, &steps) }
        slots = Array(repeating: [:], count: slots.count)
    }

    // MARK: What becomes of it

    /// Nothing new has come under a key that waits for quiet.
    @usableFromInline
    mutating func becameQuiet(_ name: EffectName, number: Int, _ steps: inout Steps) {
        guard let slot = slots[name.feedback][name.key], slot.quietNumber == number, let request = slot.quiet
        else { return }
        withSlot(name) { slot in
            slot.quiet = nil
            Self.cancelRuns(&slot, &steps)
            steps.append(.start(request, name))
        }
    }

    /// A run begins.
    @inlinable
    mutating func began(_ run: EffectRun) { withSlot(run.name) { $0.runs.append(run) } }

    /// A run has ended: what waits for it comes next.
    @inlinable
    mutating func ended(_ run: EffectRun, now: () -> Duration, _ steps: inout Steps) {
        update(run.name, now) { slot in
            guard slot.runs.remove(where: { $0 === run }) else { return }
            if run.hasEventsWaiting { slot.ended.append(run) }
            guard slot.runs.isEmpty, let next = slot.waiting.popFirst() else { return }
            steps.append(.start(next, run.name))
        }
    }

    /// The last event of a run has had its turn.
    @inlinable
    mutating func forget(_ run: EffectRun, now: () -> Duration) {
        update(run.name, now) { slot in _ = slot.ended.remove { $0 === run } }
    }

    /// Changes a slot, and gives up one that is needed no longer.
    @inlinable
    mutating func update(_ name: EffectName, _ now: () -> Duration, _ body: (inout Slot) -> Void) {
        guard let index = slots[name.feedback].index(forKey: name.key) else { return }
        body(&slots[name.feedback].values[index])
        if let end = slots[name.feedback].values[index].windowEnd, end <= now() {
            slots[name.feedback].values[index].windowEnd = nil
        }
        if slots[name.feedback].values[index].isIdle { slots[name.feedback].remove(at: index) }
    }

    @usableFromInline
    mutating func sweep(_ feedback: Int, _ now: Duration) {
        for (key, slot) in slots[feedback] {
            guard let end = slot.windowEnd, end <= now else { continue }
            slots[feedback][key]?.windowEnd = nil
            if slots[feedback][key]?.isIdle == true { slots[feedback][key] = nil }
        }
        sweepAt = max(64, 2 * slots[feedback].count)
    }
}
