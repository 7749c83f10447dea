public import Synchronization

/// A serial place to run work, with a clock.
///
/// Work runs one piece at a time, in the order in which it was scheduled. Every delay, timeout and hop of
/// this library goes through a scheduler, so a program whose schedulers are all one `TestScheduler` has no
/// real time in it.
///
/// ```swift
/// let scheduler = QueueScheduler.serial("basket")
/// scheduler.schedule { print("one at a time") }
/// let reminder = scheduler.schedule(after: .seconds(30)) { print("still there?") }
/// reminder.cancel()
/// ```
///
/// A scheduler of your own should run its work inside ``runAsCurrent(_:)``: chains that the work starts
/// then belong to it.
public protocol SerialScheduler: AnyObject, Sendable {
    /// The time on this scheduler's clock: what has passed since an instant of its own choice.
    var now: Duration { get }

    /// Whether the caller may do this scheduler's work right here, without scheduling it: it is inside of such work.
    var isCurrent: Bool { get }

    /// Runs `work` on this scheduler, after what was scheduled before it.
    ///
    /// It may run before this call returns, if the caller is on this scheduler already and nothing is
    /// waiting.
    func schedule(_ work: @escaping @Sendable () -> Void)

    /// Runs `work` on this scheduler when `delay` has passed, unless cancelled before.
    ///
    /// With a delay of zero or less it goes behind what is waiting now, and never runs before this call
    /// returns (but see ``ImmediateScheduler``).
    ///
    /// - Returns: The way to cancel it; letting go of it changes nothing.
    @discardableResult
    func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledWork

    /// Where `async` work of this scheduler runs; nil for the default executor.
    var taskExecutor: (any TaskExecutor)? { get }

    /// Told when `async` work begins that was made at `origin`; the result is called once, from any thread,
    /// when it has ended.
    func asyncWorkBegins(at origin: Origin) -> @Sendable () -> Void
}

extension SerialScheduler {
    /// Whether the caller runs inside this scheduler's ``runAsCurrent(_:)``.
    public var isCurrent: Bool { Trampoline.runningScheduler === self }

    /// The default executor.
    public var taskExecutor: (any TaskExecutor)? { nil }

    /// Nobody keeps count.
    public func asyncWorkBegins(at origin: Origin) -> @Sendable () -> Void { {} }

    /// Runs `body` right here; chains that it starts run on this scheduler unless told otherwise.
    ///
    /// - Throws: What `body` throws.
    public func runAsCurrent<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Trampoline.run(on: self, body)
    }
}

/// Work that was scheduled for later and can be called off.
public final class ScheduledWork: Sendable {
    // Taken, not only marked, when cancelled: a timer that still runs then keeps nothing alive.
    private let work: Lock<Action?>
    private let purpose = Atomic(Purpose.work)

    /// What it is for, to somebody who decides when time passes.
    @usableFromInline
    package enum Purpose: UInt8, AtomicRepresentable, Sendable {
        /// Work of whoever has scheduled it.
        case work
        /// Work of the loop that runs what has scheduled it.
        case loop
        /// A word to the programmer, of which nothing follows.
        case report
    }

    /// Says what it is for.
    @usableFromInline
    package func serves(_ purpose: Purpose) -> ScheduledWork {
        self.purpose.store(purpose, ordering: .relaxed)
        return self
    }

    /// Whether it is for this.
    package func isFor(_ purpose: Purpose) -> Bool { self.purpose.load(ordering: .relaxed) == purpose }

    /// Work that a scheduler will run once, by ``run()``.
    public init(_ work: @escaping @Sendable () -> Void) { self.work = Lock(Action(work)) }

    /// The same work, for a scheduler that may break its contract: done the first time that it is run, and refused then.
    package static func once(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let work = ScheduledWork(work)
        return { work.run() }
    }

    /// Runs the work right here unless it ran or was cancelled before; for schedulers.
    public func run() { take()?.run() }

    /// Whether the work still waits: it has neither run nor been cancelled.
    public var isPending: Bool { work.withLock { $0 != nil } }

    /// Calls the work off and lets go of it at once. Does nothing when it has run, or runs right now.
    public func cancel() { _ = take() }

    private func take() -> Action? {
        work.withLock { work in
            defer { work = nil }
            return work
        }
    }
}
