/// Runs its tasks on the thread that calls ``runJobs()``, and only then. One thread uses it.
final class DrivenExecutor: TaskExecutor, @unchecked Sendable {
    private var jobs: [UnownedJob] = []
    /// The number of jobs so far: one for each task, and one for each time that a task was suspended.
    private(set) var count = 0

    func enqueue(_ job: consuming ExecutorJob) {
        count += 1
        jobs.append(UnownedJob(job))
    }

    func runJobs() {
        while let job = jobs.popLast() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// How often the task that does `work` is suspended.
    static func suspensions(of work: @escaping @Sendable () async throws -> Void) -> Int {
        let executor = DrivenExecutor()
        Task(executorPreference: executor) { try await work() }
        executor.runJobs()
        return executor.count - 1
    }
}
