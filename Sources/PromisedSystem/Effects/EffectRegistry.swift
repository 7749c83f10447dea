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
        @usableFromInline var runs = SmallArray<EffectRun>()
        /// Runs that have ended, and some of whose events still wait.
        @usableFromInline var ended = SmallArray<EffectRun>()
        /// What waits, if anything does: one at most, in an array because that takes the room of a pointer.
        @usableFromInline var wait: [Wait] = []

        @inlinable
        init(_ revision: EffectKey?) { self.revision = revision }

        /// Whether there is nothing that it is needed for.
        @inlinable var isIdle: Bool { revision == nil && runs.isEmpty && ended.isEmpty && wait.isEmpty }

        @inlinable var isAwaitingQuiet: Bool { wait.first?.quiet != nil }

        @usableFromInline
        mutating func changeWait(_ body: (inout Wait) -> Void) {
            if wait.isEmpty { wait.append(Wait()) }
            body(&wait[0])
            if wait[0].isIdle { wait = [] }
        }
    }

    /// A request that waits, and the number under which it was asked for.
    @usableFromInline
    struct Waiting: Sendable {
        @usableFromInline let request: EffectRequest<Event>
        @usableFromInline let asked: Int

        @inlinable
        init(request: EffectRequest<Event>, asked: Int) { (self.request, self.asked) = (request, asked) }
    }

    /// What waits under a key.
    @usableFromInline
    struct Wait: Sendable {
        @usableFromInline var requests = Deque<Waiting>()
        /// Waits until nothing new has come, and the number that it goes by.
        @usableFromInline var quiet: EffectRequest<Event>?
        @usableFromInline var quietNumber = 0
        /// When the window ends that `throttle` has opened.
        @usableFromInline var windowEnd: Duration?

        var isIdle: Bool { requests.isEmpty && quiet == nil && windowEnd == nil }
    }

    @usableFromInline
    enum Step: Sendable {
        /// A request that did not have to wait.
        case start(EffectRequest<Event>, feedback: Int, asked: Int)
        /// One that waited until it was its turn.
        case startAfterWait(EffectRequest<Event>, feedback: Int, asked: Int)
        case cancel(EffectRun)
        case update(@Sendable () -> Void, runs: [Int])
        /// Ask ``debounceFired(_:number:)`` after a while.
        case scheduleDebounce(EffectName, number: Int, Duration)
        /// Nobody waits for that any more.
        case callOff(EffectName)
    }

    @usableFromInline typealias Steps = Deque<Step>

    /// For each feedback.
    @usableFromInline var slots: [KeyedEffects]
    /// Of feedbacks that were removed.
    var free: [Int] = []
    /// Counts what was asked for, and what was started.
    @usableFromInline var lastNumber = 0
    /// As many slots of one feedback as there may be before those that are idle by now are looked for.
    @usableFromInline var sweepAt = 64

    @inlinable
    init(feedbacks: Int) { slots = Array(repeating: KeyedEffects(), count: feedbacks) }

    // MARK: Asking

    /// Keeps exactly these running for a feedback.
    @inlinable
    mutating func keep(
        _ requests: SmallArray<EffectRequest<Event>>, of feedback: Int, now: () -> Duration,
        _ steps: inout Steps
    ) {
        if !slots[feedback].isEmpty { cancelOthers(than: requests, of: feedback, now, &steps) }
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

    @inlinable
    mutating func cancelOthers(
        than requests: SmallArray<EffectRequest<Event>>, of feedback: Int, _ now: () -> Duration,
        _ steps: inout Steps
    ) {
        // A few are looked through; for many there is a table.
        let many = requests.rest.count > 8 ? Set(requests.all.map { $0.key }) : nil
        var gone: [EffectKey] = []
        slots[feedback].forEach { key, _ in
            if !(many?.contains(key) ?? requests.contains { $0.key == key }) { gone.append(key) }
        }
        guard !gone.isEmpty else { return }
        var unwanted: [Slot] = []
        for key in gone {
            guard let slot = slots[feedback].remove(key) else { continue }
            let name = EffectName(feedback: feedback, key: key)
            if slot.isAwaitingQuiet { steps.append(.callOff(name)) }
            if let end = slot.wait.first?.windowEnd, now() < end {
                withSlot(name) { $0.changeWait { $0.windowEnd = end } }
            }
            unwanted.append(slot)
        }
        cancel(unwanted, &steps)
    }

    @inlinable
    mutating func ask(
        _ request: EffectRequest<Event>, _ feedback: Int, _ now: () -> Duration, _ steps: inout Steps
    ) {
        let name = EffectName(feedback: feedback, key: request.key)
        let number = nextNumber()
        withSlot(name) { slot in
            guard slot.revision != request.revision else { return }
            slot.revision = request.revision
            // Work that is over, though nobody has looked yet, hears of nothing.
            if let update = request.update, slot.runs.contains(where: \.isWanted) {
                return steps.append(.update(update, runs: slot.runs.all.map { $0.number }))
            }
            if Self.begins(request, name, &slot, number, now, &steps) {
                steps.append(.start(request, feedback: feedback, asked: number))
            }
        }
    }

    /// Starts work beside what a feedback keeps running, as the request's policy says.
    ///
    /// - Returns: The number under which it is to start when the steps are done; nil if it is not.
    @inlinable
    mutating func start(
        _ request: EffectRequest<Event>, of feedback: Int, now: () -> Duration, _ steps: inout Steps
    ) -> Int? {
        if slots[feedback].count >= sweepAt { sweep(feedback, now()) }
        let name = EffectName(feedback: feedback, key: request.key)
        let number = nextNumber()
        var starts = false
        withSlot(name) { starts = Self.begins(request, name, &$0, number, now, &steps) }
        return starts ? number : nil
    }

    @inlinable
    mutating func nextNumber() -> Int {
        lastNumber &+= 1
        return lastNumber
    }

    @inlinable
    mutating func withSlot(_ name: EffectName, _ body: (inout Slot) -> Void) {
        slots[name.feedback].change(name.key, makes: true) { slot in
            body(&slot)
            return false
        }
    }

    @inlinable
    static func begins(
        _ request: EffectRequest<Event>, _ name: EffectName, _ slot: inout Slot, _ number: Int,
        _ now: () -> Duration, _ steps: inout Steps
    ) -> Bool {
        switch request.policy {
        case .concurrent: break
        case .replace: cancelRuns(&slot, name, &steps)
        case .drop: return slot.runs.isEmpty
        case .queue:
            guard !slot.runs.isEmpty else { return true }
            slot.changeWait { $0.requests.append(Waiting(request: request, asked: number)) }
            return false
        case .throttle(let window):
            guard opens(window, now(), &slot) else { return false }
            cancelRuns(&slot, name, &steps)
        case .debounce(let pause):
            cancelRuns(&slot, name, &steps)
            scheduleDebounce(request, name, &slot, number, pause, &steps)
            return false
        case .debounceThenReplace(let pause):
            scheduleDebounce(request, name, &slot, number, pause, &steps)
            return false
        }
        return true
    }

    @usableFromInline
    static func scheduleDebounce(
        _ request: EffectRequest<Event>, _ name: EffectName, _ slot: inout Slot, _ number: Int,
        _ pause: Duration, _ steps: inout Steps
    ) {
        slot.changeWait { ($0.quiet, $0.quietNumber) = (request, number) }
        steps.append(.scheduleDebounce(name, number: number, pause))
    }

    /// Opens a window; false while one is open.
    @usableFromInline
    static func opens(_ window: Duration, _ now: Duration, _ slot: inout Slot) -> Bool {
        if let end = slot.wait.first?.windowEnd, now < end { return false }
        slot.changeWait { $0.windowEnd = now.later(by: window) }
        return true
    }
}
