internal import Dispatch

/// A scheduler that runs work on a serial dispatch queue of its own.
public final class QueueScheduler: SerialScheduler {
    let queue: DispatchQueue
    private let executor: QueueExecutor

    /// Creates a new serial queue, even if `target` is given and concurrent.
    init(label: String, qos: DispatchQoS = .unspecified, target: DispatchQueue? = nil) {
        queue = DispatchQueue(label: label, qos: qos, target: target)
        executor = QueueExecutor(queue: queue)
        executor.scheduler.withLock { [unowned self] in $0 = .init(scheduler: self) }
    }

    /// The default scheduler of chains that are started without one.
    static let background = QueueScheduler(label: "Promise.background")

    /// The real time that has passed since the first use of a real-time scheduler's clock in this process.
    public var now: Duration { Uptime.now }

    /// Enqueues `work` on the queue. It runs asynchronously, even if the caller is on the queue.
    public func schedule(_ work: @escaping @Sendable () -> Void) {
        queue.async { self.runAsCurrent(work) }
    }

    /// Runs `work` on the queue after `delay`, unless cancelled before.
    ///
    /// - Returns: A handle to cancel the work; releasing it does not cancel.
    @discardableResult
    public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        queue.scheduleWork(after: delay) { self.runAsCurrent(work) }
    }

    /// An executor that runs the jobs of `async` work on the queue.
    public var taskExecutor: (any TaskExecutor)? { executor }
}

extension SerialScheduler where Self == QueueScheduler {
    /// A new scheduler over a new serial dispatch queue.
    ///
    /// - Parameter label: The queue's name in debuggers and crash reports.
    public static func serial(_ label: String) -> QueueScheduler { QueueScheduler(label: label) }
}

/// A task executor that runs jobs on a scheduler's queue, with that scheduler as the current one.
final class QueueExecutor: TaskExecutor {
    struct Reference: Sendable { weak let scheduler: (any SerialScheduler)? }

    private let queue: DispatchQueue
    let scheduler = Lock<Reference?>(nil)

    init(queue: DispatchQueue) { self.queue = queue }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let scheduler = scheduler.withLock { $0?.scheduler }
        queue.async {
            guard let scheduler else { return job.runSynchronously(on: self.asUnownedTaskExecutor()) }
            scheduler.runAsCurrent { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
}

extension DispatchQueue {
    func scheduleWork(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        let scheduled = ScheduledWork(work)
        if delay > .zero {
            asyncAfter(deadline: .now() + delay.dispatchInterval) { scheduled.run() }
        } else {
            async { scheduled.run() }
        }
        return scheduled
    }
}

extension Duration {
    /// This duration in nanoseconds, rounded up, so that a delay never ends early. Longer delays are clamped to 73
    /// years: given a deadline that it cannot represent, the queue would discard the work immediately, and the promise
    /// that waits for it would be rejected as abandoned.
    fileprivate var dispatchInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        let nanoseconds = attoseconds / 1_000_000_000 + (attoseconds % 1_000_000_000 > 0 ? 1 : 0)
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow, product < .max / 4, let total = Int(exactly: product + nanoseconds) else {
            return .nanoseconds(.max / 4)
        }
        return .nanoseconds(total)
    }
}

/// The clock of all real-time schedulers; it starts at zero when it is first read.
enum Uptime {
    private static let start = ContinuousClock.now
    static var now: Duration { start.duration(to: .now) }
}
