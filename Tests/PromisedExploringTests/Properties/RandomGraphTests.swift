import PromisedExploring
import PromisedSystem
import TestSupport
import Testing

/// A machine that moves over a random graph: from each state an event may lead away, a call with its outcomes, or time.
private struct RandomGraph: Sendable {
    enum Event: Hashable, Sendable { case send, to(Int) }
    enum Work: Sendable { case none, call([Int]), timer(Int) }

    let sends: [Int]
    let works: [Work]
    let wanted: Set<Int>

    init(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        let count = 5
        func other(_ state: Int) -> Int { (state + Int.random(in: 1..<count, using: &dice)) % count }
        sends = (0..<count).map { Bool.random(using: &dice) ? $0 : other($0) }
        works = (0..<count).map { state in
            switch Int.random(in: 0..<4, using: &dice) {
            case 0: .none
            case 1: .call([other(state), other(state)])
            case 2: .call([other(state)])
            default: .timer(other(state))
            }
        }
        wanted = Set((0..<count).filter { _ in Int.random(in: 0..<5, using: &dice) < 2 })
    }

    var explorer: Explorer<Int, Event> {
        Explorer(events: [.send]) { world in
            world.eventually("it is wanted") { wanted.contains($0) }
            let feedback: Feedback<Int, Event> = .latest(state: { $0 }) { state in
                switch works[state] {
                case .none: Effect<Event>.none
                case .call(let targets): world.call("work", .values(targets)).map { Event.to($0) }
                case .timer(let target): Promise.value(Event.to(target)).delay(.seconds(1))
                }
            }
            return System(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, event in
                    if case .to(let target) = event { state = target } else { state = sends[state] }
                }, feedbacks: [feedback])
        }
    }

    private func next(_ state: Int) -> Set<Int> {
        var next: Set = [sends[state]]
        switch works[state] {
        case .none: break
        case .call(let targets): next.formUnion(targets)
        case .timer(let target): next.insert(target)
        }
        return next.subtracting([state])
    }

    private func reachable(from start: Set<Int>, _ isMeant: (Int) -> Bool) -> Set<Int> {
        var (found, new) = (start, start)
        while !new.isEmpty {
            new = Set(new.flatMap(next).filter(isMeant)).subtracting(found)
            found.formUnion(new)
        }
        return found
    }

    /// Whether a state that is not wanted can last: at rest, or on a cycle of such states on which time passes. Leaving a
    /// state ends its call, so nothing else is needed for it to be fair.
    var isViolated: Bool {
        let isUnwanted: (Int) -> Bool = { !wanted.contains($0) }
        func after(_ state: Int) -> Set<Int> { reachable(from: next(state).filter(isUnwanted), isUnwanted) }
        return reachable(from: [0]) { _ in true }.filter(isUnwanted).contains { state in
            if case .none = works[state] { return true }
            let cycle = after(state).filter { after($0).contains(state) }
            return cycle.contains { state in
                if case .timer(let target) = works[state] { cycle.contains(target) } else { true }
            }
        }
    }

    /// The fewest steps to a state on a fair cycle of states that are not wanted, and once around it.
    var shortestLasso: Int? {
        struct Place: Hashable {
            let state: Int
            let (owesTime, owesCall): (Bool, Bool)
        }
        func hasTimer(_ state: Int) -> Bool { if case .timer = works[state] { true } else { false } }
        func hasCall(_ state: Int) -> Bool { if case .call = works[state] { true } else { false } }
        func steps(from state: Int) -> [(to: Int, isTick: Bool)] {
            switch works[state] {
            case .none: [(sends[state], false)]
            case .call(let targets): ([sends[state]] + targets).map { ($0, false) }
            case .timer(let target): [(sends[state], false), (target, true)]
            }
        }
        func around(_ start: Int) -> Int? {
            var places: Set = [
                Place(state: start, owesTime: hasTimer(start), owesCall: hasCall(start))
            ]
            for length in 1...50 {
                var next: Set<Place> = []
                for place in places {
                    for (to, isTick) in steps(from: place.state) where !wanted.contains(to) {
                        let owesTime = place.owesTime && !isTick && hasTimer(to)
                        let owesCall = place.owesCall && to == place.state
                        if to == start, !owesTime, !owesCall { return length }
                        next.insert(Place(state: to, owesTime: owesTime, owesCall: owesCall))
                    }
                }
                places = next
            }
            return nil
        }
        var (seen, at, best): (Set<Int>, Set<Int>, Int?) = ([0], [0], nil)
        for distance in 0..<works.count {
            for cycle in at.filter({ !wanted.contains($0) }).compactMap(around) {
                best = min(best ?? .max, distance + cycle)
            }
            at = Set(at.flatMap { steps(from: $0).map(\.to) }).subtracting(seen)
            seen.formUnion(at)
        }
        return best
    }
}

@Suite struct RandomGraphTests {
    @Test("random graphs: a rest or a fair cycle without the wanted state is found where there is one")
    func graphs() {
        var (cycles, holds) = (0, 0)
        for seed in 1...UInt64(rounds(60, stress: 2_000)) {
            let graph = RandomGraph(seed: seed)
            let exploration = graph.explorer.explore(depth: 40)
            let found = exploration.counterexample
            #expect((found != nil) == graph.isViolated, "seed \(seed)")
            guard let found else {
                holds += 1
                #expect(exploration.isComplete, "seed \(seed)")
                continue
            }
            guard let cycle = found.cycle else { continue }
            cycles += 1
            let shown = found.trace.flatMap { $0.shown.last.map { [$0.state] } ?? [] }
            #expect(found.trace.count == cycle.upperBound && !cycle.isEmpty)
            #expect(found.trace.count == graph.shortestLasso, "seed \(seed)")
            // The last state is that from which the cycle starts.
            let first = cycle.lowerBound == 0 ? 0 : found.trace[..<cycle.lowerBound].last?.shown.last?.state
            #expect(shown.last == first, "seed \(seed)")
            let states = found.trace[cycle].flatMap(\.shown).map(\.state)
            #expect(graph.wanted.isDisjoint(with: states), "seed \(seed)")
        }
        #expect(cycles > 5 && holds > 5)
    }

    @Test(
        "of two cycles the one with the shorter path is reported, although the other one is entered earlier")
    func nearer() {
        let next = [0: 99, 1: 2, 2: 3, 3: 4, 4: 5, 5: 1, 10: 11, 11: 12, 12: 11]
        let explorer = Explorer<Int, RandomGraph.Event>(events: [.to(1), .to(10)]) { world in
            world.eventually("it ends") { $0 == 99 }
            return System(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, event in
                    if case .to(let target) = event, state == 0 || target == next[state] { state = target }
                },
                feedbacks: [
                    .latest(state: { $0 }) { state in
                        next[state].map { Effect.promise(Promise.value(.to($0)).delay(.seconds(1))) }
                            ?? Effect<RandomGraph.Event>.none
                    }
                ])
        }
        let found = explorer.explore(depth: 20).counterexample
        #expect(found?.trace.count == 4 && found?.cycle == 2..<4, "\(found as Any)")
    }
}
