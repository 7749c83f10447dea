internal import Dispatch
internal import Promise
internal import Synchronization

/// A lock for the writers of a store, which the code that holds it may acquire again.
///
/// It belongs to a thread, so that everything that is called meanwhile may write, also a task that is started
/// immediately. Where a task may be suspended it belongs to that alone: the task may then release it on another thread,
/// and the thread that it has left does not count as the holder.
///
/// A task is suspended there only if a property is passed inout to an asynchronous function. Then a writer on the
/// scheduler that the task has to return to would deadlock: it takes the gate over instead.
@usableFromInline
final class Gate: Sendable {
    /// The holder, and in its lowest bits those of ``Flag``; 0 for none.
    private let holder = Atomic<UInt>(0)
    private let waiting = Lock<[DispatchSemaphore]>([])
    /// The scheduler, if only one caller at a time is on it.
    private let scheduler: (any SerialScheduler)?

    /// Threads and tasks are known by the addresses of what belongs to them, which are aligned.
    private enum Flag {
        static let isWaitedFor: UInt = 1
        /// The holder has acquired it on the scheduler, and may be suspended.
        static let mayBeTakenOver: UInt = 2
        static let isTask: UInt = 4
        static let none: UInt = ~7
    }

    @usableFromInline
    init(_ scheduler: any SerialScheduler) {
        self.scheduler = scheduler is ImmediateScheduler ? nil : scheduler
    }

    private var isOnScheduler: Bool { scheduler?.isCurrent ?? false }

    /// The task of the caller; nil outside of tasks.
    private static var task: UInt? { withUnsafeCurrentTask { $0.map { unsafeBitCast($0, to: UInt.self) } } }

    private static func isCaller(_ holder: UInt) -> Bool {
        holder & Flag.none == (holder & Flag.isTask == 0 ? currentThread : task)
    }

    /// Whether the caller holds the gate.
    @usableFromInline var isHeldByCaller: Bool { Self.isCaller(holder.load(ordering: .relaxed)) }

    /// The same for a caller that may have been suspended: if it holds the gate, that is not taken over from now on.
    @usableFromInline
    func isHeldAfterSuspension() -> Bool {
        while true {
            let before = holder.load(ordering: .relaxed)
            guard Self.isCaller(before) else { return false }
            if before & Flag.mayBeTakenOver == 0 || exchange(before, for: before & ~Flag.mayBeTakenOver) {
                return true
            }
        }
    }

    /// - Returns: False if the caller held it already.
    @usableFromInline
    func acquire() -> Bool { acquire(as: currentThread) }

    /// The same for a caller that may be suspended before it releases the gate, if it is a task.
    @usableFromInline
    func acquireSuspending() -> Bool {
        guard let task = Self.task else { return acquire() }
        return acquire(as: task | Flag.isTask | (isOnScheduler ? Flag.mayBeTakenOver : 0))
    }

    private func acquire(as caller: UInt) -> Bool {
        while true {
            let (isAcquired, before) = holder.compareExchange(
                expected: 0, desired: caller, ordering: .acquiringAndReleasing)
            if isAcquired { return true }
            let isMarked = before & Flag.mayBeTakenOver != 0
            if Self.isCaller(before) {
                // It is at work and not suspended, so that from now on the gate is not taken over.
                if !isMarked || isOnScheduler || exchange(before, for: before & ~Flag.mayBeTakenOver) {
                    return false
                }
            } else if isMarked, isOnScheduler {
                // The holder is suspended, because the caller is where it was. Those that wait are left to the new one.
                if exchange(before, for: caller | before & Flag.isWaitedFor) { return true }
            } else {
                wait(for: before)
            }
        }
    }

    private func exchange(_ before: UInt, for next: UInt) -> Bool {
        holder.compareExchange(expected: before, desired: next, ordering: .acquiringAndReleasing).exchanged
    }

    /// Waits until a holder has released the gate.
    private func wait(for before: UInt) {
        let signal = waiting.withLock { waiting -> DispatchSemaphore? in
            // Marked under the lock, so that the holder finds the signal if it finds the mark.
            let (isMarked, seen) = holder.compareExchange(
                expected: before, desired: before | Flag.isWaitedFor, ordering: .acquiringAndReleasing)
            guard isMarked || seen == before | Flag.isWaitedFor else { return nil }
            let signal = DispatchSemaphore(value: 0)
            waiting.append(signal)
            return signal
        }
        signal?.wait()
    }

    /// Called as often as ``acquire()`` has returned true. A no-op if the gate was taken over.
    @usableFromInline
    func release() {
        guard isHeldByCaller else { return }
        if holder.exchange(0, ordering: .acquiringAndReleasing) & Flag.isWaitedFor == 0 { return }
        for signal in waiting.exchange(for: []) { signal.signal() }
    }

    @usableFromInline
    func withGate<Result>(_ body: () throws -> Result) rethrows -> Result {
        let isOutermost = acquire()
        defer { if isOutermost { release() } }
        return try body()
    }
}
