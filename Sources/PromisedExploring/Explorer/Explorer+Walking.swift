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
    /// With `weight: { if case .answer = $0 { 3 } else { 1 } }`, for instance, calls are answered three times as often
    /// as anything else happens.
    ///
    /// - Parameters:
    ///   - walks: The number of walks.
    ///   - length: The number of steps of each walk; it is shorter if no step is possible.
    ///   - seed: The seed of the first walk; each following walk uses the next number. A seed is the same path on every
    ///     machine.
    ///   - weight: Returns how often a step is taken, in proportion to the other possible steps; a step of weight 0 is
    ///     not taken. All have the same weight if nil.
    public func explore(
        walks: Int, length: Int, seed: UInt64 = 1, weight: ((Step<Event>) -> Int)? = nil
    ) -> RandomWalks<State, Event> {
        var found = RandomWalks<State, Event>()
        for number in 0..<max(walks, 0) {
            let seed = seed &+ UInt64(number)
            let trace = walk(length, seed, weight)
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
    ///   - weight: Returns how often a step is taken, in proportion to the other possible steps.
    ///   - regressions: The path of a file that keeps failures, relative to the folder of the test's source file. A
    ///     counterexample is stored there, and is tried first next time. Nothing is stored if nil.
    @discardableResult
    public func check(
        walks: Int, length: Int, seed: UInt64 = 1, weight: ((Step<Event>) -> Int)? = nil,
        regressions: String? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> RandomWalks<State, Event> {
        let place = TestPlace(fileID, filePath, line, column)
        let file = regressions.map { RegressionFile($0, beside: filePath) }
        if let stored = storedFailure(in: file, place) { return RandomWalks(counterexample: stored) }
        let found = explore(walks: walks, length: length, seed: seed, weight: weight)
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
    ///   - seed: Determines the path, on every machine, together with the weights.
    ///   - weight: Returns how often a step is taken, in proportion to the other possible steps.
    /// - Returns: The executed steps, each with the states and errors that followed from it.
    public func walk(
        length: Int, seed: UInt64, weight: ((Step<Event>) -> Int)? = nil
    ) -> [TraceEntry<State, Event>] { walk(length, seed, weight).entries }

    private func walk(
        _ length: Int, _ seed: UInt64, _ weight: ((Step<Event>) -> Int)?
    ) -> Trace<State, Event> {
        var random = LawRandom(seed: seed)
        var trace = self.trace(events)
        for _ in 0..<max(length, 0) where trace.violation == nil {
            let moves = trace.possibleMoves
            let weights = weight.map { weight in
                moves.map { move in trace.words(of: move).map { weight(trace.step($0)) } ?? 0 }
            }
            guard let move = moves.randomElement(weights, using: &random), let step = trace.words(of: move)
            else { break }
            trace.take(step)
        }
        return trace
    }
}

extension [Move] {
    /// - Parameter weights: In which proportion the elements are chosen; all alike if nil.
    fileprivate func randomElement(_ weights: [Int]?, using random: inout LawRandom) -> Move? {
        // The sum must not overflow.
        guard let weights = weights?.map({ Swift.min(Swift.max($0, 0), .max / count) }) else {
            return randomElement(using: &random)
        }
        let sum = weights.reduce(0, +)
        guard sum > 0 else { return nil }
        var number = Int.random(in: 0..<sum, using: &random)
        for (element, weight) in zip(self, weights) {
            if number < weight { return element }
            number -= weight
        }
        return nil
    }
}
