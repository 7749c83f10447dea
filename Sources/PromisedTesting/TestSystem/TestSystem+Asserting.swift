import Promise
import PromisedSystem

extension TestSystem {
    /// Asserts the next state that was shown and not asserted yet; if there is none, that there is none.
    ///
    /// If ``exhaustivity`` has no ``Exhaustivity/states``, it is the state that is shown now, and of that only what
    /// `changes` sets. The closure may be called more than once.
    ///
    /// - Parameter changes: Makes the state before it the one that is expected.
    public func assert(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, _ changes: (inout State) -> Void
    ) {
        assertState(from: 0, inOneTurn: false, TestPlace(fileID, filePath, line, column), after: nil, changes)
    }

    /// Asserts a part of the state that is shown now, and accounts for that.
    ///
    /// Everything else stays to be asserted: other parts, and what was shown in between, of this part as well. A closure
    /// that asserts the rest finds this part as it is.
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
    ///   - part: Which part.
    ///   - expected: What it is to be.
    public func assert<Part: Equatable>(
        _ part: WritableKeyPath<State, Part>, _ expected: Part, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        guard let now = happenings.withLock({ $0.latest })?[keyPath: part] else { return }
        if now != expected {
            fail(
                """
                A part of the state is not as expected. From what was expected to what it is:

                \(StateDiff(from: expected, to: now).indented)
                """, TestPlace(fileID, filePath, line, column))
        }
        // The part is looked for outside of the lock, as that compares it.
        guard let found = happenings.withLock({ $0 }).accounted(for: part) else { return }
        happenings.withLock { $0.entries[found.place] = found.entry }
    }

    /// Leaves out the states that were shown so far.
    public func skipStates() { happenings.withLock { $0.accountForStates() } }

    func assertState(
        from start: Int, inOneTurn: Bool, _ place: TestPlace, after event: String?,
        _ changes: (inout State) -> Void
    ) {
        let happenings = happenings.withLock { $0 }
        let when = event.map { " after \($0)" } ?? ""
        withoutActuallyEscaping(changes) { changes in
            let expectation = Expectation(changes: changes, comparesAll: exhaustivity.contains(.states))
            var open = happenings.openStates(from: start, inOneTurn: inOneTurn)
            if expectation.comparesAll {
                open = Array(open.prefix(1))
            } else if event == nil {
                open = open.filter { $0.place == happenings.placeOfLatest }
            }
            guard let last = open.last else {
                guard let now = happenings.state(atEndFrom: start, inOneTurn: inOneTurn) else { return }
                return assertNoChange(expectation.applied(to: now), now, when, place)
            }
            var wrong: (kind: String, difference: String)?
            var found = last.place
            for (candidate, shown) in open {
                // What is asserted by itself may have been changed by several events.
                let before =
                    expectation.comparesAll
                    ? happenings.stateToChange(at: candidate)
                    : happenings.state(before: candidate, ifAccountedFor: event == nil)
                found = candidate
                wrong = expectation.difference(of: shown.state, from: before ?? shown.state)
                    .map { (shown.kind, $0) }
                if wrong == nil { break }
            }
            self.happenings.withLock { $0.entries[found].isAccountedFor = true }
            guard let wrong else { return }
            fail(
                """
                The \(wrong.kind) state\(when) is not as expected. From what was expected to what it is:

                \(wrong.difference)
                """, place)
        }
    }

    private func assertNoChange(_ expected: State, _ now: State, _ when: String, _ place: TestPlace) {
        guard expected != now else { return }
        fail(
            """
            Expected the state to change\(when), but nothing new was shown. The change that was expected:

            \(StateDiff(from: now, to: expected).indented)

            If it comes later, move the clock with advance(by:) first.
            """, place)
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
