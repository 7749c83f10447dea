import Promise
import PromisedSystem

extension TestSystem {
    /// Asserts the next state that was shown but not asserted yet. If there is none, the changes must have no effect.
    ///
    /// If ``exhaustivity`` does not contain ``Exhaustivity/states``, it asserts the present state instead, and only the
    /// properties that `changes` sets. The closure may be called more than once.
    ///
    /// - Parameter changes: Mutates the last asserted state into the expected one.
    public func assert(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, _ changes: (inout State) -> Void
    ) {
        let place = TestPlace(fileID, filePath, line, column)
        check(place) { assertState(from: 0, inOneTurn: false, place, after: nil, changes) }
    }

    /// Asserts a part of the present state, and accounts for that part only.
    ///
    /// Everything else still has to be asserted: other parts, and earlier values of this part that were shown. A
    /// closure that asserts the rest receives a state in which this part already has its present value.
    ///
    /// ```swift
    /// import Promise
    /// import PromisedTesting
    ///
    /// struct Cart: Equatable { var pieces = 0, title = "empty" }
    ///
    /// let test = TestSystem<Cart, Int>(initialState: Cart()) { cart, number in
    ///     .value(Cart(pieces: cart.pieces + number, title: "\(number) more"))
    /// }
    /// test.send(2)
    /// test.assert(\.pieces, 2)
    /// test.assert { $0.title = "2 more" }
    /// test.finish()
    /// ```
    ///
    /// - Parameters:
    ///   - part: The part to compare.
    ///   - expected: The expected value of the part.
    public func assert<Part: Equatable>(
        _ part: WritableKeyPath<State, Part>, _ expected: Part, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        let place = TestPlace(fileID, filePath, line, column)
        check(place) { assertPart(part, expected, place) }
    }

    private func assertPart<Part: Equatable>(
        _ part: WritableKeyPath<State, Part>, _ expected: Part, _ place: TestPlace
    ) {
        guard let now = eventLog.withLock({ $0.latest })?[keyPath: part] else { return }
        if !areAlike(now, expected) {
            fail(
                """
                A part of the state is not as expected. From what was expected to what it is:

                \(StateDiff(from: expected, to: now).indented)\(openWorkNote)
                """, place)
        }
        // Searched outside of the lock, as that calls the part's `==`.
        guard let found = eventLog.withLock({ $0 }).accounted(for: part) else { return }
        eventLog.withLock { $0.entries[found.place] = found.entry }
    }

    func assertState(
        from start: Int, inOneTurn: Bool, _ place: TestPlace, after event: String?,
        _ changes: (inout State) -> Void
    ) {
        let eventLog = eventLog.withLock { $0 }
        let when = event.map { " after \($0)" } ?? ""
        withoutActuallyEscaping(changes) { changes in
            let expectation = Expectation(changes: changes, comparesAll: exhaustivity.contains(.states))
            var open = eventLog.openStates(from: start, inOneTurn: inOneTurn)
            if expectation.comparesAll {
                open = Array(open.prefix(1))
            } else if event == nil {
                open = open.filter { $0.place == eventLog.indexOfLatest }
            }
            guard let last = open.last else {
                guard let now = eventLog.state(atEndFrom: start, inOneTurn: inOneTurn) else { return }
                return assertNoChange(expectation.applied(to: now), now, when, place)
            }
            var wrong: (kind: String, difference: String)?
            var found = last.place
            for (candidate, shown) in open {
                // An assertion without an event may cover the changes of several events.
                let before =
                    expectation.comparesAll
                    ? eventLog.stateToChange(at: candidate)
                    : eventLog.state(before: candidate, ifAccountedFor: event == nil)
                found = candidate
                wrong = expectation.difference(of: shown.state, from: before ?? shown.state)
                    .map { (shown.kind, $0) }
                if wrong == nil { break }
            }
            self.eventLog.withLock { $0.entries[found].isAccountedFor = true }
            guard let wrong else { return }
            fail(
                """
                The \(wrong.kind) state\(when) is not as expected. From what was expected to what it is:

                \(wrong.difference)\(expectation.comparesAll ? "" : openWorkNote)
                """, place)
        }
    }

    private func assertNoChange(_ expected: State, _ now: State, _ when: String, _ place: TestPlace) {
        guard !areAlike(expected, now) else { return }
        fail(
            """
            Expected the state to change\(when), but nothing new was shown. The change that was expected:

            \(StateDiff(from: now, to: expected).indented)

            If it comes later, move the clock with advance(by:) first.\(openWorkNote)
            """, place)
    }
}

extension Shown {
    /// Its name in failure texts.
    var kind: String {
        switch self {
        case .settled: "settled"
        case .loading: "loading"
        }
    }
}
