internal import Dispatch

/// A scheduler over a dispatch queue, and so an actor: `async` work on it is isolated to that.
package protocol ActorScheduler: SerialScheduler {
    var actor: SchedulerActor { get }
}

/// The isolation of `async` work on a scheduler: what the work awaits runs where Swift puts it, and the work goes on
/// on the scheduler.
package actor SchedulerActor {
    nonisolated let executor: Executor

    init(_ queue: DispatchQueue) { executor = Executor(queue: queue) }

    /// The queue of the scheduler.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Starts a task on the scheduler, behind what was scheduled and started there before.
    nonisolated func start<Success: Sendable>(
        _ body: nonisolated(nonsending) @escaping @Sendable () async throws -> Success
    ) -> Task<Success, any Error> {
        // Only makes the task, which can be done on any thread: see `checkIsolated`.
        assumeIsolated { actor in
            Task {
                _ = actor
                return try await body()
            }
        }
    }

    /// Runs jobs on a scheduler's queue, with that scheduler as the current one.
    final class Executor: SerialExecutor {
        struct WeakScheduler: Sendable { weak let scheduler: (any SerialScheduler)? }

        private let queue: DispatchQueue
        let scheduler = Lock<WeakScheduler?>(nil)

        init(queue: DispatchQueue) { self.queue = queue }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            let scheduler = scheduler.withLock { $0?.scheduler }
            queue.async {
                guard let scheduler else { return job.runSynchronously(on: self.asUnownedSerialExecutor()) }
                scheduler.runAsCurrent { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
            }
        }

        /// Checks nothing: the actor has no state, and nobody else has it.
        func checkIsolated() {}
    }
}

extension SerialScheduler {
    /// Starts a task for `async` work on this scheduler.
    package func startTask<Success: Sendable>(
        _ body: nonisolated(nonsending) @escaping @Sendable () async throws -> Success
    ) -> Task<Success, any Error> {
        TaskScheduler.$current.withValue(self) {
            if let scheduler = self as? any ActorScheduler { return scheduler.actor.start(body) }
            return Task(executorPreference: taskExecutor) { try await body() }
        }
    }
}

/// The scheduler of the task that the caller is in: chains that it starts run there, on whatever thread it is.
enum TaskScheduler {
    @TaskLocal static var current: (any SerialScheduler)?
}
