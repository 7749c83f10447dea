import Foundation

/// Runs each job on a new thread with a stack of 512 KiB.
final class SmallStack: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let thread = Thread { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
        thread.stackSize = 512 << 10
        thread.start()
    }
}
