internal import Promise
internal import PromisedSystem

/// Tells one moment of a system from another by everything that decides what comes next: the states, settled and shown,
/// the queue, the work that is running with what it has gone through, open calls, timers with what they have left, and
/// what the world remembers.
///
/// A moment is a list of numbers, in which equal values have equal ones. Lists are compared whole.
final class StateTable {
    private var keys = Numbers<EffectKey>()
    private var names = Numbers<String>()
    private var known: [[Int]: Int] = [:]
    /// What is known of moments, by their numbers.
    private var moments: [Node] = []

    struct Node {
        fileprivate let words: [Int]
        /// Whether a transition is running: what joins the queue then is not looked at.
        let isBusy: Bool
        /// How many events wait for their turns.
        let queued: Int
    }

    subscript(moment: Int) -> Node { moments[moment] }

    /// The number of the moment at which a run is, and whether it is a new one.
    func number(of run: ExplorationRun) -> (number: Int, isNew: Bool) {
        guard let position = run.driver.position() else {
            return number(of: Node(words: wordsOfEnd(of: run), isBusy: false, queued: 0))
        }
        let queued = position.waiting.count { $0.line == .queue }
        return number(
            of: Node(words: words(of: run, position), isBusy: position.turn != nil, queued: queued))
    }

    /// The number of the moment that follows when an event, by its number, joins the queue.
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

    /// The places of the open calls in an order that does not depend on when they were begun: by name, and then by what
    /// has begun them. nil if their own order is that.
    func callOrder(of run: ExplorationRun) -> [Int]? {
        let calls = run.world.openCalls
        guard calls.count > 1, zip(calls, calls.dropFirst()).contains(where: { $0.name == $1.name }),
            let position = run.driver.position()
        else { return nil }
        var telling = StateEncoder(log: run.account.now)
        tell(ofWork: position, &telling)
        let told = calls.map { words(of: $0, telling) }
        return calls.indices.sorted { left, right in
            if calls[left].name != calls[right].name { return calls[left].name < calls[right].name }
            return told[left].lexicographicallyPrecedes(told[right])
        }
    }

    // MARK: What a moment is made of

    /// The numbers that stand for a run, and which of its things have been told of.
    private struct StateEncoder {
        var words: [Int] = []
        let log: PathHistory.Content
        var places: [Int: Int] = [:]

        mutating func tell(_ duration: Duration) {
            words += [Int(duration.components.seconds), Int(duration.components.attoseconds)]
        }
    }

    private func words(of run: ExplorationRun, _ position: LoopSnapshot) -> [Int] {
        var telling = StateEncoder(log: run.account.now)
        telling.words.reserveCapacity(32)
        tell(ofWork: position, &telling)
        tell(ofCalls: run.world.openCalls, &telling)
        for timer in run.world.scheduler.timers {
            telling.words.append(Mark.timer)
            if let (owner, number) = timer.setBy {
                refer(to: owner, &telling)
                telling.words.append(number)
            } else {
                telling.words.append(Mark.loop)
            }
            telling.tell(timer.left)
        }
        tell(ofMemories: run.driver.memories, &telling)
        run.world.appendVariables(to: &telling.words)
        tell(ofWaiting: position, &telling)
        return telling.words
    }

    /// A system that has been stopped: all that is left is what the world remembers, and calls that nobody waits for.
    private func wordsOfEnd(of run: ExplorationRun) -> [Int] {
        var telling = StateEncoder(log: run.account.now)
        telling.words.append(Mark.over)
        tell(ofCalls: run.world.openCalls, &telling)
        run.world.appendVariables(to: &telling.words)
        return telling.words
    }

    private func tell(ofWork position: LoopSnapshot, _ telling: inout StateEncoder) {
        telling.words.append(position.settled)
        telling.words.append(position.interim ?? -1)
        if position.turn != nil { tell(of: telling.log.turn, &telling) }
        tell(ofSlots: position.slots, &telling)
    }

    private func tell(of thing: Int, _ telling: inout StateEncoder) {
        telling.places[thing] = telling.places.count
        telling.words.append(Mark.thing)
        let thing = telling.log.things[thing]
        switch thing.birth {
        case .outside: telling.words.append(0)
        case .turn(let event, let state): telling.words += [1, event, state]
        case .effect(let occasion):
            telling.words.append(2)
            tell(ofOccasion: occasion, &telling)
        case .keyed: telling.words.append(3)
        }
        telling.words.append(thing.history.count)
        for word in thing.history {
            if word <= PathHistory.read {
                telling.words += [Mark.read, PathHistory.read - word]
            } else if word < 0 {
                telling.words.append(Mark.news)
                tell(ofOccasion: -1 - word, &telling)
            } else {
                telling.words.append(word)
            }
        }
    }

