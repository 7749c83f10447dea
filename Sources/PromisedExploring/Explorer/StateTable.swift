internal import Promise
internal import PromisedSystem
internal import PromisedTesting

/// Identifies configurations of a system by everything that determines what can happen next: the settled and the shown
/// state, the queue, the running work with its history, open calls, the remaining time of timers, and the variables of
/// the world.
///
/// A configuration is encoded as a list of numbers in which equal values have equal numbers. Lists are compared as a
/// whole, so hash collisions cannot merge two configurations.
final class StateTable {
    private var keys = Numbers<EffectKey>()
    private var names = Numbers<String>()
    private var known: [[Int]: Int] = [:]
    /// The known configurations, by number.
    private var moments: [Node] = []

    struct Node {
        fileprivate let words: [Int]
        /// Whether a transition is running: then events that are enqueued are not processed yet.
        let isBusy: Bool
        /// The number of events in the queue.
        let queued: Int
    }

    subscript(moment: Int) -> Node { moments[moment] }

    /// The number of a run's current configuration, and whether it is new.
    func number(of run: ExplorationRun) -> (number: Int, isNew: Bool) {
        guard let position = run.driver.position() else {
            return number(of: Node(words: wordsOfEnd(of: run), isBusy: false, queued: 0))
        }
        let queued = position.waiting.count { $0.line == .queue }
        return number(
            of: Node(words: words(of: run, position), isBusy: position.turn != nil, queued: queued))
    }

    /// The number of the configuration that results from enqueuing an event, given by its number.
    func number(queueing event: Int, at number: Int) -> (number: Int, isNew: Bool) {
        let moment = moments[number]
        return self.number(
            of: Node(
                words: moment.words + Self.queued(event, -1), isBusy: moment.isBusy, queued: moment.queued + 1
            ))
    }

    private func number(of moment: Node) -> (number: Int, isNew: Bool) {
        if let number = known[moment.words] { return (number, false) }
        known[moment.words] = moments.count
        moments.append(moment)
        return (moments.count - 1, true)
    }

    /// The indices of the open calls in an order that does not depend on when they were opened: by name, and then by
    /// what opened them. nil if `openCalls` are in that order already.
    func callOrder(of run: ExplorationRun) -> [Int]? {
        let calls = run.world.openCalls
        guard calls.count > 1, zip(calls, calls.dropFirst()).contains(where: { $0.name == $1.name }),
            let position = run.driver.position()
        else { return nil }
        var encoder = StateEncoder(log: run.history.now)
        encodeWork(position, &encoder)
        let encodings = calls.map { words(of: $0, encoder) }
        return calls.indices.sorted { left, right in
            if calls[left].name != calls[right].name { return calls[left].name < calls[right].name }
            return encodings[left].lexicographicallyPrecedes(encodings[right])
        }
    }

    // MARK: Encoding

    /// Encodes a configuration. Keeps the place of each encoded work item, so that it is encoded once and then referred
    /// to.
    private struct StateEncoder {
        var words: [Int] = []
        let log: PathHistory.Content
        var places: [Int: Int] = [:]

        mutating func append(_ duration: Duration) {
            words += [Int(duration.components.seconds), Int(duration.components.attoseconds)]
        }
    }

    private func words(of run: ExplorationRun, _ position: LoopSnapshot) -> [Int] {
        var encoder = StateEncoder(log: run.history.now)
        encoder.words.reserveCapacity(32)
        encodeWork(position, &encoder)
        encodeCalls(run.world.openCalls, &encoder)
        for timer in run.world.scheduler.timers {
            encoder.words.append(Mark.timer)
            if let (owner, number) = timer.setBy {
                refer(to: owner, &encoder)
                encoder.words.append(number)
            } else {
                encoder.words.append(Mark.loop)
            }
            encoder.append(timer.left)
        }
        encodeMemories(run.driver.memories, &encoder)
        run.world.appendVariables(to: &encoder.words)
        encodeWaiting(position, &encoder)
        return encoder.words
    }

    /// Encodes a stopped system: only the variables of the world and the calls that nothing awaits are left.
    private func wordsOfEnd(of run: ExplorationRun) -> [Int] {
        var encoder = StateEncoder(log: run.history.now)
        encoder.words.append(Mark.over)
        encodeCalls(run.world.openCalls, &encoder)
        run.world.appendVariables(to: &encoder.words)
        return encoder.words
    }

    private func encodeWork(_ position: LoopSnapshot, _ encoder: inout StateEncoder) {
        encoder.words.append(position.settled)
        encoder.words.append(position.interim ?? -1)
        if position.turn != nil { encode(encoder.log.turn, &encoder) }
        encodeSlots(position.slots, &encoder)
    }

    private func encode(_ thing: Int, _ encoder: inout StateEncoder) {
        encoder.places[thing] = encoder.places.count
        encoder.words.append(Mark.thing)
        let thing = encoder.log.workItems[thing]
        switch thing.origin {
        case .outside: encoder.words.append(0)
        case .turn(let event, let state): encoder.words += [1, event, state]
        case .effect(let occasion):
            encoder.words.append(2)
            encodeTrigger(occasion, &encoder)
        case .keyed: encoder.words.append(3)
        }
        encoder.words.append(thing.history.count)
        for word in thing.history {
            if word <= PathHistory.read {
                encoder.words += [Mark.read, PathHistory.read - word]
            } else if word < 0 {
                encoder.words.append(Mark.update)
                encodeTrigger(-1 - word, &encoder)
            } else {
                encoder.words.append(word)
            }
        }
    }

