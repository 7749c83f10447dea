internal import Dispatch

/// A scheduler over a dispatch queue, and so an actor: `async` work on it is isolated to that.
package protocol ActorScheduler: SerialScheduler {
    var actor: SchedulerActor { get }
}

/// A scheduler that passes its work on to another one, such as the scheduler of one effect: what the work starts
/// inherits the wrapper.
package protocol SchedulerWrapper: SerialScheduler {
    var base: any SerialScheduler { get }
}

extension SerialScheduler {
    /// The scheduler to which a wrapper passes its work in the end; another scheduler itself.
    package var unwrapped: any SerialScheduler { (self as? any SchedulerWrapper)?.base.unwrapped ?? self }
}

/// The isolation of `async` work on a scheduler: what the work awaits runs where Swift puts it, and the work goes on
/// on the scheduler.
package actor SchedulerActor {
    nonisolated let executor: Executor

    init(_ queue: DispatchQueue, inheriting wrapper: (any SchedulerWrapper)? = nil) {
        executor = Executor(queue: queue, inherited: wrapper)
    }

    /// The isolation of work on the same scheduler that inherits `wrapper`.
    nonisolated func inherited(by wrapper: any SchedulerWrapper) -> SchedulerActor {
        let actor = SchedulerActor(executor.queue, inheriting: wrapper)
        actor.executor.scheduler.exchange(for: executor.scheduler.withLock { $0 })
        return actor
    }

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

        let queue: DispatchQueue
        let scheduler = Lock<WeakScheduler?>(nil)
        /// What chains inherit that the jobs start, if that is not the scheduler.
        private let inherited: (any SchedulerWrapper)?

        init(queue: DispatchQueue, inherited: (any SchedulerWrapper)?) {
            (self.queue, self.inherited) = (queue, inherited)
        }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            let scheduler = scheduler.withLock { $0?.scheduler }
            queue.async {
                guard let scheduler else { return job.runSynchronously(on: self.asUnownedSerialExecutor()) }
                scheduler.runAsCurrent {
                    Trampoline.current.inherit(self.inherited) {
                        job.runSynchronously(on: self.asUnownedSerialExecutor())
                    }
                }
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
            if let actor = isolation { return actor.start(body) }
            return Task(executorPreference: taskExecutor) { try await body() }
        }
    }
}

extension SerialScheduler {
    /// The actor of `async` work on this scheduler, or on the one that it wraps; nil if it is not one of a queue.
    private var isolation: SchedulerActor? {
        if let scheduler = self as? any ActorScheduler { return scheduler.actor }
        guard let wrapper = self as? any SchedulerWrapper else { return nil }
        return wrapper.base.isolation?.inherited(by: wrapper)
    }
}

/// The scheduler of the task that the caller is in: chains that it starts run there, on whatever thread it is.
enum TaskScheduler {
    @TaskLocal static var current: (any SerialScheduler)?
}
