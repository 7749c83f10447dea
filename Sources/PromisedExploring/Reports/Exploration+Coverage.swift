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
        coverage(Self.cases(of: State.self) + states, cases) { enumCase(of: $0) }
    }

    /// The coverage, with the states listed by a part of them: its cases, or its values where it is no enum.
    ///
    /// <!-- fence: run -->
    /// ```swift
    /// import PromisedExploring
    /// import PromisedSystem
    ///
    /// struct Door: Hashable {
    ///     enum Lock: CaseIterable { case open, locked, broken }
    ///     var lock = Lock.open, turns = 0
    /// }
    ///
    /// let explorer = Explorer<Door, String>(events: ["turn"]) { world in
    ///     System(initialState: Door(), scheduler: world.scheduler, reducer: Reducer { door, _ in
    ///         door.lock = door.lock == .open ? .locked : .open
    ///         door.turns = min(door.turns + 1, 3)
    ///     })
    /// }
    /// for item in explorer.check(depth: 9).coverage(by: { $0.lock }).missing { print(item) }
    /// ```
    ///
    /// ```text output
    /// state broken: unreachable
    /// ```
    ///
    /// - Parameters:
    ///   - part: Returns the part of a state by which it is listed.
    ///   - states: The names of the cases of the part, where it is not `CaseIterable`.
    ///   - cases: The names of the cases of the event's enum, where it is not `CaseIterable`.
    public func coverage<Part>(
        by part: (State) -> Part, ofStates states: [String] = [], events cases: [String] = []
    ) -> Coverage {
        coverage(Self.cases(of: Part.self) + states, cases) { Self.name(of: part($0)) }
    }

    static func name(of part: Any) -> String { enumCase(of: part) ?? SourceText(part).description }

    private func coverage(_ states: [String], _ cases: [String], _ name: (State) -> String?) -> Coverage {
        var found = Coverage.Builder(isComplete: isComplete)
        let seen = self.states.compactMap(name)
        for name in states { found.add(.state, name, seen.contains(name)) }
        for name in seen { found.add(.state, name, true) }
        addEvents(cases, to: &found)
        let drawing = drawing.value
        let names = drawing.states.map(name)
        for edge in drawing.map.edges {
            if let from = names[edge.from.state], let to = names[edge.to.state] {
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
        expect(
            coverage(ofStates: states, events: events), exceptions, TestPlace(fileID, filePath, line, column))
    }

    /// Fails the test if something is not covered, with the list; the states are listed by a part of them.
    ///
    /// - Parameters:
    ///   - part: Returns the part of a state by which it is listed, as in ``coverage(by:ofStates:events:)``.
    ///   - states: The names of the cases of the part, where it is not `CaseIterable`.
    ///   - events: The names of the cases of the event's enum, where it is not `CaseIterable`.
    ///   - exceptions: What need not be covered, by kind and name.
    public func expectCoverage<Part>(
        by part: (State) -> Part, states: [String] = [], events: [String] = [],
        except exceptions: Set<String> = [],
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        expect(
            coverage(by: part, ofStates: states, events: events), exceptions,
            TestPlace(fileID, filePath, line, column))
    }

    private func expect(_ coverage: Coverage, _ exceptions: Set<String>, _ place: TestPlace) {
        let missing = coverage.missing.filter { !exceptions.contains("\($0.kind.rawValue) \($0.name)") }
        if missing.isEmpty || counterexample != nil { return }
        fail(
            """
            The exploration has not covered everything:

            \(missing.map { "    \($0)" }.joined(separator: "\n"))

            Add events or outcomes, raise the depth, or name it in except.
            """, place)
    }
}

extension String {
    /// The text without the leading dot of an enum case.
    fileprivate var withoutDot: String { hasPrefix(".") ? String(dropFirst()) : self }
}
