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
final class WorldConfiguration {
    @exclusivity(unchecked) private(set) var fingerprint = Fingerprint()
    /// Whether a transition is running, so that events that are enqueued are not processed yet; false where work may
    /// depend on them even then.
    private(set) var isBusy = false
    /// Whether it contains work that may depend on everything that happens.
    @exclusivity(unchecked) private(set) var followsPath = false
    /// The event at the end of the queue, unless an effect has sent it, and the configuration without it.
    private(set) var queued: (before: Fingerprint, event: Int)?
    /// The settled state and the variables, if the configuration consists of nothing else.
    private(set) var rest: (state: Int, variables: [Int])?
    /// The indices of the open calls in an order that does not depend on when they were opened; nil if it is the same.
    private(set) var callOrder: [Int]?

    /// The number of words so far.
    @exclusivity(unchecked) private var count = 0
    let record: PathRecord
    let numbers: WorldNumbers
    let now: Duration
    /// The work that was encoded, in this order: a further reference is its place.
    @exclusivity(unchecked) private var works: [ObjectIdentifier] = []
    /// The timers of the loops, and the places where their purposes are encoded.
    @exclusivity(unchecked) private(set) var loopTimers: [(timer: ObjectIdentifier, place: Int)] = []
    /// What it consists of, by name; nil unless that is asked for.
    @exclusivity(unchecked) var parts: ConfigurationParts?

    /// - Parameter isNamed: Whether its parts are noted.
    init(of run: ExplorationRun, _ numbers: WorldNumbers, isNamed: Bool = false) {
        if isNamed { parts = ConfigurationParts() }
        let moment = run.moment
        (record, self.numbers, now) = (run.record, numbers, moment.now)
        name("whether the clock was stopped before the next instant")
        append(run.isBetween ? 1 : 0)
        let dependencies = record.findings.dependencies
        name("the time", [.plain("\(now)")])
        if dependencies.contains(.clock) { append(now) }
        name("the state", [.state(moment.rest ?? -1)])
        if let state = moment.rest { append(state, -1) } else { encodeSystems(moment, dependencies) }
        encodeTimers(moment.timers)
        callOrder = order(of: moment.calls)
        encodeCalls(moment.calls, in: callOrder)
        encodeRemembered()
        let first = moment.systems.first
        let isRest = count == 3 && first?.snapshot?.interim == nil && !run.isBetween
        let variables = moment.variables.isEmpty ? [] : moment.variables.map { $0.number(numbers) }
        for (index, variable) in variables.enumerated() {
            name("variable \(index + 1) of the world", [.value(variable)])
            append(variable)
        }
        let before = count
        name("what properties remember")
        if !run.world.monitors.isEmpty { append(contentsOf: run.world.monitors.words(at: now)) }
        if let snapshot = first?.snapshot, let record = first?.record { encodeEnd(snapshot, record) }
        if isRest, count == before, let state = moment.rest ?? first?.snapshot?.settled {
            rest = (state, variables)
        }
    }

    private func encodeSystems(_ moment: WorldSnapshot, _ dependencies: Dependencies) {
        let systems = moment.systems
        for (index, (system, snapshot, record)) in systems.enumerated() {
            begin(index)
            name(
                "the state",
                snapshot.map { [state($0.settled)] + [$0.interim].compactMap { $0.map(state) } } ?? [])
            guard let snapshot else {
                append(ConfigurationMark.over)
                continue
            }
            encodeTurn(snapshot, record)
            name("the kept states")
            if dependencies.contains(.history) { append(ConfigurationMark.history, counted: system.history) }
            if !snapshot.slots.isEmpty { encodeSlots(snapshot.slots, record) }
            encodeMemories(snapshot, record)
        }
        encodeForwarding()
        // The queues come last, so that enqueuing an event appends to the encoding.
        for (index, (_, snapshot, record)) in systems.enumerated().dropFirst() {
            begin(index)
            name("the queue")
            append(ConfigurationMark.system)
            encodeDelayed(snapshot, record)
            encodeQueue(snapshot, record)
        }
        begin(0)
        encodeDelayed(systems.first?.snapshot, systems.first?.record)
    }

