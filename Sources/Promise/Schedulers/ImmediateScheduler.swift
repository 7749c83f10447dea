/// A scheduler that runs work synchronously in the call to `schedule`: for synchronous programs and for benchmarks.
///
/// Work runs one item at a time. An item that is scheduled while another one runs, from inside it or from another
/// thread, is enqueued and runs afterwards, on the thread that runs the other one. With a delay of zero or less, work
/// runs immediately; a longer delay passes in real time, and the work then runs on a thread of a background queue.
public final class ImmediateScheduler: SerialScheduler {
    private struct PendingWork {
        var work = Deque<StoredClosure>()
        var isBusy = false
    }

    private let waiting = Lock(PendingWork())

    /// Creates a scheduler with a queue of its own: work of different schedulers may run concurrently.
    public init() {}

    /// The real time that has passed since the first use of a real-time scheduler's clock in this process.
    public var now: Duration { Uptime.now }

    /// Always true: work may run on any thread.
    public var isCurrent: Bool { true }

    /// Runs `work` before this call returns, unless other work of this scheduler is running: then `work` is enqueued
    /// and runs after the pending work.
    public func schedule(_ work: @escaping @Sendable () -> Void) {
        let isFirst = waiting.withLock { waiting in
            waiting.work.append(StoredClosure(work))
            defer { waiting.isBusy = true }
            return !waiting.isBusy
        }
        guard isFirst else { return }
        while let work = next() { runAsCurrent(work.run) }
    }

    private func next() -> StoredClosure? {
        waiting.withLock {
            if let work = $0.work.popFirst() { return work }
            $0.isBusy = false
            return nil
        }
    }

    /// Runs `work` like ``schedule(_:)`` if `delay` is zero or less, otherwise after `delay` in real time, unless
    /// cancelled before.
    ///
    /// - Returns: A handle to cancel the work.
    @discardableResult
    public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        guard delay > .zero else {
            let scheduled = ScheduledWork(work)
            schedule { scheduled.run() }
            return scheduled
        }
        return QueueScheduler.background.schedule(after: delay) { self.schedule(work) }
    }
}

extension SerialScheduler where Self == ImmediateScheduler {
    /// A new scheduler that runs work synchronously in the call to `schedule`.
    public static var immediate: ImmediateScheduler { ImmediateScheduler() }
}
