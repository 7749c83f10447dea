internal import Promise
public import PromisedSystem

/// The clock of a scheduler, for `sleep` and the like in tasks: with a test scheduler, virtual time.
public struct SchedulerClock: Clock {
    /// A time of the scheduler's clock.
    public struct Instant: InstantProtocol {
        /// The time since the instant that the scheduler has chosen.
        public let time: Duration

        /// The instant after a duration.
        public func advanced(by duration: Duration) -> Instant { Instant(time: time + duration) }

        /// The duration to another instant.
        public func duration(to other: Instant) -> Duration { other.time - time }

        /// Whether the left instant is earlier.
        public static func < (left: Instant, right: Instant) -> Bool { left.time < right.time }
    }

    private let scheduler: any SerialScheduler

    /// Creates the clock of a scheduler.
    public init(_ scheduler: some SerialScheduler) { self.scheduler = scheduler }

    /// The time of the scheduler's clock.
    public var now: Instant { Instant(time: scheduler.now) }

    /// A nanosecond: the clock has no steps of its own.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Suspends the task until the scheduler's clock has reached the deadline.
    ///
    /// - Throws: A `CancellationError` if the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try await suspend(for: max(deadline.time - scheduler.now, .zero))
    }

    fileprivate func suspend(for delay: Duration) async throws {
        let timer = Promise<Void>.value(()).delay(delay).start(on: scheduler.ofCaller)
        try await withTaskCancellationHandler {
            try await timer.value
        } onCancel: {
            timer.cancel()
        }
    }
}

extension Clock where Duration == Swift.Duration {
    /// Suspends the task for a duration. On a ``SchedulerClock`` no time is read, other than with the method of the standard
    /// library, which computes a deadline: so in an exploration the task does not depend on the time.
    ///
    /// - Throws: A `CancellationError` if the task is cancelled.
    public func sleep(for duration: Duration) async throws {
        guard let clock = self as? SchedulerClock else {
            return try await sleep(for: duration, tolerance: nil)
        }
        try await clock.suspend(for: max(duration, .zero))
    }
}
