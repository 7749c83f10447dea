internal import Dispatch
internal import Promise
internal import Synchronization

/// A lock for the writers of a store, which the code that holds it may acquire again.
///
/// It belongs to a task or, outside of tasks, to a thread: a task that is suspended while it holds the gate may release
/// it on another thread, and the thread that it has left does not count as the holder.
@usableFromInline
final class Gate: Sendable {
    /// The holder, 0 for none; the lowest bit is set while others wait.
    private let holder = Atomic<UInt>(0)
    private let waiting = Lock<[DispatchSemaphore]>([])

    @usableFromInline
    init() {}

    private static var caller: UInt {
        // The address of the task. A task is aligned, so the lowest bit is free.
        withUnsafeCurrentTask { $0.map { unsafeBitCast($0, to: UInt.self) } } ?? currentThread
    }

    /// Whether the caller holds the gate.
    @usableFromInline var isHeldByCaller: Bool {
        let holder = holder.load(ordering: .relaxed) & ~1
        return holder != 0 && holder == Self.caller
    }

    /// - Returns: False if the caller held it already.
    @usableFromInline
    func acquire() -> Bool {
        let caller = Self.caller
        while true {
            let (isAcquired, before) = holder.compareExchange(
                expected: 0, desired: caller, ordering: .acquiringAndReleasing)
            if isAcquired { return true }
            if before & ~1 == caller { return false }
            wait(for: before)
        }
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

    /// Called by the holder, as often as ``acquire()`` has returned true.
    @usableFromInline
    func release() {
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
