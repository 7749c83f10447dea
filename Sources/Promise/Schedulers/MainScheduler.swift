internal import Dispatch
internal import Foundation

/// A scheduler that runs work on the main queue, for user interfaces.
///
/// A command-line program must serve the main queue: await something in an `async` main, or call `dispatchMain()`.
public final class MainScheduler: ActorScheduler {
    static let shared = MainScheduler(MainQueueWatch(on: QueueScheduler.background))

    private struct MainQueueState {
        /// The number of items enqueued on the main queue that have not begun.
        var queued = 0
        /// Work scheduled by running work on the main thread; it runs after that returns.
        var next = Deque<StoredClosure>()
        var isRunning = false
    }

    private let waiting = Lock(MainQueueState())
    private let timers = QueueTimers(.main)
    package let actor = SchedulerActor(.main)

    private let mark = DispatchSpecificKey<Bool>()
    private let watch: MainQueueWatch

    private let enqueueOnMain: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// - Parameters:
    ///   - watch: Notified when work is enqueued on the main queue, and when the queue runs it.
    ///   - enqueueOnMain: Enqueues on the main queue; a test may run the queue itself, like a modal run loop.
    init(
        _ watch: MainQueueWatch,
        enqueueOnMain: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = {
            DispatchQueue.main.async(execute: $0)
        }
    ) {
        (self.watch, self.enqueueOnMain) = (watch, enqueueOnMain)
        DispatchQueue.main.setSpecific(key: mark, value: true)
        actor.executor.scheduler.exchange(for: .init(scheduler: self))
    }

    /// The real time that has passed since the first use of a real-time scheduler's clock in this process.
    public var now: Duration { Uptime.now }

    /// Whether the caller is on the main thread or on the main queue. On Linux these differ once the main thread has
    /// handed the queue over, as `dispatchMain()` does: another thread then serves it.
    public var isCurrent: Bool { isMainThread || DispatchQueue.getSpecific(key: mark) == true }

    private var isMainThread: Bool { Self.mainThreads.current.withValue { $0 } }

    // Cached per thread: on Linux, finding out takes two system calls. Foundation is needed for this alone: on Linux
    // the standard library cannot tell the main thread from others.
    private static let mainThreads = ThreadLocal { Thread.isMainThread }

    /// Runs `work` on the main queue, in the order of the calls.
    ///
    /// It runs before this call returns if the caller is on the main thread and no earlier work is pending. If it is
    /// scheduled by running work of this scheduler, it runs after that has returned.
    public func schedule(_ work: @escaping @Sendable () -> Void) {
        enum Placement { case now, afterThis, queue }
        let placement: Placement = waiting.withLock {
            guard isCurrent, $0.queued == 0 else { return .queue }
            guard !$0.isRunning else {
                $0.next.append(StoredClosure(work))
                return .afterThis
            }
            $0.isRunning = true
            return .now
        }
        switch placement {
        case .now: runAll(work)
        case .afterThis: break
        case .queue: enqueue(work)
        }
    }

    /// Runs `work`, and then the work that was scheduled meanwhile.
    private func runAll(_ work: @escaping @Sendable () -> Void) {
        var next: StoredClosure? = StoredClosure(work)
        while let work = next {
            runAsCurrent(work.run)
            next = waiting.withLock {
                if let work = $0.next.popFirst() { return work }
                $0.isRunning = false
                return nil
            }
        }
    }

    private func enqueue(_ work: @escaping @Sendable () -> Void) {
        waiting.withLock { $0.queued += 1 }
        watch.workEnqueued()
        enqueueOnMain { self.begin(work, queued: 1) }
    }

    /// Runs work that the main queue delivers. This is nested in other work only if that runs the main queue itself,
    /// for example in a modal run loop; work that the nested work schedules then runs after both have returned.
    private func begin(_ work: @escaping @Sendable () -> Void, queued: Int) {
        watch.queueServed()
        let isInside = waiting.withLock { waiting in
            waiting.queued -= queued
            defer { waiting.isRunning = true }
            return waiting.isRunning
        }
        if isInside { runAsCurrent(work) } else { runAll(work) }
    }

    /// Runs `work` on the main queue after `delay`, unless cancelled before. Never runs it before this call returns.
    ///
    /// - Complexity: O(log n) for n pending delays, as is cancelling.
    /// - Returns: A handle to cancel the work; releasing it does not cancel.
    @discardableResult
    public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        if delay <= .zero { watch.workEnqueued() }
        return timers.schedule(after: delay) { self.begin(work, queued: 0) }
    }
}

extension SerialScheduler where Self == MainScheduler {
    /// The scheduler of the main queue.
    public static var main: MainScheduler { .shared }
}