    /// Encodes the queue of the explored system.
    private func encodeEnd(_ snapshot: LoopSnapshot, _ record: SystemRecord) {
        let last = snapshot.waiting.lastIndex { $0.line == .queue }
        let plain = last.flatMap { snapshot.waiting[$0].isPlain ? $0 : nil }
        encodeQueue(snapshot, record, except: plain)
        // An event that is sent now may also enqueue the delayed ones.
        let isOrdered = snapshot.waiting.contains { $0.traits.contains(.keepsOrder) }
        isBusy = snapshot.turn != nil && !followsPath && !isOrdered
        guard let plain else { return }
        let event = snapshot.waiting[plain].event
        if isBusy { queued = (fingerprint, event) }
        name("the queue", [.event(event)])
        parts?.add([event])
        fingerprint = Self.fingerprint(of: fingerprint, andQueued: event)
        count += 1
    }

    /// The fingerprint of a configuration in which an event without a sender has been enqueued.
    static func fingerprint(of base: Fingerprint, andQueued event: Int) -> Fingerprint {
        var fingerprint = base
        for word in [ConfigurationMark.queued, event, 0, 0] { fingerprint.append(word) }
        return fingerprint
    }

    @inline(__always)
    func append(_ words: Int...) { append(contentsOf: words) }

    /// Appends words, and then the number of others and these.
    @inline(__always)
    private func append(_ words: Int..., counted others: [Int]) {
        append(contentsOf: words)
        append(others.count)
        append(contentsOf: others)
    }

    @inline(__always)
    func append(contentsOf words: some Collection<Int>) {
        for word in words { fingerprint.append(word) }
        count += words.count
        parts?.add(words)
    }

    func append(_ duration: Duration) {
        append(Int(duration.components.seconds), Int(duration.components.attoseconds))
    }

    private func append(_ key: EffectKey) { append(numbers.number(of: key)) }

    /// Encodes the history of a piece of work, or the place where it was encoded.
    func refer(to work: WorkItem?) {
        guard let work else {
            followsPath = true
            return append(ConfigurationMark.whole, record.path)
        }
        let (history, followsPath) = work.knowledge
        if followsPath { self.followsPath = true }
        if let place = place(of: work) { return append(ConfigurationMark.reference, place) }
        works.append(ObjectIdentifier(work))
        append(ConfigurationMark.work, history)
    }

    func place(of work: WorkItem) -> Int? { works.firstIndex(of: ObjectIdentifier(work)) }

    private func note(_ timer: ScheduledWork?) {
        if let timer { loopTimers.append((ObjectIdentifier(timer), count)) }
    }
}

@available(*, unavailable)
extension WorldConfiguration: Sendable {}

// The loop of a system.
extension WorldConfiguration {
    private func encodeTurn(_ snapshot: LoopSnapshot, _ record: SystemRecord) {
        append(snapshot.settled, snapshot.interim ?? -1)
        guard let turn = snapshot.turn else { return }
        name("the running transition", turn.events.map(event))
        append(ConfigurationMark.turn, turn.cascadeDepth, counted: turn.events)
        for timer in turn.timers { note(timer) }
        refer(to: record.transition)
    }

    private func encodeSlots(_ slots: [LoopSnapshot.KeySlot], _ record: SystemRecord) {
        var sorted: [(place: [Int], slot: LoopSnapshot.KeySlot)] = inOrder(slots).map { slot in
            (
                [slot.feedback] + slot.path.map { numbers.number(of: $0) } + [numbers.number(of: slot.key)],
                slot
            )
        }
        if sorted.count > 1 { sorted.sort { $0.place.lexicographicallyPrecedes($1.place) } }
        for (place, slot) in sorted {
            name(Self.name(of: slot), text(of: slot))
            append(ConfigurationMark.slot, counted: place)
            append(slot.isAskedFor ? 1 : 0, slot.revision.map { numbers.number(of: $0) } ?? -1)
            if let end = slot.windowEnd {
                append(ConfigurationMark.window)
                append(end - now)
                append(slot.windowOpener ?? -1)
            }
            for runs in [slot.runs, slot.ended] {
                append(runs.count)
                for run in runs { refer(to: record.run(run)) }
            }
            note(slot.timer)
            if let window = slot.nextWindow { append(window) }
            append(counted: slot.waiting)
            append(counted: slot.debounced)
        }
    }

