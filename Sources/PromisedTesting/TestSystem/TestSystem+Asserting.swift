import Promise
import PromisedSystem

extension TestSystem {
    /// Asserts the next state that was shown and not asserted yet; if there is none, that there is none.
    ///
    /// - Parameter changes: Makes the state that was asserted last the one that is expected.
    public func assert(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, _ changes: (inout State) -> Void
    ) {
        assertState(from: 0, inOneTurn: false, TestPlace(fileID, filePath, line, column), after: nil, changes)
    }

    /// Asserts a part of the state that is shown now. The other parts stay to be asserted.
    ///
    /// - Parameters:
    ///   - part: Which part.
    ///   - expected: What it is to be.
    public func assert<Part: Equatable>(
        _ part: WritableKeyPath<State, Part>, _ expected: Part, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        let now = happenings.withLock { $0.latest } ?? known
        if now[keyPath: part] != expected {
            let difference = StateDiff(from: expected, to: now[keyPath: part])
            fail(
                """
                A part of the state is not as expected. From what was expected to what it is:

                \(difference.indented)
                """, TestPlace(fileID, filePath, line, column))
        }
        known[keyPath: part] = now[keyPath: part]
        if known == now { accountForStates() }
    }

    /// Leaves out the states that were shown so far.
    public func skipStates() {
        known = happenings.withLock { $0.latest } ?? known
        accountForStates()
    }

    private func accountForStates() {
        happenings.withLock { happenings in
            for place in happenings.entries.indices {
                if case .shown = happenings.entries[place].kind {
                    happenings.entries[place].isAccountedFor = true
                }
            }
        }
    }

    // MARK: Events

    /// Asserts that an event came that something else than the test has sent: an effect, middleware, a binding.
    ///
    /// Events may be received in any order, each once.
    ///
    /// - Parameters:
    ///   - event: Which event.
    ///   - changes: Makes the state that was asserted last the one that it has led to, if that is to be asserted here.
    public func receive(
        _ event: Event, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column, _ changes: ((inout State) -> Void)? = nil
    ) where Event: Equatable {
        receive("\(event)", TestPlace(fileID, filePath, line, column), { $0 == event }, changes)
    }

    /// Asserts that an event came that is meant.
    ///
    /// - Parameters:
    ///   - isMeant: Which event.
    ///   - changes: Makes the state that was asserted last the one that it has led to, if that is to be asserted here.
    public func receive(
        where isMeant: (Event) -> Bool, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column, _ changes: ((inout State) -> Void)? = nil
    ) {
        receive(
            "an event that the closure accepts", TestPlace(fileID, filePath, line, column), isMeant, changes)
    }

    private func receive(
        _ name: String, _ place: TestPlace, _ isMeant: (Event) -> Bool, _ changes: ((inout State) -> Void)?
    ) {
        let open = happenings.withLock { $0.openEvents() }
        guard let found = open.first(where: { isMeant($0.event) }) else {
            return fail(Self.notReceived(name, open), place)
        }
        happenings.withLock { $0.entries[found.place].isAccountedFor = true }
        if let changes { assertState(from: found.place, inOneTurn: true, place, after: name, changes) }
    }

    private static func notReceived(
        _ name: String,
        _ open: [(place: Int, event: Event, origin: Origin, fate: Happenings<State, Event>.Fate)]
    ) -> String {
        guard !open.isEmpty else {
            return """
                Expected to receive \(name), but no event came that was not received yet.

                What sends it may need time: move the clock with advance(by:) first.
                """
        }
        return """
            Expected to receive \(name), but these came:

            \(open.map { "    \($0.event), sent at \($0.origin)" }.joined(separator: "\n"))
            """
    }

    // MARK: States

    func assertState(
        from start: Int, inOneTurn: Bool, _ place: TestPlace, after event: String?,
        _ changes: (inout State) -> Void
    ) {
        var expected = known
        changes(&expected)
        let when = event.map { " after \($0)" } ?? ""
        guard let (found, shown) = happenings.withLock({ $0.openState(from: start, inOneTurn: inOneTurn) })
        else {
            guard expected != known else { return }
            return fail(
                """
                Expected the state to change\(when), but nothing new was shown. The change that was expected:

                \(StateDiff(from: known, to: expected).indented)

                If it comes later, move the clock with advance(by:) first.
                """, place)
        }
        happenings.withLock { $0.entries[found].isAccountedFor = true }
        if shown.state != expected {
            fail(
                """
                The \(shown.kind) state\(when) is not as expected. From what was expected to what it is:

                \(StateDiff(from: expected, to: shown.state).indented)
                """, place)
        }
        known = shown.state
    }
}

extension Shown {
    /// A word for it.
    var kind: String {
        switch self {
        case .settled: "settled"
        case .loading: "loading"
        }
    }
}

extension StateDiff {
    /// A line for each change; that there is one where it cannot be seen by looking.
    var indented: String {
        let text = description.isEmpty ? "(not equal, though they look the same)" : description
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }
            .joined(separator: "\n")
    }
}
