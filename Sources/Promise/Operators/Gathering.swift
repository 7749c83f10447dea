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
    private let target: Link
    /// Settles the target as a place has; false when it had settled before.
    private let decide: @Sendable (Cell) -> Bool
    private let complete: @Sendable ([Link]) -> Void
    // Below zero until all members have been added, so that nothing is complete before.
    private let missing = Atomic(0)
    private let places = Lock<[Link]?>(nil)

    @usableFromInline
    init<Output: Sendable>(
        _ rule: Rule, _ resolver: Resolver<Output>,
        _ completion: @escaping @Sendable ([Link]) -> Outcome<Output>
    ) {
        self.rule = rule
        target = resolver.handle.link
        decide = { place in
            place.isRejected
                ? resolver.handle.link.cell.reject(place.rejection)
                : resolver.fulfill(place.value(as: Output.self))
        }
        complete = { resolver.resolve(completion($0)) }
    }

    /// All members have been added.
    @usableFromInline
    func begin(_ members: Members) {
        places.withLock { $0 = members.places }
        if target.cell.isClaimed { letGo() } else { countDown(by: -members.places.count) }
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
    @usableFromInline
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
    /// What a place calls: with itself when its member has settled (`.fire`), with an interim value's cell
    /// before that. One closure serves all places of a gathering.
    @usableFromInline typealias Arrival = @Sendable (Cell, Cell.Verb) -> Void

    /// The members, while one thread adds them.
    @usableFromInline
    struct Members: Sendable {
        @usableFromInline let target: Link
        @usableFromInline let scheduler: any SerialScheduler
        @usableFromInline let origin: Origin
        /// Whether the places want interim values: `Flags.listens` or nothing.
        @usableFromInline let kind: UInt64
        @usableFromInline let arrival: Arrival
        @usableFromInline var places: [Link] = []

        @inlinable
        init(
            target: Link, scheduler: any SerialScheduler, origin: Origin, kind: UInt64,
            arrival: @escaping Arrival
        ) {
            self.target = target
            self.scheduler = scheduler
            self.origin = origin
            self.kind = kind
            self.arrival = arrival
        }

        /// Adds a member and starts it, unless those before it have decided the outcome already.
        @inlinable
        mutating func add<Member: Sendable>(_ member: Promise<Member>) {
            guard !target.cell.isClaimed else { return }
            let cell = member.cell(origin)
            guard !cell.isSettled else {
                places.append(Link(cell))
                return arrival(cell, .fire)
            }
            let place = Cell.make(Member.self, flags: Flags.work | kind, upstream: cell, origin: origin) {
                place, source, verb in
                switch verb {
                case .fire:
                    let arrival = place.takeWork(as: Arrival.self)
                    place.settle(source.outcome(of: Member.self))
                    arrival(place, .fire)
                case .interim: place.borrowedWork(as: Arrival.self)(source, .interim)
                case .dispose: place.dispose(Member.self)
                }
            }
            place.put(work: arrival)
            places.append(Link(place))
            place.start(on: scheduler)
        }

        @inlinable
        mutating func add<Member: Sendable>(all members: [Promise<Member>]) {
            places.reserveCapacity(members.count)
            for member in members { add(member) }
        }
    }
}

extension Promise {
    /// A promise that waits for several.
    ///
    /// - Parameters:
    ///   - forwards: Whether the members' interim values are passed on; they must be of the same type then.
    ///   - add: Adds the members, in order.
    ///   - completion: The outcome when all members have settled and none has decided it, from their places.
    @inlinable
    static func gathering(
        _ rule: Gathering.Rule, _ origin: Origin, forwards: Bool = false, leads: [Lead]? = nil,
        add: @escaping @Sendable (inout Gathering.Members) -> Void,
        completion: @escaping @Sendable ([Link]) -> Outcome<Value>
    ) -> Promise {
        let gathered = Promise(origin: origin) { resolver, scheduler in
            let gathering = Gathering(rule, resolver, completion)
            var members = Gathering.Members(
                target: resolver.handle.link, scheduler: scheduler, origin: origin,
                kind: forwards ? Flags.listens : 0
            ) { cell, verb in
                if case .interim = verb {
                    resolver.report(cell.value(as: Value.self))
                } else {
                    gathering.arrived(cell)
                }
            }
            add(&members)
            gathering.begin(members)
            resolver.onCancel { gathering.letGo() }
        }
        return Promise(storage: gathered.storage, leads: leads)
    }
}
