internal import Promise
internal import PromisedSystem
internal import PromisedTesting

/// A configuration: everything that a later step can depend on, as a list of numbers in which equal values have equal
/// numbers. Of the list, only its fingerprint is kept.
///
/// It has all that the loops, the scheduler and the world hold (``LoopSnapshot``, the timers, the open calls, the
/// variables, the outcomes that promises remember), and for each piece of work that is referenced there its history:
/// what it was started with, and everything that it has learned since. Work whose causes are not known in detail has
/// the whole path as its history, so that nothing is merged that could differ.
struct WorldConfiguration {
    private(set) var fingerprint = Fingerprint()
    /// Whether a transition is running, so that events that are enqueued are not processed yet; false where work may
    /// depend on them even then.
    private(set) var isBusy = false
    /// Whether it contains work that may depend on everything that happens.
    private(set) var followsPath = false
    /// The event at the end of the queue, unless an effect has sent it, and the configuration without it.
    private(set) var queued: (before: Fingerprint, event: Int)?
    /// The settled state and the variables, if the configuration consists of nothing else.
    private(set) var rest: [Int]?
    /// The indices of the open calls in an order that does not depend on when they were opened; nil if it is the same.
    private(set) var callOrder: [Int]?

    private var words: [Int] = []
    private let record: PathRecord
    private let numbers: WorldNumbers
    private let now: Duration
    /// The work that was encoded, in this order: a further reference is its place.
    private var works: [ObjectIdentifier: Int] = [:]
    /// The timers of the loops, by the place where their purposes are encoded.
    private var loopTimers: [ObjectIdentifier: Int] = [:]

    init(of run: ExplorationRun, _ numbers: WorldNumbers) {
        (record, self.numbers, now) = (run.record, numbers, run.world.scheduler.unobservedNow)
        words.reserveCapacity(48)
        words.append(run.isBetween ? 1 : 0)
        if record.findings.dependencies.contains(.clock) { append(now) }
        let systems = run.moment.systems
        for (snapshot, record) in systems {
            guard let snapshot else {
                words.append(ConfigurationMark.over)
                continue
            }
            encodeTurn(snapshot, record)
            encodeHistory(snapshot)
            encodeSlots(snapshot.slots, record)
            encodeMemories(snapshot, record)
        }
        // The queues come last, so that enqueuing an event appends to the encoding.
        for (snapshot, record) in systems.dropFirst() {
            words.append(ConfigurationMark.system)
            encodeDelayed(snapshot, record)
            encodeQueue(snapshot, record)
        }
        encodeDelayed(systems.first?.snapshot, systems.first?.record)
        encodeTimers(run.moment.timers)
        encodeCalls(run.moment.calls)
        encodeRemembered()
        let isRest = words.count == 3 && words[2] < 0 && !run.isBetween
        words += run.world.variables
        if isRest { rest = [words[1]] + words[3...] }
        let (first, count) = (systems.first, words.count)
        encodeMonitors(run)
        if let first { encodeQueue(first.snapshot, first.record) }
        // An event that is sent now may also enqueue the delayed ones.
        let isOrdered = first?.snapshot?.waiting.contains { $0.traits.contains(.keepsOrder) } ?? false
        isBusy = first?.snapshot?.turn != nil && !followsPath && !isOrdered
        if words.count > count { rest = nil }
        let last = isBusy ? first?.snapshot?.waiting.last { $0.line == .queue } : nil
        let isPlain = last.map { $0.run == nil && $0.cascadeDepth == 0 && $0.traits.isEmpty } ?? false
        for word in isPlain ? words.dropLast(Self.queuedCount) : words[...] { fingerprint.append(word) }
        if isPlain, let last {
            queued = (fingerprint, last.event)
            fingerprint = Self.fingerprint(of: fingerprint, andQueued: last.event)
        }
    }

