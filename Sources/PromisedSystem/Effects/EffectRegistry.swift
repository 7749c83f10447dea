internal import Promise

/// All running work of a system, by key: for the owner of the loop.
///
/// It decides and keeps; starting, cancelling and waiting are done by whoever owns it, when the decision is made,
/// as they may call back.
struct EffectRegistry<Event: Sendable> {
    typealias Name = EffectName

    struct Slot {
        var revision: EffectKey
        var runs: [EffectRun] = []
        /// Runs that have ended, and some of whose events still wait.
        var ended: [EffectRun] = []
        var waiting = FIFO<EffectRequest<Event>>()
        /// Counts the requests that wait for quiet.
        var quietNumber = 0
        var quiet: EffectRequest<Event>?
        var windowEnd: Duration?
    }

    enum Step {
        case start(EffectRequest<Event>, Name)
        case cancel(EffectRun)
        case update(@Sendable () -> Void)
        /// Ask ``becameQuiet(_:number:)`` after a while.
        case awaitQuiet(Name, number: Int, Duration)
    }

    private var slots: [Name: Slot] = [:]

    /// What is to be done so that exactly these are running for a feedback, which asked for `before` so far.
    mutating func apply(
        _ requests: [EffectRequest<Event>], of feedback: Int, before: [EffectRequest<Event>], now: Duration
    ) -> [Step] {
        var steps: [Step] = []
        var wanted: [EffectKey: EffectKey] = [:]
        for request in requests { wanted[request.key] = request.revision }
        for request in before where wanted[request.key] == nil {
            steps += cancel(Name(feedback: feedback, key: request.key))
        }
        for request in requests where wanted[request.key] == request.revision {
            steps += ask(request, Name(feedback: feedback, key: request.key), now)
        }
        return steps
    }

    /// Ends everything under a name.
    mutating func cancel(_ name: Name) -> [Step] {
        slots.removeValue(forKey: name).map { ($0.runs + $0.ended).map(Step.cancel) } ?? []
    }

    /// Ends everything under a key, in whichever feedback; the key stays known where it is asked for.
    mutating func cancel(everywhere key: EffectKey) -> [Step] {
        var steps: [Step] = []
        for name in slots.keys where name.key == key {
            guard let slot = slots[name] else { continue }
            steps += (slot.runs + slot.ended).map(Step.cancel)
            slots[name] = Slot(revision: slot.revision, quietNumber: slot.quietNumber)
        }
        return steps
    }

    mutating func cancelAll() -> [Step] {
        defer { slots = [:] }
        return slots.values.flatMap { ($0.runs + $0.ended).map(Step.cancel) }
    }

    private mutating func ask(_ request: EffectRequest<Event>, _ name: Name, _ now: Duration) -> [Step] {
        guard var slot = slots[name] else {
            slots[name] = Slot(revision: request.revision)
            return begin(request, name, now)
        }
        guard slot.revision != request.revision else { return [] }
        slot.revision = request.revision
        slots[name] = slot
        if let update = request.update, !slot.runs.isEmpty { return [.update(update)] }
        return begin(request, name, now)
    }

    private mutating func begin(_ request: EffectRequest<Event>, _ name: Name, _ now: Duration) -> [Step] {
        guard request.work != nil else { return cancelRuns(name) }
        let isRunning = slots[name]?.runs.isEmpty == false
        switch request.policy {
        case .concurrent: return [.start(request, name)]
        case .replace: return cancelRuns(name) + [.start(request, name)]
        case .drop: return isRunning ? [] : [.start(request, name)]
        case .queue:
            guard isRunning else { return [.start(request, name)] }
            slots[name]?.waiting.append(request)
            return []
        case .throttle(let window):
            if let end = slots[name]?.windowEnd, now < end { return [] }
            slots[name]?.windowEnd = now + window
            return cancelRuns(name) + [.start(request, name)]
        case .debounce(let pause):
            slots[name]?.quietNumber += 1
            slots[name]?.quiet = request
            return [.awaitQuiet(name, number: slots[name]?.quietNumber ?? 0, pause)]
        }
    }

    private mutating func cancelRuns(_ name: Name) -> [Step] {
        guard let slot = slots[name] else { return [] }
        slots[name]?.runs = []
        slots[name]?.ended = []
        slots[name]?.waiting.removeAll()
        return (slot.runs + slot.ended).map(Step.cancel)
    }

    mutating func becameQuiet(_ name: Name, number: Int) -> [Step] {
        guard let slot = slots[name], slot.quietNumber == number, let request = slot.quiet else { return [] }
        slots[name]?.quiet = nil
        return cancelRuns(name) + [.start(request, name)]
    }

    /// A run begins; false when its key has gone meanwhile.
    mutating func began(_ run: EffectRun) -> Bool {
        guard slots[run.name] != nil else { return false }
        slots[run.name]?.runs.append(run)
        return true
    }

    /// A run has ended: what waits for it comes next.
    mutating func ended(_ run: EffectRun) -> [Step] {
        guard let place = slots[run.name]?.runs.firstIndex(where: { $0 === run }) else { return [] }
        slots[run.name]?.runs.remove(at: place)
        slots[run.name]?.ended.removeAll { !$0.hasEventsWaiting }
        if run.hasEventsWaiting { slots[run.name]?.ended.append(run) }
        guard slots[run.name]?.runs.isEmpty == true, let next = slots[run.name]?.waiting.popFirst() else {
            return []
        }
        return [.start(next, run.name)]
    }
}
