import PromisedExploring
import PromisedSystem
import TestSupport
import Testing

/// What an exploration executes once for many configurations.
@Suite struct SharedExecutionTests {
    private enum Event: Hashable { case load(Int), loaded(Int, Int) }

    /// Rows that are loaded one by one: each event starts a call of its own, and changes only its row.
    private static func rows(_ count: Int) -> Explorer<[Int], Event> {
        Explorer(events: (0..<count).map { .load($0) }) { world in
            System(
                initialState: Array(repeating: 0, count: count), scheduler: world.scheduler,
                reducer: Reducer { state, event in
                    switch event {
                    case .load(let row): state[row] = 1
                    case .loaded(let row, let value): state[row] = value
                    }
                },
                feedbacks: [
                    .onEvent(
                        { if case .load(let row) = $0 { row } else { nil } }, key: { EffectKey($0) },
                        policy: .drop
                    ) { row in
                        world.call("row \(row)", .value(2), .value(3)).map { .loaded(row, $0) }
                    }
                ])
        }
    }

    @Test("work that depends on its payload alone is not told apart by the state in which it was started")
    func payloads() {
        let one = Self.rows(1).explore(depth: 40)
        #expect(one.isComplete)
        #expect(one.configurations == 4)
        let three = Self.rows(3).explore(depth: 40)
        #expect(three.isComplete)
        #expect(three.configurations == 4 * 4 * 4)
    }

    /// Adds numbers one by one; 10 needs no call. What follows an event comes after those that are enqueued.
    private static let adding = Explorer<Int, Int>(events: [1, 10]) { world in
        System(
            initialState: 0, scheduler: world.scheduler,
            feedbacks: [.onEvent({ $0 == 0 ? nil : true }) { _ in Effect.just(0) }]
        ) { state, event in
            if event == 10 || event == 0 { return .value(state) }
            return world.call("add", .value((state + event) % 3), .report(state))
        }
    }

    @Test("no event is enqueued where everything else leaves the end of the queue alone")
    func postponed() {
        let explorer = Explorer<Int, Int>(events: [1, 2]) { world in
            System(initialState: 0, scheduler: world.scheduler) { state, event in
                world.call("add", .value((state + event) % 3))
            }
        }
        let merged = explorer.explore(depth: 20)
        #expect(merged.isComplete)
        // At rest with 3 states, and while 1 or 2 is added to one of them.
        #expect(merged.configurations == 3 + 3 * 2)
        let every = explorer.explore(depth: 6, .init(merging: .none))
        #expect(Set(every.states) == Set(merged.states))
    }

    @Test("of the steps with a longer queue, those are not executed that are the same with a shorter one")
    func queues() {
        let (short, long) = (Self.adding.explore(depth: 6), Self.adding.explore(depth: 9))
        #expect(long.configurations > short.configurations)
        #expect(long.inferredTransitions > long.transitions)
        let (depth, options) = (isStress ? 6 : 5, ExplorationOptions(merging: .none))
        let every = Self.adding.explore(depth: depth, options)
        #expect(Set(every.states) == Set(Self.adding.explore(depth: depth).states))
    }

    @Test("a system at rest is brought to another state without a path")
    func rests() {
        let explorer = Explorer<Int, Int>(events: [1, 10]) { world in
            System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = ($0 + $1) % 500 })
        }
        let exploration = explorer.explore(depth: 1_000)
        #expect(exploration.isComplete)
        #expect(exploration.configurations == 500)
        #expect(exploration.transitions == 1_000)
        // The first systems follow their paths, to show that these lead each time where they have led before.
        #expect(exploration.paths <= 33)
    }

    @Test(
        "the diagram shows the state to which a system was brought without a path before the one that follows"
    )
    func diagramOfRests() {
        // After 50 has been sent four times, the search goes on from another state.
        let explorer = Explorer<Int, Int>(events: [1, 50]) { world in
            System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = ($0 + $1) % 200 })
        }
        let exploration = explorer.explore(depth: 200)
        #expect(exploration.paths == 33)
        let diagram = exploration.diagram()
        let ways = diagram.edges.map { "\(diagram.nodes[$0.from].name) → \(diagram.nodes[$0.to].name)" }
        let expected = (0..<200).flatMap { state in [1, 50].map { "\(state) → \((state + $0) % 200)" } }
        #expect(Set(ways) == Set(expected))
    }

    @Test("a start that is not at rest is reached with another system, not from a state at rest")
    func startNotAtRest() {
        let explorer = Explorer<Int, Int>(events: Array(1...40)) { world in
            let system = System<Int, Int>(
                initialState: -1, scheduler: world.scheduler,
                configuration: .init(eventPolicy: { _ in .replace })
            ) { _, event in event == 0 ? world.call("open", .value(0)) : .value(event) }
            system.sendEvent(0)
            return system
        }
        let exploration = explorer.explore(depth: 100, .init(timeLimit: .seconds(20)))
        #expect(exploration.isComplete)
        #expect(exploration.configurations == 1 + 41)
        #expect(exploration.transitions == 41 + 41 * 40)
    }

    @Test("a variable of the world is brought back with the state")
    func variables() {
        func explorer(_ limit: Int) -> Explorer<Int, Int> {
            Explorer(events: [1, 2]) { world in
                let sum = world.variable(0)
                world.always("below the limit") { _ in sum.value < limit }
                return System(initialState: 0, scheduler: world.scheduler) { state, event in
                    sum.value = min(sum.value + event, 60)
                    return .value((state + event) % 2)
                }
            }
        }
        let complete = explorer(100).explore(depth: 100)
        #expect(complete.isComplete)
        // A sum has one parity but for the last, which is reached by both.
        #expect(complete.configurations == 62)
        #expect(explorer(60).explore(depth: 100).counterexample?.steps.count == 30)
    }
}
