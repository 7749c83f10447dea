internal import Dispatch

/// The timers of one dispatch queue: a heap in the order of their deadlines, with one armed source for the first. Arming
/// and cancelling take O(log n), and a timer that was cancelled takes no memory.
final class QueueTimers: Sendable {
    /// Unchecked because Dispatch does not say so: a source can be used on any thread.
    private struct Source: @unchecked Sendable {
        let timer: any DispatchSourceTimer
    }

    private struct Timers: Sendable {
        var heap = TimerHeap()
        /// Made for the first timer.
        var source: Source?
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
        let source = timers.source ?? Source(timer: makeTimer())
        timers.source = source
        source.timer.schedule(deadline: DispatchTime(uptimeNanoseconds: first), leeway: .nanoseconds(0))
        if isNew { source.timer.activate() }
    }

    private func makeTimer() -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { @Sendable [weak self] in self?.fire() }
        return timer
    }

    /// Enqueues what is due. Each is an item of its own, so that one that runs the queue itself does not keep back others.
    private func fire() {
        let now = DispatchTime.now().uptimeNanoseconds
        while let work = timers.withLock({ $0.heap.popFirst(until: now) }) { queue.async { work.run() } }
        timers.withLock {
            $0.armed = .max
            arm(&$0)
        }
    }
}

/// Pending timers, in a binary heap: each is due no later than those at twice its place, plus one and plus two.
struct TimerHeap: Sendable {
    private struct Timer: Sendable {
        let work: ScheduledWork
        let deadline: UInt64
        /// Of two with one deadline, the one that was armed first is due first.
        let number: UInt64

        func isDue(before other: Timer) -> Bool { (deadline, number) < (other.deadline, other.number) }
    }

    private var timers: ContiguousArray<Timer> = []
    private var lastNumber: UInt64 = 0

    var isEmpty: Bool { timers.isEmpty }
    var firstDeadline: UInt64? { timers.first?.deadline }

    mutating func insert(_ work: ScheduledWork, at deadline: UInt64) {
        lastNumber &+= 1
        timers.append(Timer(work: work, deadline: deadline, number: lastNumber))
        rise(from: timers.count - 1)
    }

    /// Removes the first timer if it is due by then.
    mutating func popFirst(until now: UInt64) -> ScheduledWork? {
        guard let first = timers.first, first.deadline <= now else { return nil }
        remove(at: 0)
        return first.work
    }

    mutating func remove(_ work: ScheduledWork) {
        let place = work.place
        if timers.indices.contains(place), timers[place].work === work { remove(at: place) }
    }

    private mutating func remove(at place: Int) {
        timers.swapAt(place, timers.count - 1)
        timers.removeLast().work.place = -1
        // Returns memory after a burst.
        if timers.capacity > 64, timers.count < timers.capacity / 4 { timers = ContiguousArray(timers[...]) }
        guard place < timers.count else { return }
        rise(from: place)
        sink(from: place)
    }

    /// Moves a timer towards the first place until its parent is due earlier.
    private mutating func rise(from start: Int) {
        var place = start
        while place > 0, timers[place].isDue(before: timers[(place - 1) / 2]) {
            timers.swapAt(place, (place - 1) / 2)
            timers[place].work.place = place
            place = (place - 1) / 2
        }
        timers[place].work.place = place
    }

    /// Moves a timer away from the first place until its children are due later.
    private mutating func sink(from start: Int) {
        var place = start
        while 2 * place + 1 < timers.count {
            let (left, right) = (2 * place + 1, 2 * place + 2)
            let isRight = right < timers.count && timers[right].isDue(before: timers[left])
            let child = isRight ? right : left
            guard timers[child].isDue(before: timers[place]) else { break }
            timers.swapAt(place, child)
            timers[place].work.place = place
            place = child
        }
        timers[place].work.place = place
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
