internal import Dispatch

/// A scheduler that runs work on a serial dispatch queue of its own.
public final class QueueScheduler: ActorScheduler {
    let queue: DispatchQueue
    private let timers: QueueTimers
    package let actor: SchedulerActor

    /// Creates a new serial queue, even if `target` is given and concurrent.
    init(label: String, qos: DispatchQoS = .unspecified, target: DispatchQueue? = nil) {
        queue = DispatchQueue(label: label, qos: qos, target: target)
        timers = QueueTimers(queue)
        actor = SchedulerActor(queue)
        actor.executor.scheduler.exchange(for: .init(scheduler: self))
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
    /// - Complexity: O(log n) for n pending delays, as is cancelling.
    /// - Returns: A handle to cancel the work; releasing it does not cancel.
    @discardableResult
    public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        timers.schedule(after: delay) { self.runAsCurrent(work) }
    }
}

extension SerialScheduler where Self == QueueScheduler {
    /// A new scheduler over a new serial dispatch queue.
    ///
    /// - Parameter label: The queue's name in debuggers and crash reports.
    public static func serial(_ label: String) -> QueueScheduler { QueueScheduler(label: label) }
}

/// The clock of all real-time schedulers; it starts at zero when it is first read.
enum Uptime {
    private static let start = ContinuousClock.now
    static var now: Duration { start.duration(to: .now) }
}
