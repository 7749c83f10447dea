import Promise
import PromisedSystem

extension TestSystem {
    /// Asserts that a transition or an effect has failed with an error.
    ///
    /// Failures may be received in any order, each once. One that is not fails the test at its end. Work that was
    /// cancelled has not failed.
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
    /// test.assert { $0 = 0 }          // what was shown before is shown again
    /// test.finish()
    /// ```
    ///
    /// - Parameter error: Which error.
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
    /// - Parameter type: Of which type the error is.
    public func receiveFailure<Failure: Error>(
        _ type: Failure.Type, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        receiveFailure("a failure of type \(type)", TestPlace(fileID, filePath, line, column)) {
            $0 is Failure
        }
    }

    /// Asserts that a transition or an effect has failed with an error that is meant.
    ///
    /// - Parameter isMeant: Which error.
    public func receiveFailure(
        where isMeant: (any Error) -> Bool, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        receiveFailure(
            "a failure that the closure accepts", TestPlace(fileID, filePath, line, column), isMeant)
    }

    private func receiveFailure(_ name: String, _ place: TestPlace, _ isMeant: (any Error) -> Bool) {
        let open = happenings.withLock { $0.openFailures() }
        if let found = open.first(where: { $0.report.error.map(isMeant) ?? false }) {
            happenings.withLock { $0.entries[found.place].isAccountedFor = true }
        } else if open.isEmpty {
            fail(
                """
                Expected to receive \(name), but nothing has failed that was not received yet.

                What fails may need time: move the clock with advance(by:) first.
                """, place)
        } else {
            fail(
                """
                Expected to receive \(name), but this has failed:

                \(open.map { "    \($0.report)" }.joined(separator: "\n"))
                """, place)
        }
    }
}

extension PromiseDiagnostics.Report {
    /// The error of a transition or an effect.
    fileprivate var error: (any Error)? {
        switch problem {
        case .failedTransition(let error, _), .failedEffect(let error): error
        default: nil
        }
    }
}
