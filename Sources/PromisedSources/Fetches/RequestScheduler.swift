internal import Promise
internal import PromisedSystem

/// Holds back what is due while the device is offline.
final class OnlineGate: Sendable {
    private let isOnline: Source<Bool>
    private let held = Lock<[@Sendable () -> Void]>([])
    private let token = Lock<SubscriptionToken?>(nil)

    init(_ isOnline: Source<Bool>) {
        self.isOnline = isOnline
        token.exchange(
            for: isOnline.subscribe(replayCurrent: false) { [weak self] in if $0 { self?.open() } })
    }

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
final class RequestScheduler: SerialScheduler {
    private let base: any SerialScheduler
    private let gate: OnlineGate

    init(_ base: any SerialScheduler, _ gate: OnlineGate) { (self.base, self.gate) = (base, gate) }

    var now: Duration { base.now }
    var isCurrent: Bool { base.isCurrent }
    var taskExecutor: (any TaskExecutor)? { base.taskExecutor }
    func asyncWorkBegins(at origin: Origin) -> @Sendable () -> Void { base.asyncWorkBegins(at: origin) }
    func schedule(_ work: @escaping @Sendable () -> Void) { base.schedule(work) }

    func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        base.schedule(after: delay) { [base, gate] in gate.pass { base.perform(work) } }
    }
}

extension SerialScheduler {
    /// Runs work now if the caller is on this scheduler.
    func perform(_ work: @escaping @Sendable () -> Void) {
        if isCurrent { work() } else { schedule(work) }
    }
}
