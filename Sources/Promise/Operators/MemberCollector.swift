internal import Synchronization

/// Waits for several promises: the core of `zip`, `parallel`, `race`, `any` and `allSettled`.
///
/// Each outcome stays in the storage of its member, which is retained until the collector has decided. So no lock
/// guards the outcomes, and the only state that the members share is the count of unsettled ones.
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

    /// A member and its observer. There is no observer if the member had settled before it was added.
    @usableFromInline
    struct ObservedMember: Sendable {
        @usableFromInline let member: StorageReference
        let observer: StorageReference?
    }

    private let rule: Rule
    private let target: StorageReference
    private let origin: Origin
    /// Settles the target with the outcome of a member; false if the target had already settled.
    private let decide: @Sendable (PromiseStorage) -> Bool
    private let complete: @Sendable ([ObservedMember]) -> Void
    /// Forwards an interim value to the target; nil if interim values are dropped.
    private let forward: (@Sendable (PromiseStorage) -> Void)?
    // Zero or negative until `begin` adds the number of members, so it cannot reach zero by counting down before.
    private let unsettled = Atomic(0)
    private let places = Lock<[ObservedMember]?>(nil)

    init<Output: Sendable>(
        _ rule: Rule, _ resolver: Resolver<Output>, _ origin: Origin, forwards: Bool,
        _ completion: @escaping @Sendable ([ObservedMember]) -> Outcome<Output>
    ) {
        self.rule = rule
        self.origin = origin
        target = resolver.handle.reference
        decide = { member in
            member.isRejected
                ? resolver.handle.reference.storage.reject(member.rejection)
                : resolver.handle.reference.storage.fulfill(member.box(of: Output.self))
        }
        complete = { resolver.resolve(completion($0)) }
        let forward: @Sendable (PromiseStorage) -> Void = { resolver.report($0.box(of: Output.self)) }
        self.forward = forwards ? forward : nil
    }

    /// Begins to collect, after all members have been added; `places` are in the order of the members.
    func begin(_ places: [ObservedMember]) {
        self.places.exchange(for: places)
        if target.storage.isClaimed { cancelRemaining() } else { countDown(by: -places.count) }
    }

    /// Handles the settlement of a member.
    private func memberSettled(_ member: PromiseStorage) {
        let isRejected = member.isRejected
        let isDecisive = rule == .any || rule == (isRejected ? .rejection : .value)
        if isDecisive, decide(member) { return cancelRemaining() }
        // The error is collected, or came after the target had settled: either way it is not reported as unhandled.
        if isRejected { _ = member.rejection.markHandled() }
        if !isDecisive { countDown(by: 1) }
    }

    private func countDown(by count: Int) {
        let left = unsettled.wrappingSubtract(count, ordering: .acquiringAndReleasing).newValue
        guard left == 0, let places = places.exchange(for: nil) else { return }
        complete(places)
    }

    /// Stops observing all members that have not settled.
    func cancelRemaining() {
        places.exchange(for: nil)?.forEach { $0.observer?.storage.cancel() }
    }
}

extension MemberCollector {
    /// The work of an observer: called with the storage of each interim value of its member (`.interim`), then with
    /// that of the member when it has settled (`.fire`). The closure captures only the collector, so it needs no
    /// allocation; it is wrapped in a struct because a closure passed as a generic value is re-abstracted.
    private struct MemberObserver: Sendable {
        let receive: @Sendable (PromiseStorage, PromiseStorage.StepEvent) -> Void

        init(_ collector: MemberCollector) { receive = { collector.receive($0, $1) } }
    }

    private func receive(_ storage: PromiseStorage, _ event: PromiseStorage.StepEvent) {
        if case .interim = event { forward?(storage) } else { memberSettled(storage) }
    }

    /// Adds a member and starts it, unless earlier members have already settled the target.
    @usableFromInline
    func add(_ member: PromiseStorage, to places: inout [ObservedMember]) {
        guard !target.storage.isClaimed else { return }
        guard !member.isSettled else {
            Trampoline.current.noteJoining(member)
            places.append(ObservedMember(member: StorageReference(member), observer: nil))
            return memberSettled(member)
        }
        let kind = .work | .startedAndWaiting | (forward == nil ? .noFlags : .wantsInterims)
        let observer = PromiseStorage.make(
            Void.self, flags: kind, upstream: .passRetained(member), origin: origin,
            work: MemberObserver(self)
        ) { observer, member, event in
            switch event {
            case .fire:
                let receive = observer.takeWork(as: MemberObserver.self).receive
                observer.end()
                receive(member, .fire)
            case .interim: observer.borrowedWork(as: MemberObserver.self).receive(member, .interim)
            case .dispose, .release: break
            }
        }
        places.append(ObservedMember(member: StorageReference(member), observer: StorageReference(observer)))
        guard observer.observeUpstream(for: target.storage) else { return }
        let itself = PromiseStorage.rejected(Rejection(PromiseError.resolvedWithItself, origin))
        places[places.count - 1] = ObservedMember(member: StorageReference(itself), observer: nil)
        memberSettled(itself)
    }

    @inlinable
    func add<Member: Sendable>(all members: [Promise<Member>], to places: inout [ObservedMember]) {
        places.reserveCapacity(members.count)
        for member in members { add(member.storage, to: &places) }
    }
}

extension Promise {
    /// Creates a promise that waits for several members.
    ///
    /// - Parameters:
    ///   - forwards: Whether the members' interim values are forwarded; they must then have the promise's type.
    ///   - add: Adds the members, in order.
    ///   - completion: Makes the outcome from the members when all members have settled and none was decisive.
    @usableFromInline
    static func collector(
        _ rule: MemberCollector.Rule, _ origin: Origin, forwards: Bool = false,
        add: @escaping @Sendable (MemberCollector, inout [MemberCollector.ObservedMember]) -> Void,
        completion: @escaping @Sendable ([MemberCollector.ObservedMember]) -> Outcome<Value>
    ) -> Promise {
        Promise(origin: origin) { resolver, scheduler in
            let collector = MemberCollector(rule, resolver, origin, forwards: forwards, completion)
            var places: [MemberCollector.ObservedMember] = []
            startMembers(on: scheduler) { add(collector, &places) }
            collector.begin(places)
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
