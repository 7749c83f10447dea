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
