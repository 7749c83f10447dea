internal import Dispatch

/// A scheduler of its own: a serial dispatch queue.
public final class QueueScheduler: SerialScheduler {
    let queue: DispatchQueue
    private let executor: QueueExecutor

    /// A serial queue of its own, whatever `target` is.
    init(label: String, qos: DispatchQoS = .unspecified, target: DispatchQueue? = nil) {
        queue = DispatchQueue(label: label, qos: qos, target: target)
        executor = QueueExecutor(queue: queue)
        executor.scheduler.withLock { [unowned self] in $0 = .init(scheduler: self) }
    }

    /// What chains run on whose starter named nothing else.
    static let background = QueueScheduler(label: "Promise.background")

    /// The time since the program's first look at the clock.
    public var now: Duration { Uptime.now }

    /// Runs `work` on the queue; never before this call returns.
    public func schedule(_ work: @escaping @Sendable () -> Void) {
        queue.async { self.runAsCurrent(work) }
    }

    /// Runs `work` on the queue when `delay` has passed, unless cancelled before.
    @discardableResult
    public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        queue.scheduleWork(after: delay) { self.runAsCurrent(work) }
    }

    /// Runs `async` work on the queue.
    public var taskExecutor: (any TaskExecutor)? { executor }
}

extension SerialScheduler where Self == QueueScheduler {
    /// A new serial queue.
    ///
    /// - Parameter label: Its name in debuggers and crash reports.
    public static func serial(_ label: String) -> QueueScheduler { QueueScheduler(label: label) }
}

/// Runs jobs on a scheduler's queue, as its work.
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
    /// In nanoseconds, rounded up: a delay never ends early. What does not fit becomes 73 years: later than the
    /// queue can express, it would discard the work at once, and with it the promise that waits.
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

/// The clock of every scheduler on real time.
enum Uptime {
    private static let start = ContinuousClock.now
    static var now: Duration { start.duration(to: .now) }
}
