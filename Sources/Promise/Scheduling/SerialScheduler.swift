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

    /// The executor that runs `async` work, and everything that the work awaits: for the virtual time of a test
    /// scheduler. Nil for the default executor, and for the schedulers of queues, which run only the work itself.
    var taskExecutor: (any TaskExecutor)? { get }

    /// Called when `async` work begins on a chain of this scheduler, so that a test scheduler can detect unfinished
    /// work.
    ///
    /// - Parameter origin: Where the promise of the work was created.
    /// - Returns: A closure that is called once, on any thread, when the work has ended.
    func asyncWorkBegins(at origin: Origin) -> @Sendable () -> Void
}

extension SerialScheduler {
    /// Nil, for the default executor.
    public var taskExecutor: (any TaskExecutor)? { nil }

    /// A no-op: the work is not counted.
    public func asyncWorkBegins(at origin: Origin) -> @Sendable () -> Void { {} }
}
