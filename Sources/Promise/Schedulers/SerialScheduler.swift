public import Synchronization

/// A serial execution context with a clock.
///
/// Work runs one item at a time, in the order in which it was scheduled. Every delay, timeout and hop of this library
/// goes through a scheduler, so a program that uses a `TestScheduler` for all of them runs entirely in virtual time.
///
/// ```swift
/// let scheduler = QueueScheduler.serial("basket")
/// scheduler.schedule { print("one at a time") }
/// let reminder = scheduler.schedule(after: .seconds(30)) { print("still there?") }
/// reminder.cancel()
/// ```
///
/// A custom scheduler should run its work inside ``runAsCurrent(_:)``: chains that the work starts then run on it.
public protocol SerialScheduler: AnyObject, Sendable {
    /// The time on this scheduler's clock, as the duration since a fixed instant that the scheduler chooses.
    var now: Duration { get }

    /// Whether the caller is running inside work of this scheduler, so that further work may run without being
    /// scheduled.
    var isCurrent: Bool { get }

    /// Runs `work` on this scheduler, after all work that was scheduled before it.
    ///
    /// It may run before this call returns if the caller is on this scheduler and no other work is pending.
    func schedule(_ work: @escaping @Sendable () -> Void)

    /// Runs `work` on this scheduler after `delay`, unless cancelled before.
    ///
    /// With a delay of zero or less, it is enqueued after the work that is pending now, and never runs before this call
    /// returns (except with ``ImmediateScheduler``).
    ///
    /// - Returns: A handle to cancel the work; releasing it does not cancel.
    @discardableResult
    func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledWork

    /// The executor that runs `async` work on this scheduler; nil for the default executor.
    var taskExecutor: (any TaskExecutor)? { get }

    /// Called when `async` work begins on a chain of this scheduler, so that a test scheduler can detect unfinished
    /// work.
    ///
    /// - Parameter origin: Where the promise of the work was created.
    /// - Returns: A closure that is called once, on any thread, when the work has ended.
    func asyncWorkBegins(at origin: Origin) -> @Sendable () -> Void
}

extension SerialScheduler {
    /// Whether the caller runs inside this scheduler's ``runAsCurrent(_:)``.
    public var isCurrent: Bool { Trampoline.runningScheduler === self }

    /// Nil, for the default executor.
    public var taskExecutor: (any TaskExecutor)? { nil }

    /// A no-op: the work is not counted.
    public func asyncWorkBegins(at origin: Origin) -> @Sendable () -> Void { {} }

    /// Runs `body` on the calling thread as work of this scheduler: chains that it starts run on this scheduler, unless
    /// they name another one.
    ///
    /// - Throws: The error that `body` throws.
    public func runAsCurrent<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Trampoline.run(on: self, body)
    }
}

/// A handle to scheduled work, with which it can be cancelled.
public final class ScheduledWork: Sendable {
    // Set to nil on cancellation, so that a timer that is still pending does not retain the work.
    private let work: Lock<Action?>
    private let purpose = Atomic(Purpose.work)

    /// The kind of work, for a test scheduler that decides which timers to run.
    @usableFromInline
    package enum Purpose: UInt8, AtomicRepresentable, Sendable {
        /// Work of the code that scheduled it, such as a delay or an effect.
        case work
        /// A timer of a system's event loop itself, such as one that debounces events.
        case loop
        /// A diagnostic timer without effect on state.
        case report
    }

    /// Sets the kind of work, and returns this handle.
    @usableFromInline
    package func serves(_ purpose: Purpose) -> ScheduledWork {
        self.purpose.store(purpose, ordering: .relaxed)
        return self
    }

    /// Whether the work is of this kind.
    package func isFor(_ purpose: Purpose) -> Bool { self.purpose.load(ordering: .relaxed) == purpose }

    /// Creates a handle for a scheduler, which runs the work by ``run()``.
    public init(_ work: @escaping @Sendable () -> Void) { self.work = Lock(Action(work)) }

    /// Wraps `work` so that only the first call runs it: a safeguard against custom schedulers that run work twice.
    package static func once(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let work = ScheduledWork(work)
        return { work.run() }
    }

    /// Runs the work on the calling thread; for schedulers. A no-op if it has run or was cancelled.
    public func run() { take()?.run() }

    /// Whether the work is pending: it has neither begun nor been cancelled.
    public var isPending: Bool { work.withLock { $0 != nil } }

    /// Cancels the work and releases it immediately. A no-op if it has begun.
    public func cancel() { _ = take() }

    private func take() -> Action? {
        work.withLock { work in
            defer { work = nil }
            return work
        }
    }
}
