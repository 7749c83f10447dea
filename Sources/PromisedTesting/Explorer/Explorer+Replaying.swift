extension Explorer {
    /// Goes one path again, with the steps of a script; the test fails if it breaks what is expected, or if a step is not
    /// possible.
    ///
    /// - Parameter steps: What happens, as a ``Counterexample`` gives it. Any event may be sent.
    /// - Returns: What was seen of each step.
    @discardableResult
    public func replay(
        _ steps: Step<Event>..., fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) -> [TraceEntry<State, Event>] {
        replay(steps, fileID: fileID, filePath: filePath, line: line, column: column)
    }

    /// Goes one path again, with the steps of a script; the test fails if it breaks what is expected, or if a step is not
    /// possible.
    ///
    /// - Parameter steps: What happens. Any event may be sent.
    /// - Returns: What was seen of each step.
    @discardableResult
    public func replay(
        _ steps: [Step<Event>], fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) -> [TraceEntry<State, Event>] {
        let place = TestPlace(fileID, filePath, line, column)
        var events: [Event] = []
        let script = steps.map { step -> MoveWords in
            switch step {
            case .send(let event):
                events.append(event)
                return .send(events.count - 1)
            case .answer(let call, let outcome): return .answer(call, outcome)
            case .advance(let duration): return .advance(duration)
            }
        }
        var trace = Trace(self, events)
        for (number, words) in script.enumerated() where !trace.take(words) {
            fail(Self.impossible(steps[number], number + 1, trace), place)
            return trace.entries
        }
        if let counterexample = trace.counterexample {
            fail(
                """
                \(counterexample.report)

                A script that was to go well breaks this. Mend the system, or say otherwise what is expected of it.
                """, place)
        }
        return trace.entries
    }

    private static func impossible(
        _ step: Step<Event>, _ number: Int, _ trace: Trace<State, Event>
    ) -> String {
        let open = trace.openCalls
        let calls =
            open.isEmpty
            ? "No call is open." : "Open are:\n\n" + open.map { "    \($0)" }.joined(separator: "\n")
        return """
            Step \(number) of the script is not possible: \(step). \(calls)

            The system does other things than when the script was written. Explore it again, or write the step anew.
            """
    }
}
