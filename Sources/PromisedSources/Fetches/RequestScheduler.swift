internal import Promise
internal import PromisedSystem

/// Holds back due work while the device is offline.
final class OnlineGate: Sendable {
    private let isOnline: Source<Bool>
    private let held = Lock<[@Sendable () -> Void]>([])
    private let token = Lock<SubscriptionToken?>(nil)

    init(_ isOnline: Source<Bool>) {
        self.isOnline = isOnline
        token.exchange(
            for: isOnline.subscribe(replayCurrent: false) { [weak self] in if $0 { self?.open() } })
    }

    var isOpen: Bool { isOnline.value }

    func pass(_ work: @escaping @Sendable () -> Void) {
        if isOnline.value { return work() }
        held.withLock { $0.append(work) }
        // It may be online again since it was asked.
        if isOnline.value { open() }
    }

    private func open() {
        for work in held.exchange(for: []) { work() }
    }
}

/// The scheduler of a request that needs the network: the delays in it, such as those between retries, last until the
/// device is online.
final class RequestScheduler: CallHosting, SchedulerWrapper {
    let base: any SerialScheduler
    private let gate: OnlineGate
    /// Whether a delay that is over while the device is offline begins again when it is online.
    private let restarts: Bool

    init(_ base: any SerialScheduler, _ gate: OnlineGate, restarts: Bool = false) {
        (self.base, self.gate, self.restarts) = (base, gate, restarts)
    }

    var now: Duration { base.now }
    var isCurrent: Bool { base.isCurrent }
    var taskExecutor: (any TaskExecutor)? { base.taskExecutor }
    var callHost: (any CallHost)? { (base as? any CallHosting)?.callHost }
    func asyncWorkBegins(at origin: Origin) -> @Sendable () -> Void { base.asyncWorkBegins(at: origin) }
    func schedule(_ work: @escaping @Sendable () -> Void) { base.schedule(work) }

    func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        base.schedule(after: delay) { [self] in
            let isToRestart = restarts && !gate.isOpen
            gate.pass { [self] in
                if isToRestart { _ = schedule(after: delay, work) } else { base.perform(work) }
            }
        }
    }
}

extension FetchKey {
    /// A request that fails when it takes too long. One that waits for the network, such as between retries, has its
    /// time when the device is online again.
    func limited<Answer>(
        _ request: Promise<Answer>, on scheduler: any SerialScheduler, _ gate: OnlineGate?
    ) -> Promise<Answer> {
        guard let limit = options.timeLimit else { return request }
        guard let gate, options.network == .needed else { return request.timeout(limit, on: scheduler) }
        return request.timeout(limit, on: RequestScheduler(scheduler, gate, restarts: true))
    }
}

extension SerialScheduler {
    /// Runs work now if the caller is on this scheduler.
    func perform(_ work: @escaping @Sendable () -> Void) {
        if isCurrent { work() } else { schedule(work) }
    }
}
