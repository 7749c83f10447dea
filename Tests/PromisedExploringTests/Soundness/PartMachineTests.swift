import PromisedExploring
import TestSupport
import Testing

/// Compares an exploration that merges equal configurations with one that executes every path.
@Suite struct PartMachineTests {
    @Test(
        "random machines with replaced parts, shared keys, delays and double arrivals: merging changes nothing"
    )
    func machines() {
        let limit = rounds(150, stress: 1_000)
        let first = isStress ? firstSeed() : 1
        for seed in first..<first &+ UInt64(rounds(12, stress: 2_000)) {
            let explorer = PartMachine(seed: seed).explorer
            var depth = 4
            var judge = explorer.explore(depth: depth, .init(stepLimit: limit, merging: .none))
            while judge.reachedStepLimit, depth > 2 {
                depth -= 1
                judge = explorer.explore(depth: depth, .init(stepLimit: limit, merging: .none))
            }
            let merged = explorer.explore(depth: depth)
            #expect(Set(merged.states) == Set(judge.states), "seed \(seed), depth \(depth)")
            #expect(merged.counterexample == nil, "seed \(seed), depth \(depth)")
        }
    }
}
