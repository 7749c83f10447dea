internal import PromisedTesting

/// The result of random walks.
public struct RandomWalks<State: Sendable, Event: Sendable>: Sendable {
    /// The walks that were run.
    public internal(set) var walks = 0
    /// The steps that were executed, in all walks.
    public internal(set) var steps = 0
    /// A violation found by a walk, without the steps that are not needed for it; nil if there was none.
    public internal(set) var counterexample: Counterexample<State, Event>?
    /// The seed of the walk with the violation, which reproduces it alone; nil if there was none.
    public internal(set) var seed: UInt64?
}

extension Explorer {
    /// Runs random walks, to search beyond the depth that can be explored exhaustively. Stops at the first violation of
    /// a property.
    ///
    /// - Parameters:
    ///   - walks: The number of walks.
    ///   - length: The number of steps of each walk; it is shorter if no step is possible.
    ///   - seed: The seed of the first walk; each following walk uses the next number. A seed is the same path on every
    ///     machine.
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

    /// Runs random walks; the test fails at the first violation of a property.
    ///
    /// - Parameters:
    ///   - walks: The number of walks.
    ///   - length: The number of steps of each walk; it is shorter if no step is possible.
    ///   - seed: The seed of the first walk; each following walk uses the next number.
    ///   - regressions: The path of a file that keeps failures, relative to the folder of the test's source file. A
    ///     counterexample is stored there, and is tried first next time. Nothing is stored if nil.
    @discardableResult
    public func check(
        walks: Int, length: Int, seed: UInt64 = 1, regressions: String? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> RandomWalks<State, Event> {
        let place = TestPlace(fileID, filePath, line, column)
        let file = regressions.map { RegressionFile($0, beside: filePath) }
        if let file, let stored = storedFailure(in: file, place) {
            fail(stored.text(from: file), place, attachments: stored.attachments)
            return RandomWalks(counterexample: stored)
        }
        let found = explore(walks: walks, length: length, seed: seed)
        if let counterexample = found.counterexample, let seed = found.seed {
            fail(
                "\(stored(counterexample, in: file))\n\nFound by a random walk with seed \(seed).", place,
                attachments: counterexample.attachments)
        }
        return found
    }

    /// Runs one random walk, up to the first violation of a property, without failing the test.
    ///
    /// - Parameters:
    ///   - length: The number of steps; fewer are executed if no step is possible.
    ///   - seed: Determines the path, on every machine.
    /// - Returns: The executed steps, each with the states and errors that followed from it.
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

    /// Shrinks a violating script until none of the remaining steps can be left out alone.
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
