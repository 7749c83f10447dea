internal import Promise

/// A test whose assertions account for every occurrence, and wait for `async` work that may bring the missing ones.
package protocol AccountingTest: AnyObject {
    var scheduler: TestScheduler { get }
    var tries: AssertionTries { get set }
    /// - Returns: Forgets the occurrences that were accounted for since this call.
    func checkpoint() -> () -> Void
}

/// How a test makes an assertion now.
package struct AssertionTries {
    /// Whether assertions wait for nothing themselves; `isTrying` if they are made again afterwards.
    package var isChecking = false, isTrying = false
    /// How long the test has waited for `async` work before this assertion; nil if it has not.
    package var waited: Duration?

    package init() {}
}

extension AccountingTest {
    /// Makes an assertion. If it fails, first waits for open `async` work, which may bring the missing occurrence.
    package func check(_ place: TestPlace, _ assertion: () -> Void) {
        if !tries.isChecking, !scheduler.openAsyncWork.isEmpty {
            tries.waited = scheduler.blockForAsyncWork(at: place) { passes(assertion) }
            defer { tries.waited = nil }
            assertion()
        } else {
            assertion()
        }
    }

    /// Makes assertions when they pass, or when no `async` work is open, or after a time.
    package func afterAsyncWork(
        within limit: Duration, at place: TestPlace, _ assertions: () -> Void
    ) async {
        tries.waited = await scheduler.waitForAsyncWork(within: limit, at: place) { passes(assertions) }
        tries.isChecking = true
        assertions()
        tries = AssertionTries()
    }

    /// Whether assertions pass. They account for nothing.
    private func passes(_ assertions: () -> Void) -> Bool {
        let forget = checkpoint()
        (tries.isChecking, tries.isTrying) = (true, true)
        defer {
            (tries.isChecking, tries.isTrying) = (false, false)
            forget()
        }
        return !TestReport.collect(assertions).contains { $0.kind == .failure }
    }

    /// The part of a failure about open `async` work, which may be why something is missing; empty if there is none.
    package var openWorkNote: String {
        let open = scheduler.openAsyncWork.map(\.description).joined(separator: ", ")
        guard !open.isEmpty else { return "" }
        let waited = tries.waited.map { " The test has waited \($0) in real time in vain." } ?? ""
        return """


            Async work is open, made at \(open).\(waited) It is on another executor, or waits for the clock or for \
            the test. To wait without blocking a thread of Swift's pool or the main thread, use \
            await test.afterAsyncWork { … }.
            """
    }
}
