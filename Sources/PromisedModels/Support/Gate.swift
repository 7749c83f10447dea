internal import Dispatch
internal import Promise
internal import Synchronization

/// A lock for the writers of a store, which the code that holds it may acquire again.
///
/// It belongs to a task or, outside of tasks, to a thread: a task that is suspended while it holds the gate may release
/// it on another thread, and the thread that it has left does not count as the holder.
///
/// A task is suspended there only if a property is passed inout to an asynchronous function. Then a writer on the
/// scheduler that the task has to return to would deadlock: it takes the gate over instead.
@usableFromInline
final class Gate: Sendable {
    /// The holder, 0 for none. The lowest bit is set while others wait, the next one if the holder is a task that has
    /// acquired it on the scheduler, and may be suspended.
    private let holder = Atomic<UInt>(0)
    private let waiting = Lock<[DispatchSemaphore]>([])
    /// The scheduler, if only one caller at a time is on it.
    private let scheduler: (any SerialScheduler)?

    @usableFromInline
    init(_ scheduler: any SerialScheduler) {
        self.scheduler = scheduler is ImmediateScheduler ? nil : scheduler
    }

    private var isOnScheduler: Bool { scheduler?.isCurrent ?? false }

    private static var caller: (id: UInt, isTask: Bool) {
        // The address of the task. A task is aligned, so the lowest bits are free.
        withUnsafeCurrentTask { $0.map { (unsafeBitCast($0, to: UInt.self), true) } } ?? (
            currentThread, false
        )
    }

    /// Whether the caller holds the gate.
    @usableFromInline var isHeldByCaller: Bool {
        let holder = holder.load(ordering: .relaxed) & ~3
        return holder != 0 && holder == Self.caller.id
    }

    /// - Parameter maySuspend: Whether the caller, if it is a task, may be suspended before it releases the gate.
    /// - Returns: False if the caller held it already.
    @usableFromInline
    func acquire(maySuspend: Bool = false) -> Bool {
        let (caller, isTask) = Self.caller
        let mark: UInt = maySuspend && isTask && isOnScheduler ? 2 : 0
        while true {
            let (isAcquired, before) = holder.compareExchange(
                expected: 0, desired: caller | mark, ordering: .acquiringAndReleasing)
            if isAcquired { return true }
            if before & ~3 == caller {
                // It is at work and not suspended, so that from now on the gate is not taken over.
                if before & 2 == 0 || exchange(before, for: before & ~2) { return false }
                continue
            }
            if before & 2 != 0, isOnScheduler {
                // The holder is suspended, because the caller is where it was. Those who wait are left to the new one.
                if exchange(before, for: caller | mark | before & 1) { return true }
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
                expected: before, desired: before | 1, ordering: .acquiringAndReleasing)
            guard isMarked || seen == before | 1 else { return nil }
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
        if holder.exchange(0, ordering: .acquiringAndReleasing) & 1 == 0 { return }
        for signal in waiting.exchange(for: []) { signal.signal() }
    }

    @usableFromInline
    func withGate<Result>(_ body: () throws -> Result) rethrows -> Result {
        let isOutermost = acquire()
        defer { if isOutermost { release() } }
        return try body()
    }
}
