internal import Synchronization

/// Several promises that are waited for together: the core of `zip`, `parallel`, `race`, `any` and
/// `allSettled`.
///
/// Each member that is still pending gets one cell, its *place*, which waits for it and then keeps its
/// outcome; a member that has settled is its own place. So values are stored where they arrive, no lock is
/// taken for them, and the only thing that the members share is a count of those still missing.
@usableFromInline
final class MemberCollector: Sendable {
    /// Which outcome of a single member decides the whole at once. Otherwise the last one completes it.
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
    /// Settles the target as a place has; false when it had settled before.
    private let decide: @Sendable (PromiseStorage) -> Bool
    private let complete: @Sendable ([StorageReference]) -> Void
    /// Passes an interim value on; nil when they are dropped.
    @usableFromInline let forward: (@Sendable (PromiseStorage) -> Void)?
    // Below zero until all members have been added, so that nothing is complete before.
    private let unsettled = Atomic(0)
    private let places = Lock<[StorageReference]?>(nil)

    init<Output: Sendable>(
        _ rule: Rule, _ resolver: Resolver<Output>, _ origin: Origin, forwards: Bool,
        _ completion: @escaping @Sendable ([StorageReference]) -> Outcome<Output>
    ) {
        self.rule = rule
        self.origin = origin
        target = resolver.handle.reference
        decide = { place in
            place.isRejected
                ? resolver.handle.reference.storage.reject(place.rejection)
                : resolver.handle.reference.storage.fulfill(place.box(of: Output.self))
        }
        complete = { resolver.resolve(completion($0)) }
        let forward: @Sendable (PromiseStorage) -> Void = { resolver.report($0.box(of: Output.self)) }
        self.forward = forwards ? forward : nil
    }

    /// All members have been added; these are their places.
    func begin(_ places: [StorageReference]) {
        self.places.withLock { $0 = places }
        if target.storage.isClaimed { cancelRemaining() } else { countDown(by: -places.count) }
    }

    /// A member has settled, and this is its place.
    @usableFromInline
    func memberSettled(_ place: PromiseStorage) {
        let isRejected = place.isRejected
        let isDecisive =
            switch rule {
            case .any: true
            case .value: !isRejected
            case .rejection: isRejected
            case .none: false
            }
        if isDecisive, decide(place) { return cancelRemaining() }
        // Collected, or too late to matter: either way nobody has to hear of it.
        if isRejected { _ = place.rejection.markHandled() }
        if !isDecisive { countDown(by: 1) }
    }

    private func countDown(by count: Int) {
        let left = unsettled.wrappingSubtract(count, ordering: .acquiringAndReleasing).newValue
        guard left == 0, let places = takePlaces() else { return }
        complete(places)
    }

    /// Withdraws the interest in all members that have not settled.
    func cancelRemaining() {
        takePlaces()?.forEach { $0.storage.cancel() }
    }

    private func takePlaces() -> [StorageReference]? {
        places.withLock { places in
            defer { places = nil }
            return places
        }
    }
}

extension MemberCollector {
    /// The work of a place: it is called with the place itself when its member has settled (`.fire`), with the
    /// cell of an interim value before that. It captures nothing but the gathering, so nothing is allocated; as
    /// a generic value instead of a field it would be wrapped in another closure.
    @usableFromInline
    struct MemberObserver: Sendable {
        @usableFromInline let receive: @Sendable (PromiseStorage, PromiseStorage.Verb) -> Void

        @inlinable
        init(_ collector: MemberCollector) { receive = { collector.receive($0, $1) } }
    }

    @usableFromInline
    func receive(_ storage: PromiseStorage, _ verb: PromiseStorage.Verb) {
        if case .interim = verb { forward?(storage) } else { memberSettled(storage) }
    }

    /// Adds a member and starts it, unless those before it have decided the outcome already.
    @inlinable
    func add<Member: Sendable>(_ member: Promise<Member>, to places: inout [StorageReference]) {
        guard !target.storage.isClaimed else { return }
        let storage = member.storage(origin)
        guard !storage.isSettled else {
            places.append(StorageReference(storage))
            return memberSettled(storage)
        }
        let kind = Flags.work | Flags.startedAndWaiting | (forward == nil ? 0 : Flags.wantsInterims)
        let place = PromiseStorage.make(
            Member.self, flags: kind, upstream: storage, origin: origin, work: MemberObserver(self)
        ) { place, source, verb in
            switch verb {
            case .fire:
                let receive = place.takeWork(as: MemberObserver.self).receive
                place.settle(source.outcome(of: Member.self))
                receive(place, .fire)
            case .interim: place.borrowedWork(as: MemberObserver.self).receive(source, .interim)
            case .dispose: place.dispose(Member.self)
            case .release: break
            }
        }
        places.append(StorageReference(place))
        place.observeUpstream()
    }

    @inlinable
    func add<Member: Sendable>(all members: [Promise<Member>], to places: inout [StorageReference]) {
        places.reserveCapacity(members.count)
        for member in members { add(member, to: &places) }
    }
}

extension Promise {
    /// A promise that waits for several.
    ///
    /// - Parameters:
    ///   - forwards: Whether the members' interim values are passed on; they must be of the same type then.
    ///   - add: Adds the members, in order.
    ///   - completion: The outcome when all members have settled and none has decided it, from their places.
    @usableFromInline
    static func collector(
        _ rule: MemberCollector.Rule, _ origin: Origin, forwards: Bool = false,
        leadingInterims: [LeadingInterim]? = nil,
        add: @escaping @Sendable (MemberCollector, inout [StorageReference]) -> Void,
        completion: @escaping @Sendable ([StorageReference]) -> Outcome<Value>
    ) -> Promise {
        let gathered = Promise(origin: origin) { resolver, scheduler in
            let collector = MemberCollector(rule, resolver, origin, forwards: forwards, completion)
            var places: [StorageReference] = []
            join(scheduler) { add(collector, &places) }
            collector.begin(places)
            resolver.onCancel { collector.cancelRemaining() }
        }
        return Promise(representation: gathered.representation, leadingInterims: leadingInterims)
    }

    /// Runs `body`, which starts members, on `scheduler`: named once, not for each member. The one in the
    /// background need not be named, and costs less unnamed.
    private static func join(_ scheduler: any SerialScheduler, _ body: () -> Void) {
        let trampoline = Trampoline.current
        let isUnnamed = trampoline.scheduler == nil && scheduler === QueueScheduler.background
        if isUnnamed { body() } else { trampoline.inherit(scheduler, body) }
    }
}
