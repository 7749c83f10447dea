internal import PromisedTesting

extension Exploration {
    /// The coverage: the cases of the state, the events, the transitions between cases, the outcomes of calls, and
    /// the feedbacks. Explores again the first time, as the transitions are not kept; see ``diagram(cases:name:)``.
    ///
    /// The cases of a `CaseIterable` state or event are known; those of another enum are listed when they were seen.
    /// Pass the names to ``coverage(ofStates:events:)`` to find those that were not.
    public var coverage: Coverage { coverage(ofStates: [], events: []) }

    /// The coverage, with the names of required cases.
    ///
    /// - Parameters:
    ///   - states: The names of the cases of the state's enum.
    ///   - cases: The names of the cases of the event's enum.
    public func coverage(ofStates states: [String], events cases: [String]) -> Coverage {
        var found = Coverage.Builder(isComplete: isComplete)
        addStates(states, to: &found)
        addEvents(cases, to: &found)
        let drawing = drawing.value
        for edge in drawing.map.edges {
            if let from = enumCase(of: drawing.states[edge.from.state]),
                let to = enumCase(of: drawing.states[edge.to.state])
            {
                found.add(.transition, "\(from) → \(to)", true)
            }
        }
        for call in covered.calls {
            for (choice, outcome) in call.outcomes.enumerated() {
                found.add(.outcome, "\(call.name) → \(outcome)", call.answered.contains(choice))
            }
        }
        for (origin, hasStarted) in covered.feedbacks { found.add(.feedback, "\(origin)", hasStarted) }
        return Coverage(items: found.items)
    }

    private func addStates(_ names: [String], to found: inout Coverage.Builder) {
        let seen = self.states.compactMap { enumCase(of: $0) }
        let declared = Self.cases(of: State.self) + names
        for name in declared { found.add(.state, name, seen.contains(name)) }
        for name in seen { found.add(.state, name, true) }
    }

    /// The events that are sent, each by itself, and the others by case.
    private func addEvents(_ names: [String], to found: inout Coverage.Builder) {
        // Where events are not compared, it is not known which of them have changed something.
        guard comparesEvents else { return }
        let effective = effectiveEvents
        let texts = effective.map { SourceText($0).description }
        for event in events {
            let text = SourceText(event).description
            found.add(.event, text.withoutDot, texts.contains(text))
        }
        let sent = Set(events.compactMap { enumCase(of: $0) })
        let cases = effective.compactMap { enumCase(of: $0) }
        for name in Self.cases(of: Event.self) + names + cases where !sent.contains(name) {
            found.add(.event, name, cases.contains(name))
        }
    }

    private static func cases(of type: Any.Type) -> [String] {
        func names<Value: CaseIterable>(_ type: Value.Type) -> [String] {
            type.allCases.map { enumCase(of: $0) ?? "\($0)" }
        }
        return (type as? any CaseIterable.Type).map { names($0) } ?? []
    }

    /// Fails the test if something is not covered, with the list. To be called on the result of a check, whose
    /// counterexample is a failure already.
    ///
    /// ```swift
    /// import PromisedExploring
    /// import PromisedSystem
    ///
    /// enum Event: Hashable { case add, clear }
    ///
    /// let explorer = Explorer<Int, Event>(events: [.add, .clear]) { world in
    ///     System(initialState: 0, scheduler: world.scheduler) { count, event in
    ///         event == .add ? world.call("add", .value(min(count + 1, 2)), .cancelled) : .value(0)
    ///     }
    /// }
    /// explorer.check(depth: 4).expectCoverage()
    /// ```
    ///
    /// - Parameters:
    ///   - states: The names of the cases of the state's enum, where it is not `CaseIterable`.
    ///   - events: The names of the cases of the event's enum, where it is not `CaseIterable`.
    ///   - exceptions: What need not be covered, by kind and name: `"outcome disk → full"`.
    public func expectCoverage(
        states: [String] = [], events: [String] = [], except exceptions: Set<String> = [],
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        let missing = coverage(ofStates: states, events: events).missing.filter {
            !exceptions.contains("\($0.kind.rawValue) \($0.name)")
        }
        if missing.isEmpty || counterexample != nil { return }
        fail(
            """
            The exploration has not covered everything:

            \(missing.map { "    \($0)" }.joined(separator: "\n"))

            Add events or outcomes, raise the depth, or name it in except.
            """, TestPlace(fileID, filePath, line, column))
    }
}

extension String {
    /// The text without the leading dot of an enum case.
    fileprivate var withoutDot: String { hasPrefix(".") ? String(dropFirst()) : self }
}
