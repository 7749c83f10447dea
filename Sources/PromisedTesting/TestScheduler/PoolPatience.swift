internal import Dispatch
internal import Promise

/// Says when a wait in real time is hopeless: after a limit, and not while the threads of Swift's pool are so busy that a
/// new task waits for them, as async work does, too. Other tests that run beside this one may keep them busy.
struct PoolPatience {
    private let limit: Duration
    private let startTask: (@escaping @Sendable () -> Void) -> Void
    private(set) var round = 0
    private(set) var deadline = DispatchTime.now()
    private var isResponsive = Lock(false)

    /// How long it was waited, unless something has ended the wait.
    var waited: Duration { limit * round }

    /// The time until the deadline, in real time.
    var left: Duration {
        let (now, end) = (DispatchTime.now().uptimeNanoseconds, deadline.uptimeNanoseconds)
        return end > now ? .nanoseconds(Int64(clamping: end - now)) : .zero
    }

    /// - Parameters:
    ///   - limit: How long to wait; up to ten times as long for a busy pool.
    ///   - startTask: Starts a task of the pool.
    init(
        _ limit: Duration,
        startTask: @escaping (@escaping @Sendable () -> Void) -> Void = { body in Task.detached { body() } }
    ) {
        (self.limit, self.startTask) = (limit, startTask)
        beginRound()
    }

    /// Called at the deadline.
    ///
    /// - Returns: Whether the wait is hopeless. If not, it has a later deadline.
    mutating func isOver() -> Bool {
        if isResponsive.withLock({ $0 }) || round == 10 { return true }
        beginRound()
        return false
    }

    private mutating func beginRound() {
        round += 1
        let (start, isResponsive) = (DispatchTime.now(), Lock(false))
        (deadline, self.isResponsive) = (start + limit / .seconds(1), isResponsive)
        let soon = start + limit / .seconds(10)
        startTask { if DispatchTime.now() <= soon { isResponsive.withLock { $0 = true } } }
    }
}
