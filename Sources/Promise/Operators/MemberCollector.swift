internal import Synchronization

/// Waits for several promises: the core of `zip`, `parallel`, `race`, `any` and `allSettled`.
///
/// Each pending member gets one `PromiseStorage`, its *place*, which observes the member and then stores its outcome;
/// a member that has already settled is its own place. So outcomes are stored without a lock, and the only state
/// that the members share is the count of unsettled ones.
@usableFromInline
final class MemberCollector: Sendable {
    /// Which outcome of a single member settles the target immediately. Otherwise the last member to settle
    /// completes it.
    @usableFromInline
    enum Rule: Sendable {
        /// `race`
        case any
        /// `any`
        case value
        /// `zip`, `parallel`
        case rejection
        /// `allSettled`
        case none
    }

    private let rule: Rule
    @usableFromInline let target: StorageReference
    @usableFromInline let origin: Origin
    /// Settles the target with the outcome of a place; false if the target had already settled.
    private let decide: @Sendable (PromiseStorage) -> Bool
    private let complete: @Sendable ([StorageReference]) -> Void
    /// Forwards an interim value to the target; nil if interim values are dropped.
    @usableFromInline let forward: (@Sendable (PromiseStorage) -> Void)?
    // Zero or negative until `begin` adds the number of members, so it cannot reach zero by counting down before.
    private let unsettled = Atomic(0)
    private let slots = Lock<[StorageReference]?>(nil)

    init<Output: Sendable>(
        _ rule: Rule, _ resolver: Resolver<Output>, _ origin: Origin, forwards: Bool,
        _ completion: @escaping @Sendable ([StorageReference]) -> Outcome<Output>
    ) {
        self.rule = rule
        self.origin = origin
        target = resolver.handle.reference
        decide = { slot in
            slot.isRejected
                ? resolver.handle.reference.storage.reject(slot.rejection)
                : resolver.handle.reference.storage.fulfill(slot.box(of: Output.self))
        }
        complete = { resolver.resolve(completion($0)) }
        let forward: @Sendable (PromiseStorage) -> Void = { resolver.report($0.box(of: Output.self)) }
        self.forward = forwards ? forward : nil
    }

    /// Begins to collect, after all members have been added; `slots` are in the order of the members.
    func begin(_ slots: [StorageReference]) {
        self.slots.exchange(for: slots)
        if target.storage.isClaimed { cancelRemaining() } else { countDown(by: -slots.count) }
    }

    /// Handles the settlement of a member, whose outcome is in `slot`.
    @usableFromInline
    func memberSettled(_ slot: PromiseStorage) {
        let isRejected = slot.isRejected
        let isDecisive = rule == .any || rule == (isRejected ? .rejection : .value)
        if isDecisive, decide(slot) { return cancelRemaining() }
        // The error is collected, or came after the target had settled: either way it is not reported as unhandled.
        if isRejected { _ = slot.rejection.markHandled() }
        if !isDecisive { countDown(by: 1) }
    }

    private func countDown(by count: Int) {
        let left = unsettled.wrappingSubtract(count, ordering: .acquiringAndReleasing).newValue
        guard left == 0, let slots = slots.exchange(for: nil) else { return }
        complete(slots)
    }

    /// Stops observing all members that have not settled.
    func cancelRemaining() {
        slots.exchange(for: nil)?.forEach { $0.storage.cancel() }
    }
}

extension MemberCollector {
    /// The work of a place: called with the storage of each interim value of its member (`.interim`), then with the
    /// place itself when the member has settled (`.fire`). The closure captures only the collector, so it needs no
    /// allocation; it is wrapped in a struct because a closure passed as a generic value is re-abstracted.
    @usableFromInline
    struct MemberObserver: Sendable {
        @usableFromInline let receive: @Sendable (PromiseStorage, PromiseStorage.StepEvent) -> Void

        @inlinable
        init(_ collector: MemberCollector) { receive = { collector.receive($0, $1) } }
    }

    @usableFromInline
    func receive(_ storage: PromiseStorage, _ event: PromiseStorage.StepEvent) {
        if case .interim = event { forward?(storage) } else { memberSettled(storage) }
    }

    /// Adds a member and starts it, unless earlier members have already settled the target.
    @inlinable
    func add<Member: Sendable>(_ member: Promise<Member>, to slots: inout [StorageReference]) {
        guard !target.storage.isClaimed else { return }
        let storage = member.storage(origin)
        guard !storage.isSettled else {
            slots.append(StorageReference(storage))
            return memberSettled(storage)
        }
        let kind = .work | .startedAndWaiting | (forward == nil ? .noFlags : .wantsInterims)
        let slot = PromiseStorage.make(
            Member.self, flags: kind, upstream: storage, origin: origin, work: MemberObserver(self)
        ) { slot, source, event in
            switch event {
            case .fire:
                let receive = slot.takeWork(as: MemberObserver.self).receive
                slot.settle(source.outcome(of: Member.self))
                receive(slot, .fire)
            case .interim: slot.borrowedWork(as: MemberObserver.self).receive(source, .interim)
            case .dispose, .release: slot.dispose(Member.self, on: event)
            }
        }
        slots.append(StorageReference(slot))
        slot.observeUpstream()
    }

    @inlinable
    func add<Member: Sendable>(all members: [Promise<Member>], to slots: inout [StorageReference]) {
        slots.reserveCapacity(members.count)
        for member in members { add(member, to: &slots) }
    }
}

extension Promise {
    /// Creates a promise that waits for several members.
    ///
    /// - Parameters:
    ///   - forwards: Whether the members' interim values are forwarded; they must then have the promise's type.
    ///   - add: Adds the members, in order.
    ///   - completion: Makes the outcome from the places when all members have settled and none was decisive.
    @usableFromInline
    static func collector(
        _ rule: MemberCollector.Rule, _ origin: Origin, forwards: Bool = false,
        add: @escaping @Sendable (MemberCollector, inout [StorageReference]) -> Void,
        completion: @escaping @Sendable ([StorageReference]) -> Outcome<Value>
    ) -> Promise {
        Promise(origin: origin) { resolver, scheduler in
            let collector = MemberCollector(rule, resolver, origin, forwards: forwards, completion)
            var slots: [StorageReference] = []
            startMembers(on: scheduler) { add(collector, &slots) }
            collector.begin(slots)
            resolver.onCancel { collector.cancelRemaining() }
        }
    }

    /// Runs `body`, which starts the members, so that they inherit `scheduler`: set once, not per member. The
    /// background scheduler is the default, and leaving it unset is cheaper.
    private static func startMembers(on scheduler: any SerialScheduler, _ body: () -> Void) {
        let trampoline = Trampoline.current
        let isDefault = trampoline.scheduler == nil && scheduler === QueueScheduler.background
        if isDefault { body() } else { trampoline.inherit(scheduler, body) }
    }
}
