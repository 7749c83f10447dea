import Promise

extension Stub {
    /// Fulfills an open call with a value. Fails the test if there is no such open call.
    ///
    /// - Parameters:
    ///   - value: The result of the call.
    ///   - call: Which open call; the oldest one by default.
    public func fulfill(
        _ value: Value, call: StubChoice<Input> = .oldest, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        settle(.fulfilled, call, TestPlace(fileID, filePath, line, column)) { $0.fulfill(value) }
    }

    /// Rejects an open call with an error. Fails the test if there is no such open call.
    ///
    /// - Parameters:
    ///   - error: The error of the call.
    ///   - call: Which open call; the oldest one by default.
    public func reject(
        _ error: any Error, call: StubChoice<Input> = .oldest, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        settle(.rejected, call, TestPlace(fileID, filePath, line, column)) { $0.reject(error) }
    }

    /// Reports an interim value of an open call, which stays open. Fails the test if there is no such open call.
    ///
    /// - Parameters:
    ///   - interim: The interim value: progress, a cached copy, an optimistic guess.
    ///   - call: Which open call; the oldest one by default.
    public func report(
        _ interim: Value, call: StubChoice<Input> = .oldest, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        settle(nil, call, TestPlace(fileID, filePath, line, column)) { $0.report(interim) }
    }

    /// - Parameter state: The final state of the call; nil if it stays open.
    func settle(
        _ state: StubCall<Input>.State?, _ choice: StubChoice<Input>, _ place: TestPlace,
        _ act: (Resolver<Value>) -> Void
    ) {
        let (calls, replacement) = contents.withLock { ($0.calls, $0.replacement) }
        switch calls.find(choice) {
        case .failure(let refusal):
            fail(calls.text(refusal, of: name, doing: state, replacedAt: replacement), place)
        case .success(let number):
            let resolver = state.map { end(number, $0) } ?? contents.withLock { $0.resolvers[number] }
            // Outside of the lock, as this may run handlers of the promise.
            if let resolver { act(resolver) }
        }
    }

    /// Asserts at the end of a test that no call is open: each was settled or cancelled.
    ///
    /// Without it, calls that are still open do not fail the test. A ``TestSystem`` reports its unfinished work itself.
    public func finish(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        let calls = contents.withLock { $0.calls }
        guard let text = calls.textOfOpen(name) else { return }
        fail(text, TestPlace(fileID, filePath, line, column))
    }
}
