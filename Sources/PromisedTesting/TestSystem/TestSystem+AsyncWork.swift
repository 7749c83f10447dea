import Promise

extension TestSystem {
    /// Waits, in real time, until assertions pass that depend on `async` work on another executor, without blocking a
    /// thread meanwhile.
    ///
    /// `async` work that is on the main actor, on another actor or in a task of its own comes back at a time that no
    /// test knows. Every assertion waits for that, as ``TestScheduler/asyncWorkLimit`` says, but it blocks its thread.
    /// Tests that block all threads of Swift's pool, or the main thread, wait in vain for work that needs one. This
    /// method tries the assertions, and while one fails and `async` work is open, suspends the test until some of it
    /// comes back, runs what is due, and tries again. When no work is open, or the time is over, the failures of the
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
        let place = TestPlace(fileID, filePath, line, column)
        waited = await scheduler.waitForAsyncWork(within: limit, at: place) { passes(assertions) }
        isChecking = true
        assertions()
        (isChecking, waited) = (false, nil)
    }

    /// Makes an assertion. If it fails, first waits for open `async` work, which may bring what is missing.
    func check(_ place: TestPlace, _ assertion: () -> Void) {
        if !isChecking, !scheduler.openAsyncWork.isEmpty {
            waited = scheduler.blockForAsyncWork(at: place) { passes(assertion) }
            defer { waited = nil }
            assertion()
        } else {
            assertion()
        }
    }

    /// Whether assertions pass. They account for nothing.
    private func passes(_ assertions: () -> Void) -> Bool {
        let (before, skipped) = (eventLog.withLock { $0 }, skippedWork)
        (isChecking, isTrying) = (true, true)
        defer {
            (isChecking, isTrying) = (false, false)
            eventLog.withLock { $0 = before }
            skippedWork = skipped
        }
        return !TestReport.collect(assertions).contains { $0.kind == .failure }
    }

    /// What a failure says about open `async` work, which may be why something is missing; empty if there is none.
    var openWorkNote: String {
        let open = scheduler.openAsyncWork.map(\.description).joined(separator: ", ")
        guard !open.isEmpty else { return "" }
        let waited = waited.map { " The test has waited \($0) in real time in vain." } ?? ""
        return """


            Async work is open, made at \(open).\(waited) It is on another executor, or waits for the clock or for \
            the test. To wait without blocking a thread of Swift's pool or the main thread, use \
            await test.afterAsyncWork { … }.
            """
    }
}
