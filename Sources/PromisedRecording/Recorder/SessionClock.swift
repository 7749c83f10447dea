internal import Promise

/// The time of a session: 0 when its first system was attached, on the clock of that one's scheduler.
final class SessionClock: Sendable {
    private struct FirstClock: Sendable {
        let scheduler: any SerialScheduler
        let start: Duration
    }

    private let first = Lock<FirstClock?>(nil)

    /// The time of the session; 0 before it has a system.
    var now: Duration { first.withLock { $0 }.map { $0.scheduler.now - $0.start } ?? .zero }

    /// The reading of a scheduler's clock when the session began.
    func start(on scheduler: any SerialScheduler) -> Duration {
        let now = scheduler.now
        let first = first.withLock { first in
            first = first ?? FirstClock(scheduler: scheduler, start: now)
            return first
        }
        guard let first, first.scheduler !== scheduler else { return first?.start ?? now }
        let (before, own, after) = (first.scheduler.now, scheduler.now, first.scheduler.now)
        // In this order only if both are one clock.
        return before...max(before, after) ~= own ? first.start : own - (before - first.start)
    }
}
