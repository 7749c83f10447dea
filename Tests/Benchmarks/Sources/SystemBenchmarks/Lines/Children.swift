import MemoryCounting
import PromisedSystem

extension Line {
    static let oneOfThousand = children(
        "e", "an event to 1 of 1,000 children, that child observed", count: 1_000, observed: 1, 200_000,
        [.allocations(0), .within(8)])

    static let oneOfTenThousand = children(
        "e10", "an event to 1 of 10,000 children, that child observed", count: 10_000, observed: 1, 200_000,
        [.allocations(0), .within(8)])

    static let allObserved = children(
        "e2", "an event to 1 of 1,000 children, all 1,000 observed", count: 1_000, observed: 1_000, 10_000,
        [.nanoseconds(5_000)])

    static let allOfTenThousand = children(
        "e2t", "an event to 1 of 10,000 children, all 10,000 observed", count: 10_000, observed: 10_000,
        10_000,
        [.nanoseconds(50_000)])

    static let allByIdentity = Line(
        id: "e2i", what: "an event to 1 of 1,000 children with identities, all 1,000 observed",
        operations: 10_000,
        ours: Contender(name: "ours") { operations in
            onSmallThread { sendByIdentity(operations, count: 1_000) }
        },
        reach: [.nanoseconds(5_000)])

    static let observedMemory = memory("m", "an observed child, its token kept: memory", keepsSystem: false)
    static let childMemory = memory("m2", "the same with its `ScopedSystem` kept", keepsSystem: true)

    private static func memory(_ id: String, _ what: String, keepsSystem: Bool) -> Line {
        Line(
            id: id, what: what, operations: 10_000, smallest: 10_000,
            ours: Contender(name: "ours") { count in
                onSmallThread { holdChildren(count, keepsSystem: keepsSystem) }
            }, reach: [.bytes(500)], note: "Bytes in use by malloc, its headers included.")
    }

    private static func children(
        _ id: String, _ what: String, count: Int, observed: Int, _ operations: Int, _ reach: [Goal]
    ) -> Line {
        Line(
            id: id, what: what, operations: operations,
            ours: Contender(name: "ours") { operations in
                onSmallThread { sendToChildren(operations, count: count, observed: observed) }
            },
            peers: [
                Contender(name: "in place") { operations in
                    onSmallThread { changeInPlace(operations, count: count, observed: observed) }
                }
            ], reach: reach)
    }
}

private struct Child: Sendable, Equatable {
    var number = 0
}

private struct Whole: Sendable {
    var children: [Child]
}

private struct Event: Sendable {
    let place: Int
    let number: Int
}

/// As many events to each of the observed children, one after the other.
@inline(never) private func sendToChildren(_ operations: Int, count: Int, observed: Int) -> Sample {
    let addend = Sink.addend
    let children = Elements<Whole, Event, Int, Child, Int>(
        indexedIn: \.children,
        event: CasePath(embed: { Event(place: $0.0, number: $0.1) }, extract: { ($0.place, $0.number) }))
    let counting = Reducer<Child, Int> { child, number in child.number &+= number &+ addend }
    let system = System(
        initialState: Whole(children: Array(repeating: Child(), count: count)), scheduler: .immediate,
        reducer: counting.lifted(byEach: children))
    let tokens = (0..<observed).map { place in
        system.scoped(by: children.scope(of: place)).settled.subscribe(replayCurrent: false) {
            Sink.sum &+= $0?.number ?? 0
        }
    }
    for place in 0..<observed { system.sendEvent(Event(place: place, number: 1)) }
    let stopwatch = Stopwatch(.thread)
    for index in 0..<operations { system.sendEvent(Event(place: index % observed, number: index)) }
    let sample = stopwatch.stop()
    for token in tokens { token.cancel() }
    return sample
}

private struct Row: Sendable, Equatable, Identifiable {
    let id: Int
    var number = 0
}

private struct Rows: Sendable {
    var rows: [Row]
}

@inline(never) private func sendByIdentity(_ operations: Int, count: Int) -> Sample {
    let addend = Sink.addend
    let rows = Elements<Rows, Event, Int, Row, Int>(
        in: \.rows,
        event: CasePath(embed: { Event(place: $0.0, number: $0.1) }, extract: { ($0.place, $0.number) }))
    let counting = Reducer<Row, Int> { row, number in row.number &+= number &+ addend }
    let system = System(
        initialState: Rows(rows: (0..<count).map { Row(id: $0) }), scheduler: .immediate,
        reducer: counting.lifted(byEach: rows))
    let tokens = (0..<count).map { id in
        system.scoped(by: rows.scope(of: id)).settled.subscribe(replayCurrent: false) {
            Sink.sum &+= $0?.number ?? 0
        }
    }
    let stopwatch = Stopwatch(.thread)
    for index in 0..<operations { system.sendEvent(Event(place: index % count, number: index)) }
    let sample = stopwatch.stop()
    for token in tokens { token.cancel() }
    return sample
}

@inline(never) private func holdChildren(_ count: Int, keepsSystem: Bool) -> Sample {
    let children = Elements<Whole, Event, Int, Child, Int>(
        indexedIn: \.children,
        event: CasePath(embed: { Event(place: $0.0, number: $0.1) }, extract: { ($0.place, $0.number) }))
    let counting = Reducer<Child, Int> { child, number in child.number &+= number }
    let system = System(
        initialState: Whole(children: Array(repeating: Child(), count: count + 1)), scheduler: .immediate,
        reducer: counting.lifted(byEach: children))
    var kept: [(ScopedSystem<Child?, Int>?, SubscriptionToken)] = []
    kept.reserveCapacity(count + 1)
    func hold(_ place: Int) {
        let child = system.scoped(by: children.scope(of: place))
        kept.append((keepsSystem ? child : nil, child.settled.subscribe { Sink.sum &+= $0?.number ?? 0 }))
    }
    // The first child makes the shared allocations.
    hold(count)
    let (bytes, allocations) = (Int(bytes_in_use()), counted_allocations())
    for place in 0..<count { hold(place) }
    // The first event creates all subscriptions.
    system.sendEvent(Event(place: 0, number: 1))
    let sample = Sample(
        nanoseconds: Double(Int(bytes_in_use()) - bytes),
        allocations: Int(counted_allocations() - allocations),
        sum: Sink.sum)
    for (_, token) in kept { token.cancel() }
    return sample
}

private final class PlainChildren {
    private var children: [Child]
    private let reduce: @Sendable (inout Child, Int) -> Void
    private var observers: [Int: (Child) -> Void] = [:]

    init(_ count: Int, _ reduce: @escaping @Sendable (inout Child, Int) -> Void) {
        (children, self.reduce) = (Array(repeating: Child(), count: count), reduce)
    }

    func observe(_ place: Int, _ observer: @escaping (Child) -> Void) { observers[place] = observer }

    @inline(never) func send(_ event: Event) {
        reduce(&children[event.place], event.number)
        observers[event.place]?(children[event.place])
    }
}

@inline(never) private func changeInPlace(_ operations: Int, count: Int, observed: Int) -> Sample {
    let addend = Sink.addend
    let children = PlainChildren(count) { child, number in child.number &+= number &+ addend }
    for place in 0..<observed { children.observe(place) { Sink.sum &+= $0.number } }
    for place in 0..<observed { children.send(Event(place: place, number: 1)) }
    let stopwatch = Stopwatch(.thread)
    for index in 0..<operations { children.send(Event(place: index % observed, number: index)) }
    return stopwatch.stop()
}
