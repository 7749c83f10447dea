import Promise
import PromisedSystem

extension TestSystem {
    /// Asserts that a transition or an effect has failed with an error.
    ///
    /// Failures may be received in any order, each once. One that is not received fails the test at its end. Cancelled
    /// work has not failed.
    ///
    /// ```swift
    /// import Promise
    /// import PromisedTesting
    ///
    /// struct Offline: Error, Equatable {}
    ///
    /// let test = TestSystem<Int, Int>(initialState: 0) { _, _ in
    ///     Promise(error: Offline()).delay(.seconds(1)).stateWhenLoading(-1)
    /// }
    /// test.send(3) { $0 = -1 }
    /// test.advance(by: .seconds(1))
    /// test.receiveFailure(Offline())
    /// test.assert { $0 = 0 }          // the state before is shown again
    /// test.finish()
    /// ```
    ///
    /// - Parameter error: The expected error.
    public func receiveFailure<Failure: Error & Equatable>(
        _ error: Failure, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        receiveFailure("the failure \(error)", TestPlace(fileID, filePath, line, column)) {
            $0 as? Failure == error
        }
    }

    /// Asserts that a transition or an effect has failed with an error of a type.
    ///
    /// - Parameter type: The type of the expected error.
    public func receiveFailure<Failure: Error>(
        _ type: Failure.Type, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        receiveFailure("a failure of type \(type)", TestPlace(fileID, filePath, line, column)) {
            $0 is Failure
        }
    }

    /// Asserts that a transition or an effect has failed with an error that satisfies a predicate.
    ///
    /// - Parameter predicate: Whether an error is the expected one.
    public func receiveFailure(
        where predicate: (any Error) -> Bool, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        receiveFailure(
            "a failure that the closure accepts", TestPlace(fileID, filePath, line, column), predicate)
    }

    private func receiveFailure(_ name: String, _ place: TestPlace, _ predicate: (any Error) -> Bool) {
        check(place) { checkFailure(name, place, predicate) }
    }

    private func checkFailure(_ name: String, _ place: TestPlace, _ predicate: (any Error) -> Bool) {
        let open = eventLog.withLock { $0.openFailures() }
        if let found = open.first(where: { $0.report.error.map(predicate) ?? false }) {
            eventLog.withLock { $0.entries[found.place].isAccountedFor = true }
        } else if open.isEmpty {
            fail(
                """
                Expected to receive \(name), but there is no failure left to receive.

                What fails may need time: move the clock with advance(by:) first.\(openWorkNote)
                """, place)
        } else {
            fail(
                """
                Expected to receive \(name), but this has failed:

                \(open.map { "    \($0.report)" }.joined(separator: "\n"))\(openWorkNote)
                """, place)
        }
    }
}

extension PromiseDiagnostics.Report {
    /// The error of a failed transition or effect; nil for other reports.
    fileprivate var error: (any Error)? {
        switch problem as? SystemProblem {
        case .failedTransition(let error, _), .failedEffect(let error): error
        default: nil
        }
    }
}
