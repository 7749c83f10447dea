import Promise

extension TestSystem {
    /// Waits, in real time, until assertions pass that depend on `async` work on another executor, without blocking a
    /// thread meanwhile.
    ///
    /// `async` work that is on the main actor, on another actor or in a task of its own comes back at a time that no
    /// test knows. Every assertion waits for that, as ``TestScheduler/asyncWorkLimit`` says, but it blocks its thread.
    /// Tests that block all threads of Swift's pool, or the main thread, wait without end for work that needs one. This
    /// method tries the assertions, and while one fails and `async` work is open, suspends the test until some of it
    /// comes back, runs the due work, and tries again. When no work is open, or the time is over, the failures of the
    /// last try are reported.
    ///
    /// ```swift
    /// import PromisedSystem
    /// import PromisedTesting
    ///
    /// enum Event: Equatable { case load, loaded(Int) }
    ///
    /// func load() async {
    ///     let test = TestSystem(
    ///         initialState: 0,
    ///         feature: Feature(
    ///             reducer: Reducer<Int, Event> { count, event in
    ///                 if case .loaded(let number) = event { count = number }
    ///             },
    ///             feedbacks: [
    ///                 .onEvent({ $0 == .load ? true : nil }) { _ in
    ///                     Effect<Event>.task { .loaded(await Task.detached { 3 }.value) }
    ///                 }
    ///             ]))
    ///     test.send(.load)
    ///     await test.afterAsyncWork { test.receive(.loaded(3)) { $0 = 3 } }
    ///     test.finish()
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - limit: How long to wait at most, in real time.
    ///   - assertions: Called several times; only for assertions of this test system, such as `receive`, `assert` and
    ///     `finish`. A failed try accounts for nothing.
    public func afterAsyncWork(
        within limit: Duration = .seconds(5), fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ assertions: () -> Void
    ) async {
        await afterAsyncWork(within: limit, at: TestPlace(fileID, filePath, line, column), assertions)
    }
}

extension TestSystem: AccountingTest {
    package func checkpoint() -> () -> Void {
        let (before, skipped) = (eventLog.withLock { $0 }, skippedWork)
        return { [self] in
            eventLog.withLock { $0 = before }
            skippedWork = skipped
        }
    }
}