    /// The fingerprint of a configuration in which an event without a sender has been enqueued.
    static func fingerprint(of base: Fingerprint, andQueued event: Int) -> Fingerprint {
        var fingerprint = base
        for word in [ConfigurationMark.queued, event, 0, 0] { fingerprint.append(word) }
        return fingerprint
    }

    private static let queuedCount = 4

    private mutating func append(_ duration: Duration) {
        words.append(Int(duration.components.seconds))
        words.append(Int(duration.components.attoseconds))
    }

    private mutating func append(_ key: EffectKey) { words.append(numbers.number(of: key)) }

    /// Encodes the history of a piece of work, or the place where it was encoded.
    private mutating func refer(to work: WorkItem?) {
        followsPath = followsPath || work?.followsPath ?? true
        guard let work else { return words += [ConfigurationMark.whole, record.path] }
        if let place = works[ObjectIdentifier(work)] { return words += [ConfigurationMark.reference, place] }
        works[ObjectIdentifier(work)] = works.count
        words += [ConfigurationMark.work, work.history]
    }

    private mutating func note(_ timer: ScheduledWork?) {
        if let timer { loopTimers[ObjectIdentifier(timer)] = words.count }
    }
}

// The loop of a system.
extension WorldConfiguration {
    private mutating func encodeTurn(_ snapshot: LoopSnapshot, _ record: SystemRecord) {
        words += [snapshot.settled, snapshot.interim ?? -1]
        guard let turn = snapshot.turn else { return }
        words += [ConfigurationMark.turn, turn.cascadeDepth, turn.events.count] + turn.events
        for timer in turn.timers { note(timer) }
        refer(to: record.transition)
    }

    private mutating func encodeHistory(_ snapshot: LoopSnapshot) {
        guard record.findings.dependencies.contains(.history) else { return }
        let history = snapshot.history()
        words += [ConfigurationMark.history, history.count] + history
    }

    private mutating func encodeSlots(_ slots: [LoopSnapshot.KeySlot], _ record: SystemRecord) {
        var sorted: [(place: [Int], slot: LoopSnapshot.KeySlot)] = inOrder(slots).map { slot in
            (
                [slot.feedback] + slot.path.map { numbers.number(of: $0) } + [numbers.number(of: slot.key)],
                slot
            )
        }
        if sorted.count > 1 { sorted.sort { $0.place.lexicographicallyPrecedes($1.place) } }
        for (place, slot) in sorted {
            words += [ConfigurationMark.slot, place.count] + place
            words += [slot.isAskedFor ? 1 : 0, slot.revision.map { numbers.number(of: $0) } ?? -1]
            if let end = slot.windowEnd {
                words.append(ConfigurationMark.window)
                append(end - now)
                words.append(slot.windowOpener ?? -1)
            }
            for runs in [slot.runs, slot.ended] {
                words.append(runs.count)
                for run in runs { refer(to: record.run(run)) }
            }
            note(slot.timer)
            if let window = slot.nextWindow { append(window) }
            for waiting in [slot.waiting, slot.debounced] {
                words.append(waiting.count)
                words += waiting
            }
        }
    }

    /// The slots in an order that is the same in every process, in which new keys get their numbers: they come from a
    /// hash table, whose order is not.
    private func inOrder(_ slots: [LoopSnapshot.KeySlot]) -> [LoopSnapshot.KeySlot] {
        guard slots.count > 1 else { return slots }
        return slots.map { (slot: $0, text: "\($0.path) \($0.key)") }
            .sorted { ($0.slot.runs.first ?? .max, $0.text) < ($1.slot.runs.first ?? .max, $1.text) }
            .map { $0.slot }
    }

    private mutating func encodeMemories(_ snapshot: LoopSnapshot, _ record: SystemRecord) {
        let memories = record.memories(withMiddleware: snapshot.hasMiddleware)
        if !memories.isEmpty { words += [ConfigurationMark.memory, memories.count] + memories }
    }

