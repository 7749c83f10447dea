// Giving values the numbers again that they had when an exploration was saved.
extension Search {
    /// Repeats the steps at which values got numbers, from systems at rest or from the start.
    ///
    /// - Returns: Whether the same values got numbers as before, and each step has led to the same configuration.
    mutating func repeatNumbering(_ log: NumberingLog) -> Bool {
        log.entries.allSatisfy { entry in
            let isSame =
                switch entry.place {
                case .start: starts()
                case .explored(let node, let choice): reaches(node) && executes(choice, isKnown: false)
                case .repeated(let node, let choice): reaches(node) && executes(choice, isKnown: true)
                }
            return isSame && findings.values.count == entry.count
        } && !hasToRestart
    }

    private mutating func starts() -> Bool {
        begin()
        guard let run, isHere(run), run.moves == graph.moves(of: 0) else { return false }
        return run.violation(run.record.takeViolation()) == nil
    }

    /// Brings a system to a configuration on the path on which it was found: no value is new there.
    private mutating func reaches(_ node: Int) -> Bool {
        let (isRest, here, rests) = (rests.contains(here), here, rests)
        let (place, choices) = graph.findingPath(to: node) { $0 == here || isRest && rests.contains($0) }
        if place != here {
            guard isRest, let rest = rests[place] else {
                begin()
                return reaches(node)
            }
            run?.restore(rest)
            if let run { land(on: place, run) }
        }
        guard let run else { return false }
        return choices.allSatisfy { executes($0, isKnown: true) } && isHere(run)
    }

    private mutating func executes(_ choice: Int, isKnown: Bool) -> Bool {
        guard let run, case .node(let next) = graph.target(of: choice, from: here) else { return false }
        if isKnown {
            take(choice, to: next, run)
            return !isNondeterministic
        }
        if demands != nil { _ = run.pendingCalls }
        run.take(graph.moves(of: here)[choice])
        if run.isNondeterministic || run.violation(run.record.takeViolation()) != nil { return false }
        land(on: next, run)
        return isHere(run) && run.moves == graph.moves(of: next)
    }

    private func isHere(_ run: ExplorationRun) -> Bool {
        run.configuration.map { $0.fingerprint == known.all[here] } ?? false
    }
}