    private func tell(ofOccasion number: Int, _ telling: inout StateEncoder) {
        let occasion = telling.log.occasions[number]
        telling.words += [occasion.event ?? -1, occasion.state]
        for read in occasion.reads { telling.words += [Mark.read, read] }
    }

    /// Something that may have been told of already.
    private func refer(to thing: Int, _ telling: inout StateEncoder) {
        if let place = telling.places[thing] {
            telling.words.append(Mark.told)
            telling.words.append(place)
        } else {
            tell(of: thing, &telling)
        }
    }

    private func tell(ofSlots slots: [LoopSnapshot.Slot], _ telling: inout StateEncoder) {
        if slots.count > 1 { giveNumbers(toKeysOf: slots) }
        var numbered: [(place: [Int], slot: LoopSnapshot.Slot)] = slots.map { slot in
            ([slot.feedback] + slot.path.map { keys.number(of: $0) } + [keys.number(of: slot.key)], slot)
        }
        if numbered.count > 1 { numbered.sort { $0.place.lexicographicallyPrecedes($1.place) } }
        for (place, slot) in numbered {
            telling.words.append(Mark.slot)
            telling.words.append(place.count)
            telling.words += place
            telling.words.append(slot.isAskedFor ? 1 : 0)
            telling.words.append(slot.revision.map { keys.number(of: $0) } ?? -1)
            telling.tell(slot.window)
            telling.tell(slot.debounceRemaining)
            for runs in [slot.runs, slot.ended] {
                telling.words.append(runs.count)
                for run in runs { if let thing = telling.log.runs[run] { refer(to: thing, &telling) } }
            }
            for waiting in [slot.waiting, slot.debounced] {
                telling.words.append(waiting.count)
                for occasion in waiting { if let occasion { tell(ofOccasion: occasion, &telling) } }
            }
        }
    }

    /// Slots come out of a table, which has an order of its own in every process; what follows from the numbers of
    /// their keys is to be the same in all.
    private func giveNumbers(toKeysOf slots: [LoopSnapshot.Slot]) {
        var new = slots.filter { !(keys.knows($0.key) && $0.path.allSatisfy(keys.knows)) }
        guard new.count > 1 else { return }
        new = new.map { (slot: $0, text: "\($0.path) \($0.key)") }
            .sorted { ($0.slot.runs.first ?? .max, $0.text) < ($1.slot.runs.first ?? .max, $1.text) }
            .map(\.slot)
        for key in new.flatMap({ $0.path + [$0.key] }) { _ = keys.number(of: key) }
    }

    /// What joins the queue comes last.
    private func tell(ofWaiting position: LoopSnapshot, _ telling: inout StateEncoder) {
        for window in position.windows.map({ (keys.number(of: $0.key), $0.left) }).sorted(by: <) {
            telling.words += [Mark.window, window.0]
            telling.tell(window.1)
        }
        for waiting in position.waiting where waiting.line != .queue {
            telling.words += [Mark.waiting, waiting.line.rawValue, waiting.event]
            telling.words.append(waiting.key.map { keys.number(of: $0) } ?? -1)
            telling.tell(waiting.left)
            if let thing = waiting.run.flatMap({ telling.log.runs[$0] }) { refer(to: thing, &telling) }
        }
        for waiting in position.waiting where waiting.line == .queue {
            guard let thing = waiting.run.flatMap({ telling.log.runs[$0] }) else {
                telling.words += Self.queued(waiting.event, -1)
                continue
            }
            telling.words += Self.queued(waiting.event, 1)
            refer(to: thing, &telling)
        }
    }

    /// - Parameter sender: 1 where what has sent it follows, as that may take it back.
    private static func queued(_ event: Int, _ sender: Int) -> [Int] { [Mark.queued, event, sender] }

    private func tell(ofCalls calls: [WorldCall], _ telling: inout StateEncoder) {
        var told = calls.map { words(of: $0, telling) }
        if told.count > 1 { told.sort { $0.lexicographicallyPrecedes($1) } }
        for words in told {
            telling.words.append(Mark.call)
            telling.words += words
        }
    }

    /// What tells a call from others, behind what was told before.
    private func words(of call: WorldCall, _ telling: StateEncoder) -> [Int] {
        var own = StateEncoder(log: telling.log, places: telling.places)
        own.words.append(names.number(of: call.name))
        refer(to: call.owner, &own)
        own.words.append(call.place)
        return own.words
    }

    private func tell(ofMemories memories: [FeedbackMemory], _ telling: inout StateEncoder) {
        guard memories.contains(where: { if case .ofStates = $0 { false } else { true } }) else { return }
        telling.words.append(Mark.memory)
        telling.words += telling.log.pastEvents
    }
}

/// Before what is not always there; other numbers are zero or more where such a one may stand.
private enum Mark {
    static let thing = -10, slot = -11, waiting = -12, window = -13, call = -14, timer = -15, loop = -16
    static let told = -17, news = -18, memory = -19, queued = -20, read = -21, over = -22
}
