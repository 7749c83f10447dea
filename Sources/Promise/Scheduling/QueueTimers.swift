internal import Dispatch

/// The timers of one dispatch queue: a heap in the order of their deadlines, with one armed source for the first.
/// Arming and cancelling take O(log n), and a timer that was cancelled takes no memory.
final class QueueTimers: Sendable {
    /// Unchecked because Dispatch does not say so: a source can be used on any thread.
    private struct TimerSource: @unchecked Sendable {
        let timer: any DispatchSourceTimer
    }

    private struct Timers: Sendable {
        var heap = TimerHeap()
        /// Made for the first timer.
        var source: TimerSource?
        /// When the source fires; it is not armed again for later deadlines, nor when its timer is cancelled.
        var armed = UInt64.max
    }

    private let queue: DispatchQueue
    private let timers = Lock(Timers())

    init(_ queue: DispatchQueue) { self.queue = queue }

    deinit { timers.withLock { $0.source?.timer.cancel() } }

    /// Runs `work` on the queue after a delay, as an item of its own.
    func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        guard delay > .zero else {
            let scheduled = ScheduledWork(work)
            queue.async { scheduled.run() }
            return scheduled
        }
        let scheduled = ScheduledWork(work, timers: self)
        let deadline = (DispatchTime.now() + delay.dispatchInterval).uptimeNanoseconds
        timers.withLock {
            $0.heap.insert(scheduled, at: deadline)
            arm(&$0)
        }
        return scheduled
    }

    func cancel(_ work: ScheduledWork) { timers.withLock { $0.heap.remove(work) } }

    /// Arms the source for the first deadline, unless it fires earlier anyway.
    private func arm(_ timers: inout Timers) {
        guard let first = timers.heap.firstDeadline, first < timers.armed else { return }
        timers.armed = first
        let isNew = timers.source == nil
        let source = timers.source ?? TimerSource(timer: makeTimer())
        timers.source = source
        source.timer.schedule(deadline: DispatchTime(uptimeNanoseconds: first), leeway: .nanoseconds(0))
        if isNew { source.timer.activate() }
    }

    private func makeTimer() -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { @Sendable [weak self] in self?.fire() }
        return timer
    }

    /// Enqueues what is due. Each is an item of its own, so that one that runs the queue itself does not keep back
    /// others.
    private func fire() {
        let now = DispatchTime.now().uptimeNanoseconds
        while let work = timers.withLock({ $0.heap.popFirst(until: now) }) { queue.async { work.run() } }
        timers.withLock {
            $0.armed = .max
            arm(&$0)
        }
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
