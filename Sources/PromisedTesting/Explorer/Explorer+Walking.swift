/// What random walks have found.
public struct RandomWalks<State: Sendable, Event: Sendable>: Sendable {
    /// How many were gone.
    public internal(set) var walks = 0
    /// The steps that were made.
    public internal(set) var steps = 0
    /// A way to break what was expected, with every step that it can do without left out.
    public internal(set) var counterexample: Counterexample<State, Event>?
    /// The seed of the walk that has found it: alone it finds it again.
    public internal(set) var seed: UInt64?
}

extension Explorer {
    /// Goes random paths, to look beyond the depth that can be explored as a whole, and stops at the first that breaks
    /// what is expected.
    ///
    /// - Parameters:
    ///   - walks: How many.
    ///   - length: How many steps each has.
    ///   - seed: Of the first; each following one has the next number. One seed is one path, on every machine.
    public func explore(walks: Int, length: Int, seed: UInt64 = 1) -> RandomWalks<State, Event> {
        var found = RandomWalks<State, Event>()
        for number in 0..<max(walks, 0) {
            let seed = seed &+ UInt64(number)
            let trace = walk(length, seed)
            found.walks += 1
            found.steps += trace.taken.count
            guard let counterexample = trace.counterexample else { continue }
            found.seed = seed
            found.counterexample = shortened(trace.taken, counterexample)
            break
        }
        return found
    }

    /// Goes random paths; the test fails if one breaks what is expected.
    ///
    /// - Parameters:
    ///   - walks: How many.
    ///   - length: How many steps each has.
    ///   - seed: Of the first; each following one has the next number.
    @discardableResult
    public func check(
        walks: Int, length: Int, seed: UInt64 = 1, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> RandomWalks<State, Event> {
        let found = explore(walks: walks, length: length, seed: seed)
        if let counterexample = found.counterexample, let seed = found.seed {
            fail(
                "\(counterexample)\n\nIt was found by a random walk of the seed \(seed).",
                TestPlace(fileID, filePath, line, column))
        }
        return found
    }

    /// Goes one random path.
    ///
    /// - Parameters:
    ///   - length: How many steps it has.
    ///   - seed: One seed is one path, on every machine.
    /// - Returns: What was seen of each step.
    public func walk(length: Int, seed: UInt64) -> [TraceEntry<State, Event>] { walk(length, seed).entries }

    private func walk(_ length: Int, _ seed: UInt64) -> Trace<State, Event> {
        var random = LawRandom(seed: seed)
        var trace = Trace(self, events)
        for _ in 0..<max(length, 0) where trace.violation == nil {
            guard let step = trace.possibleSteps.randomElement(using: &random) else { break }
            trace.take(step)
        }
        return trace
    }

    /// The same violation without the steps that it does not take: there is none that could be left out as well.
    private func shortened(
        _ script: [ScriptStep], _ counterexample: Counterexample<State, Event>
    ) -> Counterexample<State, Event> {
        var (script, best) = (script, counterexample)
        var place = script.count - 1
        var isShorter = false
        while place >= 0 {
            var shorter = script
            shorter.remove(at: place)
            for orOther in [false, true] {
                var trace = Trace(self, events)
                for step in shorter { trace.take(step, orOther: orOther) }
                guard let found = trace.counterexample, found.property == best.property else { continue }
                (script, best, isShorter) = (trace.taken, found, true)
                place = min(place, script.count)
                break
            }
            place -= 1
            if place < 0, isShorter { (place, isShorter) = (script.count - 1, false) }
        }
        return best
    }
}
