internal import Dispatch
package import Testing

/// Runs the asynchronous parts of tests on threads of their own, not behind all other tests in Swift's few threads: for
/// tests that would keep a processor busy meanwhile. On Linux, Foundation does while a server is to answer, and Swift
/// Testing does while a process has ended that nobody waits for yet.
package struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
    package let isRecursive = true

    package func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Threads()) { try await function() }
    }

    private final class Threads: TaskExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
}

extension Trait where Self == OwnThreads {
    /// On threads of the test's own.
    package static var ownThreads: Self { OwnThreads() }
}