    /// The events that are not simply enqueued, and the open throttle windows.
    private mutating func encodeDelayed(_ snapshot: LoopSnapshot?, _ record: SystemRecord?) {
        guard let snapshot, let record else { return }
        for window in snapshot.windows {
            words.append(ConfigurationMark.window)
            append(window.key)
            append(window.end - now)
        }
        for waiting in snapshot.waiting where waiting.line != .queue { encode(waiting, record) }
    }

    private mutating func encodeQueue(_ snapshot: LoopSnapshot?, _ record: SystemRecord) {
        guard let snapshot else { return }
        for waiting in snapshot.waiting where waiting.line == .queue { encode(waiting, record) }
    }

    private mutating func encode(_ waiting: LoopSnapshot.QueuedEvent, _ record: SystemRecord) {
        words += [
            waiting.line == .queue ? ConfigurationMark.queued : ConfigurationMark.waiting, waiting.event,
            waiting.cascadeDepth,
        ]
        if waiting.line != .queue {
            words.append(waiting.line.rawValue)
            if let key = waiting.key { append(key) }
            note(waiting.timer)
            if let window = waiting.nextWindow { append(window) }
        }
        if !waiting.traits.isEmpty { words += [ConfigurationMark.waiting, waiting.traits.rawValue] }
        // Which part decides about it, is not known.
        if waiting.traits.contains(.isOfHandle) { refer(to: nil) }
        guard let run = waiting.run else { return words.append(0) }
        words.append(1)
        refer(to: record.run(run))
    }
}

// The contents of the world.
extension WorldConfiguration {
    private mutating func encodeTimers(_ timers: [TestScheduler.PendingTimer]) {
        for timer in timers {
            words.append(ConfigurationMark.timer)
            append(timer.left)
            if let place = loopTimers[ObjectIdentifier(timer.work)] {
                words += [ConfigurationMark.loop, place]
            } else {
                refer(to: timer.owner as? WorkItem)
                words.append(timer.number)
            }
        }
    }

    private mutating func encodeCalls(_ calls: [WorldCall]) {
        if calls.isEmpty { return }
        let keys = calls.map { call -> [Int] in
            let owner = call.owner
            let place = owner.flatMap { works[ObjectIdentifier($0)] } ?? .max
            return [
                numbers.number(ofCall: call.name), place, owner?.history ?? record.path, call.place,
                call.number,
            ]
        }
        let order = calls.indices.sorted { left, right in
            if calls[left].name != calls[right].name { return calls[left].name < calls[right].name }
            return keys[left].lexicographicallyPrecedes(keys[right])
        }
        callOrder = order.elementsEqual(calls.indices) ? nil : order
        for index in order {
            words += [ConfigurationMark.call, numbers.number(ofCall: calls[index].name)]
            refer(to: calls[index].owner)
            words += [calls[index].place, calls[index].count]
        }
    }

    /// The memories of the properties, and the count of preemptions.
    private mutating func encodeMonitors(_ run: ExplorationRun) {
        if !run.world.monitors.isEmpty { words += run.world.monitors.words(at: now) }
        guard record.findings.preemptions != nil else { return }
        let calls = run.world.openCalls
        words.append(run.preemption.count)
        for (place, index) in (callOrder ?? Array(calls.indices)).enumerated()
        where run.preemption.continuing.contains(calls[index].number) { words.append(place) }
        words.append(ConfigurationMark.whole)
    }

    /// The outcomes that promises remember, in an order that does not depend on when they were started.
    private mutating func encodeRemembered() {
        for outcome in record.outcomes.sorted() { words += [ConfigurationMark.remembered, outcome] }
    }
}

/// Markers before optional parts. They are negative, where other numbers at their positions are zero or more.
private enum ConfigurationMark {
    static let work = -10, reference = -11, whole = -12, turn = -13, slot = -14, window = -15, memory = -16
    static let waiting = -17, queued = -18, timer = -19, loop = -20, call = -21, remembered = -22, over = -23
    static let system = -24, history = -25
}
