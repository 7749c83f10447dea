internal import PromisedTesting

extension Explorer {
    /// Replays a script on a new system. The test fails if a property is violated, or if a step is not possible;
    /// nothing is executed after that.
    ///
    /// - Parameter steps: The steps, as in ``Counterexample/script``. Any event may be sent, not only those of the
    ///   explorer.
    /// - Returns: The executed steps, each with the states and errors that followed from it.
    @discardableResult
    public func replay(
        _ steps: Step<Event>..., fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) -> [TraceEntry<State, Event>] {
        replay(steps, fileID: fileID, filePath: filePath, line: line, column: column)
    }

    /// Replays a script on a new system. The test fails if a property is violated, or if a step is not possible;
    /// nothing is executed after that.
    ///
    /// - Parameter steps: The steps in order. Any event may be sent, not only those of the explorer.
    /// - Returns: The executed steps, each with the states and errors that followed from it.
    @discardableResult
    public func replay(
        _ steps: [Step<Event>], fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) -> [TraceEntry<State, Event>] {
        let place = TestPlace(fileID, filePath, line, column)
        var trace = self.trace(steps.sentEvents())
        for (number, words) in steps.words().enumerated() where !trace.take(words) {
            fail(Self.impossible(steps[number], number + 1, trace), place)
            return trace.entries
        }
        if let counterexample = trace.counterexample {
            fail(
                """
                \(counterexample.report)

                The replayed script ended in a violation. Fix the system, or change what is expected of it.
                """, place, attachments: counterexample.attachments)
        }
        return trace.entries
    }

    private static func impossible(
        _ step: Step<Event>, _ number: Int, _ trace: Trace<State, Event>
    ) -> String {
        let open = trace.openCalls
        let calls =
            open.isEmpty
            ? "No call is open." : "Open calls:\n\n" + open.map { "    \($0)" }.joined(separator: "\n")
        return """
            Step \(number) of the script is not possible: \(step). \(calls)

            The system behaves differently than when the script was written. Explore it again, or rewrite the step.
            """
    }
}

extension Array {
    /// The events that a script sends, in order.
    func sentEvents<Event>() -> [Event] where Element == Step<Event> {
        compactMap { if case .send(let event) = $0 { event } else { nil } }
    }

    /// The steps as words, with the events as indices of ``sentEvents()``.
    func words<Event>() -> [MoveWords] where Element == Step<Event> {
        var sent = 0
        return map { step in
            switch step {
            case .send:
                sent += 1
                return .send(sent - 1)
            case .answer(let call, let outcome): return .answer(call, outcome)
            case .advance(let duration): return .advance(duration)
            case .action(let name): return .action(name)
            }
        }
    }
}
