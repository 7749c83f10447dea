import PromisedExploring
import TestSupport
import Testing

/// Compares, for properties with a memory, an exploration that merges equal configurations with one of every path.
@Suite struct PropertyMachineTests {
    private typealias State = FeatureMachine.State
    private typealias Event = FeatureMachine.Event

    private static func declare(_ kind: Int, _ number: Int, in world: World<State>) {
        let meant: @Sendable (State) -> Bool = { $0.number == number }
        switch kind {
        case 0: world.neverTwice("twice", .event(Event.got(number % 2)), until: .event(Event.send(1)))
        case 1: world.neverTwice("twice", .state(meant))
        case 2: world.responds("in time", to: .event(Event.send(0)), within: .seconds(number % 3 + 1), meant)
        case 3: world.responds("in steps", to: .event(Event.send(1)), withinSteps: number % 3, meant)
        case 4:
            world.always("until", from: .event(Event.send(0)), until: .event(Event.send(1))) { !meant($0) }
        case 5: world.always("until", until: .state(meant)) { $0.part == nil && $0.rows.count < 2 }
        default: world.neverTwice("open twice", .call("turn"), until: .end(of: "turn"))
        }
    }

    @Test("random machines: merging changes neither whether a property is violated nor the shortest script")
    func machines() {
        let limit = rounds(100, stress: 1_500)
        var violations = 0
        for seed in 1...UInt64(rounds(15, stress: 200)) {
            let machine = FeatureMachine(seed: seed)
            let explorer = Explorer<State, Event>(events: [.send(0), .send(1)]) { world in
                Self.declare(Int(seed % 7), Int(seed / 7 % 7), in: world)
                return machine.build(world)
            }
            let judge = explorer.explore(depth: 3, .init(stepLimit: limit, merging: .none))
            if judge.reachedStepLimit { continue }
            let merged = explorer.explore(depth: 3)
            if merged.counterexample != nil { violations += 1 }
            #expect(merged.counterexample?.steps == judge.counterexample?.steps, "seed \(seed)")
            #expect(merged.counterexample?.property == judge.counterexample?.property, "seed \(seed)")
        }
        #expect(violations > 5)
    }
}
