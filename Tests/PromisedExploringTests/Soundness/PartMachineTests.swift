import PromisedExploring
import TestSupport
import Testing

/// Compares an exploration that merges equal configurations with one that executes every path.
@Suite struct PartMachineTests {
    @Test(
        "random machines with replaced parts, shared keys, delays and double arrivals: merging changes nothing",
        arguments: 0..<4)
    func machines(part: UInt64) {
        let limit = rounds(150, stress: 1_000)
        let first = isStress ? firstSeed() : 1
        for number in 0..<UInt64(rounds(3, stress: 500)) {
            let seed = first &+ 4 &* number &+ part
            let explorer = PartMachine(seed: seed).explorer
            var depth = 4
            var judge = explorer.explore(depth: depth, .init(stepLimit: limit, merging: .none))
            while judge.reachedStepLimit, depth > 2 {
                depth -= 1
                judge = explorer.explore(depth: depth, .init(stepLimit: limit, merging: .none))
            }
            // What could not be executed whole is no judge.
            if judge.reachedStepLimit { continue }
            let merged = explorer.explore(depth: depth)
            #expect(Set(merged.states) == Set(judge.states), "seed \(seed), depth \(depth)")
            #expect(merged.counterexample == nil, "seed \(seed), depth \(depth)")
        }
    }
}
