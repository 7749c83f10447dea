internal import Promise

/// A recording is run again in parts, between which facts are missing.
extension ReplayComparison {
    struct Part: Sendable {
        /// The line with the state that it begins with.
        var line = 0
        /// Whether that is the first state of the system.
        var isBeginning = true
        /// How many steps had agreed before.
        var progress = 0
        /// Whether the first thing that has happened is an effect that the recording does not have.
        var beginsWithEffect = false
    }

    /// Advances to where the system can be started: with its first state, or a full one while nothing is in flight.
    ///
    /// - Returns: That state and its time; nil at the end.
    mutating func start() throws(RecordingError) -> (state: JSONValue, turn: Int, time: Duration)? {
        // A turn counts once, at its beginning if that is skipped as well.
        var (skipped, begun): (Int, Set<JSONValue>) = (0, [])
        while true {
            let last = border.take()
            guard let fact = if let last { last } else { try stream.next() } else { break }
            switch fact.kind {
            case .recording: recorded = -1
            case .pause: values.note("the recording was paused at line \(fact.line)")
            case .lost: values.note("line \(fact.line): \(fact["facts"]?.int ?? 0) facts were dropped")
            case .held where fact["s"]?.int == recorded:
                values.note("line \(fact.line): the system was under control of time travel")
            default: break
            }
            if let own = fact.number(of: result.system) {
                recorded = own
                if let value = fact["v"] ?? (fact.canStart(own) ? fact["states"]?["\(own)"] : nil) {
                    note(skipped: skipped, "before line \(fact.line)")
                    if fact["after"] != nil {
                        values.note("the system was not recorded from its first event on")
                    }
                    part = Part(line: fact.line, isBeginning: fact.kind == .system, progress: progress)
                    (state, first, numbers, outside) = (.value(value), value, ReplayNumbers(), OutsideWork())
                    (committed, shown, runningTurn, pending, turns) = (nil, nil, nil, [:], [:])
                    try advance()
                    return (value, fact.turn, ReplayLine(fact).time)
                }
            }
            if fact.kind.countsTurn, fact["s"]?.int == recorded {
                let number = fact["turn"] ?? .null
                if begun.remove(number) == nil { skipped += 1 }
                if fact.kind == .begin { begun.insert(number) }
            }
        }
        note(skipped: skipped, "at the end")
        return nil
    }

    private mutating func note(skipped: Int, _ place: String) {
        if skipped == 0 { return }
        result.skippedTurns += skipped
        let turns = "\(skipped) turn\(skipped == 1 ? "" : "s")"
        values.note("\(turns) \(place) cannot be run again: they depend on missing facts, or on earlier work")
    }

    /// Advances to the next line of the system.
    mutating func advance() throws(RecordingError) {
        (line, works) = (nil, 0)
        while let fact = try stream.next() {
            if fact.kind == .damaged || fact.kind == .unknown {
                let reason = fact.kind == .damaged ? fact.reason : "its kind is unknown"
                values.note("line \(fact.line) cannot be read: \(reason)")
            }
            if fact.isGap(of: recorded) { return border = fact }
            switch fact.kind {
            case .key:
                let isThere = fact["systems"]?.array?.contains { $0["s"]?.int == recorded } ?? false
                guard isThere else { return border = fact }
                let isSampled = recordedState == nil
                state.apply(fact, system: recorded)
                // The states before were not recorded.
                guard isSampled, let shown else { continue }
                line = ReplayLine(fact)
                guard agrees(shown) else { return }
                line = nil
            case .place, .end, .action, .system: break
            default:
                guard fact["s"]?.int == recorded else { continue }
                state.apply(fact, system: recorded)
                if outside.contains(fact, &numbers) { continue }
                return line = ReplayLine(fact, isOutside: outside.owns(fact))
            }
        }
    }

    /// Leaves out the rest of a part if it has a difference because effects had begun before it: one that has ended, or
    /// waits, is no work in flight, and yet not begun again.
    mutating func leaveOutPart() {
        guard !part.isBeginning, result.difference != nil, let fact = line?.fact,
            part.beginsWithEffect || numbers.isUnknownRun(fact["request"]?.int)
        else { return }
        result.difference = nil
        values.note("effects had begun before the full states of line \(part.line)")
        (border, line) = (fact, nil)
    }
}
