internal import Synchronization

/// Several promises that are waited for together: the core of `zip`, `parallel`, `race`, `any` and
/// `allSettled`.
///
/// Each member that is still pending gets one cell, its *place*, which waits for it and then keeps its
/// outcome; a member that has settled is its own place. So values are stored where they arrive, no lock is
/// taken for them, and the only thing that the members share is a count of those still missing.
@usableFromInline
final class Gathering: Sendable {
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
    @usableFromInline let target: Link
    @usableFromInline let origin: Origin
    /// Settles the target as a place has; false when it had settled before.
    private let decide: @Sendable (Cell) -> Bool
    private let complete: @Sendable ([Link]) -> Void
    /// Passes an interim value on; nil when they are dropped.
    @usableFromInline let forward: (@Sendable (Cell) -> Void)?
    // Below zero until all members have been added, so that nothing is complete before.
    private let missing = Atomic(0)
    private let places = Lock<[Link]?>(nil)

    init<Output: Sendable>(
        _ rule: Rule, _ resolver: Resolver<Output>, _ origin: Origin, forwards: Bool,
        _ completion: @escaping @Sendable ([Link]) -> Outcome<Output>
    ) {
        self.rule = rule
        self.origin = origin
        target = resolver.handle.link
        decide = { place in
            place.isRejected
                ? resolver.handle.link.cell.reject(place.rejection)
                : resolver.handle.link.cell.fulfill(place.box(of: Output.self))
        }
        complete = { resolver.resolve(completion($0)) }
        let forward: @Sendable (Cell) -> Void = { resolver.report($0.box(of: Output.self)) }
        self.forward = forwards ? forward : nil
    }

    /// All members have been added; these are their places.
    func begin(_ places: [Link]) {
        self.places.withLock { $0 = places }
        if target.cell.isClaimed { letGo() } else { countDown(by: -places.count) }
    }

    /// A member has settled, and this is its place.
    @usableFromInline
    func arrived(_ place: Cell) {
        let isRejected = place.isRejected
        let isDecisive =
            switch rule {
            case .any: true
            case .value: !isRejected
            case .rejection: isRejected
            case .none: false
            }
        if isDecisive, decide(place) { return letGo() }
        // Collected, or too late to matter: either way nobody has to hear of it.
        if isRejected { _ = place.rejection.look() }
        if !isDecisive { countDown(by: 1) }
    }

    private func countDown(by count: Int) {
        let left = missing.wrappingSubtract(count, ordering: .acquiringAndReleasing).newValue
        guard left == 0, let places = takePlaces() else { return }
        complete(places)
    }

    /// Withdraws the interest in all members that have not settled.
    func letGo() {
        takePlaces()?.forEach { $0.cell.cancel() }
    }

    private func takePlaces() -> [Link]? {
        places.withLock { places in
            defer { places = nil }
            return places
        }
    }
}

extension Gathering {
    /// The work of a place: it is called with the place itself when its member has settled (`.fire`), with the
    /// cell of an interim value before that. It captures nothing but the gathering, so nothing is allocated; as
    /// a generic value instead of a field it would be wrapped in another closure.
    @usableFromInline
    struct Arrival: Sendable {
        @usableFromInline let hear: @Sendable (Cell, Cell.Verb) -> Void

        @inlinable
        init(_ gathering: Gathering) { hear = { gathering.hear($0, $1) } }
    }

    @usableFromInline
    func hear(_ cell: Cell, _ verb: Cell.Verb) {
        if case .interim = verb { forward?(cell) } else { arrived(cell) }
    }

    /// Adds a member and starts it, unless those before it have decided the outcome already.
    @inlinable
    func add<Member: Sendable>(_ member: Promise<Member>, to places: inout [Link]) {
        guard !target.cell.isClaimed else { return }
        let cell = member.cell(origin)
        guard !cell.isSettled else {
            places.append(Link(cell))
            return arrived(cell)
        }
        let kind = Flags.work | Flags.fresh | (forward == nil ? 0 : Flags.listens)
        let place = Cell.make(
            Member.self, flags: kind, upstream: cell, origin: origin, work: Arrival(self)
        ) { place, source, verb in
            switch verb {
            case .fire:
                let hear = place.takeWork(as: Arrival.self).hear
                place.settle(source.outcome(of: Member.self))
                hear(place, .fire)
            case .interim: place.borrowedWork(as: Arrival.self).hear(source, .interim)
            case .dispose: place.dispose(Member.self)
            case .release: break
            }
        }
        places.append(Link(place))
        place.listen()
    }

    @inlinable
    func add<Member: Sendable>(all members: [Promise<Member>], to places: inout [Link]) {
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
    static func gathering(
        _ rule: Gathering.Rule, _ origin: Origin, forwards: Bool = false, leads: [Lead]? = nil,
        add: @escaping @Sendable (Gathering, inout [Link]) -> Void,
        completion: @escaping @Sendable ([Link]) -> Outcome<Value>
    ) -> Promise {
        let gathered = Promise(origin: origin) { resolver, scheduler in
            let gathering = Gathering(rule, resolver, origin, forwards: forwards, completion)
            var places: [Link] = []
            join(scheduler) { add(gathering, &places) }
            gathering.begin(places)
            resolver.onCancel { gathering.letGo() }
        }
        return Promise(storage: gathered.storage, leads: leads)
    }

    /// Runs `body`, which starts members, on `scheduler`: named once, not for each member. The one in the
    /// background need not be named, and costs less unnamed.
    private static func join(_ scheduler: any SerialScheduler, _ body: () -> Void) {
        let turn = Turn.current
        let isUnnamed = turn.scheduler == nil && scheduler === QueueScheduler.background
        if isUnnamed { body() } else { turn.inherit(scheduler, body) }
    }
}
