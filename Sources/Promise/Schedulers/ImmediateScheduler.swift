/// Runs work right where it is scheduled: for programs that are synchronous anyway, and for measuring.
///
/// Work runs one piece at a time: what is scheduled while another piece runs, from inside it or from
/// another thread, runs after it, on the thread that is busy. A delay of zero or less does not wait; a
/// longer one passes in real time, on a background queue.
public final class ImmediateScheduler: SerialScheduler {
    private struct Waiting {
        var work = Deque<Action>()
        var isBusy = false
    }

    private let waiting = Lock(Waiting())

    /// A scheduler of its own, serial apart from all others.
    public init() {}

    /// The time since the program's first look at the clock.
    public var now: Duration { Uptime.now }

    /// Always: every place is as good as another.
    public var isCurrent: Bool { true }

    /// Runs `work` before this call returns, or, when a piece is running, after all that waits already.
    public func schedule(_ work: @escaping @Sendable () -> Void) {
        let isFirst = waiting.withLock { waiting in
            waiting.work.append(Action(work))
            defer { waiting.isBusy = true }
            return !waiting.isBusy
        }
        guard isFirst else { return }
        while let work = next() { runAsCurrent(work.run) }
    }

    private func next() -> Action? {
        waiting.withLock {
            if let work = $0.work.popFirst() { return work }
            $0.isBusy = false
            return nil
        }
    }

    /// Runs `work` at once when `delay` is zero or less, else when it has passed in real time.
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
    /// A new scheduler that runs work right where it is scheduled.
    public static var immediate: ImmediateScheduler { ImmediateScheduler() }
}
