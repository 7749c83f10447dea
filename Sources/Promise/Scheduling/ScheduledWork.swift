internal import Synchronization

/// A handle to scheduled work, with which it can be cancelled.
public final class ScheduledWork: Sendable {
    // Set to nil on cancellation, so that a timer that is still pending does not retain the work.
    private let work: Lock<StoredClosure?>
    private let storedMark = Atomic<UInt8>(0)
    private let timers: QueueTimers?
    private let storedPlace = Atomic(-1)

    /// Where the timers of its queue have it; used under their lock.
    var place: Int {
        get { storedPlace.load(ordering: .relaxed) }
        set { storedPlace.store(newValue, ordering: .relaxed) }
    }

    /// A number that tells kinds of work apart, such as for a test scheduler; 0 unless set.
    package var mark: UInt8 {
        get { storedMark.load(ordering: .relaxed) }
        set { storedMark.store(newValue, ordering: .relaxed) }
    }

    /// Creates a handle for a scheduler, which runs the work by ``run()``.
    public convenience init(_ work: @escaping @Sendable () -> Void) { self.init(work, timers: nil) }

    init(_ work: @escaping @Sendable () -> Void, timers: QueueTimers?) {
        (self.work, self.timers) = (Lock(StoredClosure(work)), timers)
    }

    /// Wraps `work` so that only the first call runs it: a safeguard against custom schedulers that run work twice.
    package static func once(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let work = ScheduledWork(work)
        return { work.run() }
    }

    /// Runs the work on the calling thread; for schedulers. A no-op if it has run or was cancelled.
    public func run() { work.exchange(for: nil)?.run() }

    /// Whether the work is pending: it has neither begun nor been cancelled.
    public var isPending: Bool { work.withLock { $0 != nil } }

    /// Cancels the work and releases it immediately. A no-op if it has begun.
    public func cancel() { if work.exchange(for: nil) != nil { timers?.cancel(self) } }
}
