import Promise

extension Stub {
    /// Fulfils a call; if there is no such call that is open, the test fails.
    ///
    /// - Parameters:
    ///   - value: The answer.
    ///   - call: Which call: the oldest that is open, unless said.
    public func fulfill(
        _ value: Value, call: StubChoice<Input> = .oldest, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        settle(.fulfilled, call, TestPlace(fileID, filePath, line, column)) { $0.fulfill(value) }
    }

    /// Rejects a call; if there is no such call that is open, the test fails.
    ///
    /// - Parameters:
    ///   - error: Why there is no answer.
    ///   - call: Which call: the oldest that is open, unless said.
    public func reject(
        _ error: any Error, call: StubChoice<Input> = .oldest, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        settle(.rejected, call, TestPlace(fileID, filePath, line, column)) { $0.reject(error) }
    }

    /// Shows an interim value of a call, which stays open; if there is no such call, the test fails.
    ///
    /// - Parameters:
    ///   - interim: Progress, a cached copy, an optimistic guess.
    ///   - call: Which call: the oldest that is open, unless said.
    public func report(
        _ interim: Value, call: StubChoice<Input> = .oldest, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        settle(nil, call, TestPlace(fileID, filePath, line, column)) { $0.report(interim) }
    }

    /// - Parameter state: What becomes of the call; nil if it stays open.
    func settle(
        _ state: StubCall<Input>.State?, _ choice: StubChoice<Input>, _ place: TestPlace,
        _ act: (Resolver<Value>) -> Void
    ) {
        let calls = desk.withLock { $0.calls }
        switch calls.find(choice) {
        case .failure(let refusal): fail(calls.text(refusal, of: name, doing: state), place)
        case .success(let number):
            let resolver = state.map { end(number, $0) } ?? desk.withLock { $0.resolvers[number] }
            // Outside of the lock, as this runs what waits for the answer.
            if let resolver { act(resolver) }
        }
    }

    /// Asserts at the end of a test that no call is open: each was settled or cancelled.
    ///
    /// Without it, calls that are still open do not fail the test. A ``TestSystem`` tells of its work itself.
    public func finish(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        let calls = desk.withLock { $0.calls }
        guard let text = calls.textOfOpen(name) else { return }
        fail(text, TestPlace(fileID, filePath, line, column))
    }
}
