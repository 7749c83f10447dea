internal import PromisedTesting

extension Explorer {
    /// Explores every path up to a depth; the test fails if a property is violated, with the shortest counterexample.
    ///
    /// - Parameters:
    ///   - depth: The maximum number of steps of a path.
    ///   - options: The limits, the merging, and the violations to find. The test fails if a limit is reached,
    ///     because the exploration is incomplete.
    ///   - mustBeComplete: Whether the test fails unless the exploration is complete, with its gaps.
    ///   - regressions: The path of a file that keeps failures, relative to the folder of the test's source file. A
    ///     counterexample is stored there, and is tried first next time. Nothing is stored if nil.
    ///   - onProgress: Invoked synchronously after every 10,000 transitions. If nil, prints to standard error where
    ///     that is a terminal.
    @discardableResult
    public func check(
        depth: Int, _ options: ExplorationOptions = .init(), mustBeComplete: Bool = false,
        regressions: String? = nil,
        onProgress: ((ExplorationProgress) -> Void)? = nil,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) -> Exploration<State, Event> {
        let place = TestPlace(fileID, filePath, line, column)
        let file = regressions.map { RegressionFile($0, beside: filePath) }
        if let stored = storedFailure(in: file, place) { return explore(depth: 0).failing(stored) }
        let exploration = explore(depth: depth, options, onProgress: onProgress)
        for counterexample in exploration.counterexamples {
            fail(stored(counterexample, in: file), place, attachments: exploration.attachments)
        }
        if exploration.counterexample != nil { return exploration }
        if let limit = exploration.statistics.limit {
            fail(
                """
                The exploration stopped after \
                \(exploration.steps + exploration.inferredTransitions) steps, \
                before it was complete to depth \(depth). No violation was found so far.

                \(exploration.growth)

                Make it smaller (fewer events, fewer outcomes, a smaller depth), or raise \
                \(limit.rawValue).
                """, place)
        } else {
            exploration.failForGaps(all: mustBeComplete, place)
        }
        return exploration
    }
}