    private func encodeTrigger(_ number: Int, _ encoder: inout StateEncoder) {
        let occasion = encoder.log.triggers[number]
        encoder.words += [occasion.event ?? -1, occasion.state]
        for read in occasion.reads { encoder.words += [Mark.read, read] }
    }

    /// Encodes a work item, or a reference to it if it was encoded before.
    private func refer(to thing: Int, _ encoder: inout StateEncoder) {
        if let place = encoder.places[thing] {
            encoder.words.append(Mark.reference)
            encoder.words.append(place)
        } else {
            encode(thing, &encoder)
        }
    }

    private func encodeSlots(_ slots: [LoopSnapshot.Slot], _ encoder: inout StateEncoder) {
        if slots.count > 1 { assignKeyNumbers(for: slots) }
        var numbered: [(place: [Int], slot: LoopSnapshot.Slot)] = slots.map { slot in
            ([slot.feedback] + slot.path.map { keys.number(of: $0) } + [keys.number(of: slot.key)], slot)
        }
        if numbered.count > 1 { numbered.sort { $0.place.lexicographicallyPrecedes($1.place) } }
        for (place, slot) in numbered {
            encoder.words.append(Mark.slot)
            encoder.words.append(place.count)
            encoder.words += place
            encoder.words.append(slot.isAskedFor ? 1 : 0)
            encoder.words.append(slot.revision.map { keys.number(of: $0) } ?? -1)
            encoder.append(slot.window)
            encoder.append(slot.debounceRemaining)
            for runs in [slot.runs, slot.ended] {
                encoder.words.append(runs.count)
                for run in runs { if let thing = encoder.log.runs[run] { refer(to: thing, &encoder) } }
            }
            for waiting in [slot.waiting, slot.debounced] {
                encoder.words.append(waiting.count)
                for occasion in waiting { if let occasion { encodeTrigger(occasion, &encoder) } }
            }
        }
    }

    /// Numbers new keys in a deterministic order: slots come from a hash table, whose order differs between processes.
    private func assignKeyNumbers(for slots: [LoopSnapshot.Slot]) {
        var new = slots.filter { !(keys.knows($0.key) && $0.path.allSatisfy(keys.knows)) }
        guard new.count > 1 else { return }
        new = new.map { (slot: $0, text: "\($0.path) \($0.key)") }
            .sorted { ($0.slot.runs.first ?? .max, $0.text) < ($1.slot.runs.first ?? .max, $1.text) }
            .map(\.slot)
        for key in new.flatMap({ $0.path + [$0.key] }) { _ = keys.number(of: key) }
    }

    /// The queue is encoded last, so that enqueuing an event appends to the encoding.
    private func encodeWaiting(_ position: LoopSnapshot, _ encoder: inout StateEncoder) {
        for window in position.windows.map({ (keys.number(of: $0.key), $0.left) }).sorted(by: <) {
            encoder.words += [Mark.window, window.0]
            encoder.append(window.1)
        }
        for waiting in position.waiting where waiting.line != .queue {
            encoder.words += [Mark.waiting, waiting.line.rawValue, waiting.event]
            encoder.words.append(waiting.key.map { keys.number(of: $0) } ?? -1)
            encoder.append(waiting.left)
            if let thing = waiting.run.flatMap({ encoder.log.runs[$0] }) { refer(to: thing, &encoder) }
        }
        for waiting in position.waiting where waiting.line == .queue {
            guard let thing = waiting.run.flatMap({ encoder.log.runs[$0] }) else {
                encoder.words += Self.queued(waiting.event, -1)
                continue
            }
            encoder.words += Self.queued(waiting.event, 1)
            refer(to: thing, &encoder)
        }
    }

    /// - Parameter sender: 1 where the work item that sent the event follows, which may discard it; -1 otherwise.
    private static func queued(_ event: Int, _ sender: Int) -> [Int] { [Mark.queued, event, sender] }

    private func encodeCalls(_ calls: [WorldCall], _ encoder: inout StateEncoder) {
        var encodings = calls.map { words(of: $0, encoder) }
        if encodings.count > 1 { encodings.sort { $0.lexicographicallyPrecedes($1) } }
        for words in encodings {
            encoder.words.append(Mark.call)
            encoder.words += words
        }
    }

    /// Encodes a call, given the work items that were encoded before.
    private func words(of call: WorldCall, _ encoder: StateEncoder) -> [Int] {
        var own = StateEncoder(log: encoder.log, places: encoder.places)
        own.words.append(names.number(of: call.name))
        refer(to: call.owner, &own)
        own.words.append(call.place)
        return own.words
    }

    private func encodeMemories(_ memories: [FeedbackMemory], _ encoder: inout StateEncoder) {
        guard memories.contains(where: { if case .ofStates = $0 { false } else { true } }) else { return }
        encoder.words.append(Mark.memory)
        encoder.words += encoder.log.pastEvents
    }
}

/// Markers before optional parts. They are negative, where other numbers at their positions are zero or more.
private enum Mark {
    static let thing = -10, slot = -11, waiting = -12, window = -13, call = -14, timer = -15, loop = -16
    static let reference = -17, update = -18, memory = -19, queued = -20, read = -21, over = -22
}
