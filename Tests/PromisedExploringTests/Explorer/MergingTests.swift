import Promise
import PromisedExploring
import PromisedSystem
import TestSupport
import Testing

/// Checks the explorer against itself with incomparable states, where nothing is merged and every path is explored.
@Suite(.tags(.noSharedState)) struct MergingTests {
    @Test(
        "random work: the same states are reached with merging of equal configurations and without"
    )
    func sameStates() {
        for seed in 1...UInt64(rounds(2, stress: 8)) {
            let machine = RandomWork(seed: seed)
            let (merged, all) = (Seen(), Seen())
            let found = Explorer<Int, RandomWork.Event>(events: [.first, .second]) { world in
                merged.see(world)
                return machine.build(world)
            }.explore(depth: 5)
            _ = everyPath(of: [RandomWork.Event.first, .second]) { world in
                all.see(world)
                return machine.build(world)
            }.explore(depth: 5, .init(stepLimit: 4_000))
            #expect(found.counterexample == nil)
            if !all.states.isSubset(of: merged.states) {
                Issue.record("seed \(seed): \(all.states.subtracting(merged.states).sorted()) is not found")
            }
        }
    }

    /// Hides the conformances of a state or an event, so that it cannot be compared.
    private func everyPath<State: Sendable, Event: Sendable>(
        of events: [Event], _ build: @escaping Explorer<State, Event>.Build
    ) -> Explorer<State, Event> { Explorer(events: events, build: build) }

    private final class Seen: Sendable {
        private let all = Lock<Set<Int>>([])

        func see(_ world: World<Int>) {
            world.always("seen") { state in
                self.all.withLock { _ = $0.insert(state) }
                return true
            }
        }

        var states: Set<Int> { all.withLock { $0 } }
    }
}
