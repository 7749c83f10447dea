internal import Promise

/// When running work receives a changed request.
public enum UpdateDelivery: Sendable, Hashable {
    /// Delivers every change immediately.
    case immediate
    /// Delivers the last change after no newer one has come for this duration.
    indirect case debounce(Duration)
    /// Delivers a change immediately, and then at most one per window of this duration: at the end of each window, the
    /// latest change in it, if any.
    indirect case throttle(Duration)
}

/// Delivers changed requests to the stream of running work.
final class UpdateChannel<Request: Sendable>: Sendable {
    private struct Pending: Sendable {
        /// The value to deliver when the timer fires.
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

    /// Called on the scheduler.
    func deliver(_ request: Request) {
        switch delivery {
        case .immediate: continuation.yield(request)
        case .debounce(let pause):
            start(pause, with: request)
        case .throttle(let window):
            let (isOpen, before) = pending.withLock { pending in
                let before = pending.latest
                if pending.timer != nil { pending.latest = request }
                return (pending.timer != nil, before)
            }
            // Released here, outside the lock.
            withExtendedLifetime(before) {}
            guard !isOpen else { return }
            continuation.yield(request)
            start(window, with: nil)
        }
    }

    /// Starts a timer in place of the previous one, unless the work has already ended.
    private func start(_ time: Duration, with request: Request?) {
        let timer = DebounceTimer(time, on: scheduler) { [weak self] in self?.timerFired() }
        let before = pending.withLock { pending in
            guard !pending.isOver else { return Pending(timer: timer) }
            defer { (pending.latest, pending.timer) = (request, timer) }
            return pending
        }
        // Outside the lock, where the previous request is released as well.
        before.timer?.cancel()
    }

    private func timerFired() {
        let latest = pending.withLock { pending in
            defer { (pending.latest, pending.timer) = (nil, nil) }
            return pending.latest
        }
        guard let latest else { return }
        continuation.yield(latest)
        if case .throttle(let window) = delivery { start(window, with: nil) }
    }

    /// Ends the stream when the work ends; no change is delivered afterwards.
    func finish() {
        pending.exchange(for: Pending(isOver: true)).timer?.cancel()
        continuation.finish()
    }
}