    private static func name(of slot: LoopSnapshot.KeySlot) -> String {
        let keys = slot.path + (slot.key.isUnnamed ? [] : [slot.key])
        if keys.isEmpty { return "the work without a key" }
        return "the work under \(keys.map { "\($0)" }.joined(separator: "/"))"
    }

    /// The slots in an order that is the same in every process, in which new keys get their numbers: they come from a
    /// hash table, whose order is not.
    private func inOrder(_ slots: [LoopSnapshot.KeySlot]) -> [LoopSnapshot.KeySlot] {
        let isKnown = slots.allSatisfy { slot in
            numbers.knows(slot.key) && slot.path.allSatisfy { numbers.knows($0) }
        }
        if slots.count == 1 || isKnown { return slots }
        return slots.map { (slot: $0, text: "\($0.path) \($0.key)") }
            .sorted { ($0.slot.runs.first ?? .max, $0.text) < ($1.slot.runs.first ?? .max, $1.text) }
            .map { $0.slot }
    }

    private func encodeMemories(_ snapshot: LoopSnapshot, _ record: SystemRecord) {
        name("what feedbacks and middleware remember")
        let memories = record.memories
        if !memories.isEmpty { append(ConfigurationMark.memory, counted: memories) }
        let waiting = record.pendingEnds.withLock { $0 }
        if waiting.isEmpty { return }
        name("the promises for the end of the queue")
        append(ConfigurationMark.remembered, waiting.count)
        for joiner in waiting { encode(joiner) }
    }

    /// The events that are not simply enqueued, and the open throttle windows.
    private func encodeDelayed(_ snapshot: LoopSnapshot?, _ record: SystemRecord?) {
        guard let snapshot, let record else { return }
        name("the delayed events")
        for window in snapshot.windows {
            append(ConfigurationMark.window)
            append(window.key)
            append(window.end - now)
        }
        for waiting in snapshot.waiting where waiting.line != .queue { encode(waiting, record) }
    }

    private func encodeQueue(
        _ snapshot: LoopSnapshot?, _ record: SystemRecord, except place: Int? = nil
    ) {
        guard let waiting = snapshot?.waiting else { return }
        for index in waiting.indices where waiting[index].line == .queue && index != place {
            encode(waiting[index], record)
        }
    }

    private func encode(_ waiting: LoopSnapshot.QueuedEvent, _ record: SystemRecord) {
        let isQueued = waiting.line == .queue
        name(isQueued ? "the queue" : "the delayed events", [event(waiting.event)])
        append(
            isQueued ? ConfigurationMark.queued : ConfigurationMark.waiting, waiting.event,
            waiting.cascadeDepth)
        if !isQueued {
            append(waiting.line.rawValue)
            if let key = waiting.key { append(key) }
            note(waiting.timer)
            if let window = waiting.nextWindow { append(window) }
        }
        if !waiting.traits.isEmpty { append(ConfigurationMark.waiting, waiting.traits.rawValue) }
        // Which part decides about it, is not known.
        if waiting.traits.contains(.isOfHandle) { refer(to: nil) }
        guard let run = waiting.run else { return append(0) }
        append(1)
        refer(to: record.run(run))
    }
}

extension LoopSnapshot.QueuedEvent {
    /// Whether nothing more is known of it than that it was sent.
    fileprivate var isPlain: Bool { run == nil && cascadeDepth == 0 && traits.isEmpty }
}

/// Markers before optional parts. They are negative, where other numbers at their positions are zero or more.
enum ConfigurationMark {
    static let work = -10, reference = -11, whole = -12, turn = -13, slot = -14, window = -15, memory = -16
    static let waiting = -17, queued = -18, timer = -19, loop = -20, call = -21, remembered = -22, over = -23
    static let system = -24, history = -25, inputs = -26
}
