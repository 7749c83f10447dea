internal import Promise

/// When work that goes on hears of a new value of its request.
public enum UpdateDelivery: Sendable, Hashable {
    /// At once, of every one.
    case immediate
    /// When no newer one has come for so long, of the last.
    indirect case debounce(Duration)
    /// At once, and then at most once in so long: of the latest at the end of each window in which one came.
    indirect case throttle(Duration)
}

/// Brings the values of a request to the work that goes on.
final class UpdateChannel<Request: Sendable>: Sendable {
    private struct Pending: Sendable {
        /// What is to be told when the timer runs out.
        var latest: Request?
        var timer: DebounceTimer?
        var isOver = false
    }

    private let delivery: UpdateDelivery
    private let continuation: AsyncStream<Request>.Continuation
    private let scheduler: any SerialScheduler
    private let pending = Lock(Pending())

    init(
        _ delivery: UpdateDelivery, _ continuation: AsyncStream<Request>.Continuation,
        on scheduler: any SerialScheduler
    ) {
        (self.delivery, self.continuation, self.scheduler) = (delivery, continuation, scheduler)
    }

    /// On the scheduler.
    func deliver(_ request: Request) {
        switch delivery {
        case .immediate: continuation.yield(request)
        case .debounce(let pause):
            start(pause, with: request)?.cancel()
        case .throttle(let window):
            let (isOpen, before) = pending.withLock { pending in
                let before = pending.latest
                if pending.timer != nil { pending.latest = request }
                return (pending.timer != nil, before)
            }
            // Released here and not under the lock.
            withExtendedLifetime(before) {}
            guard !isOpen else { return }
            continuation.yield(request)
            _ = start(window, with: nil)
        }
    }

    /// - Returns: The timer before.
    private func start(_ time: Duration, with request: Request?) -> DebounceTimer? {
        let timer = DebounceTimer(time, on: scheduler) { [weak self] in self?.timeIsOver() }
        let before = pending.withLock { pending in
            guard !pending.isOver else { return Pending(timer: timer) }
            defer { (pending.latest, pending.timer) = (request, timer) }
            return pending
        }
        return before.timer
    }

    private func timeIsOver() {
        let latest = pending.withLock { pending in
            defer { (pending.latest, pending.timer) = (nil, nil) }
            return pending.latest
        }
        guard let latest else { return }
        continuation.yield(latest)
        if case .throttle(let window) = delivery { _ = start(window, with: nil) }
    }

    /// The work is over: nothing more is told.
    func finish() {
        pending.exchange(for: Pending(isOver: true)).timer?.cancel()
        continuation.finish()
    }
}
