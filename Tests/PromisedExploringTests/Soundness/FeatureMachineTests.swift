import PromisedExploring
import TestSupport
import Testing

/// Compares an exploration that merges equal configurations with one that executes every path.
@Suite struct FeatureMachineTests {
    @Test(
        "random machines with all features: merging changes neither the states nor the shortest counterexample"
    )
    func machines() {
        let limit = rounds(150, stress: 1_500)
        let first = isStress ? firstSeed() : 1
        for seed in first..<first &+ UInt64(rounds(50, stress: 2_000)) {
            compare(seed, depth: isStress ? 4 : 3, limit)
        }
    }

    @Test("a machine that starts equal promises in another order each time is not taken to be random")
    func orderOfStarting() { compare(8_473_349_310_720_308_774, depth: 4, 1_500) }

    private func compare(_ seed: UInt64, depth: Int, _ limit: Int) {
        let explorer = FeatureMachine(seed: seed).explorer
        var depth = depth
        var judge = explorer.explore(depth: depth, .init(stepLimit: limit, merging: .none))
        while judge.reachedStepLimit, depth > 2 {
            depth -= 1
            judge = explorer.explore(depth: depth, .init(stepLimit: limit, merging: .none))
        }
        if judge.reachedStepLimit { return }
        let merged = explorer.explore(depth: depth)
        if merged.counterexample?.steps != judge.counterexample?.steps {
            Issue.record(
                "seed \(seed), depth \(depth): \(merged.counterexample?.description ?? "nothing") instead of \(judge.counterexample?.description ?? "nothing")"
            )
        } else if merged.counterexample == nil, Set(merged.states) != Set(judge.states) {
            Issue.record(
                "seed \(seed), depth \(depth): \(merged.states.count) states of \(judge.states.count)")
        }
    }
}
