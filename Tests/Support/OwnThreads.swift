internal import Dispatch
package import Testing

/// Runs the jobs of tests on Dispatch's global queue, not behind all other tests in Swift's cooperative pool: for tests
/// that must go on at once. On Linux, Foundation spins while it waits for a server, and Swift Testing spins until a
/// process that has finished is reaped.
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
    /// On Dispatch's global queue.
    package static var ownThreads: Self { OwnThreads() }
}
