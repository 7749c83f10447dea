import PromisedExploring
import PromisedSystem
import TestSupport
import Testing

/// Checks the explorer against an exhaustive search over a model that shares no code with it.
@Suite(.tags(.noSharedState)) struct BruteForceTests {
    @Test(
        "random machines: the same states are reached, and the first of the shortest counterexamples is the same"
    )
    func machines() {
        var broken = 0
        let machines = rounds(100, stress: 1_000)
        for seed in 1...UInt64(machines) {
            let machine = RandomMachine(seed: seed)
            let all = BruteForce(machine, depth: 4)
            let exploration = machine.explorer.explore(depth: 4)
            let found = exploration.counterexample?.steps
            if found != all.counterexample {
                Issue.record("seed \(seed): \(found as Any) instead of \(all.counterexample as Any)")
                return
            }
            // The exploration ends at the first violation, so fewer states are reached.
            if found == nil, Set(exploration.states) != all.states {
                Issue.record("seed \(seed): \(exploration.states) instead of \(all.states.sorted())")
                return
            }
            if found != nil { broken += 1 }
        }
        #expect(broken > machines / 5)
    }

    @Test("R15: many interleavings of small machines show the same states as a plain fold, step by step")
    func fold() {
        var paths = 0
        var seed: UInt64 = 0
        while paths < rounds(300, stress: 10_000) {
            seed += 1
            let machine = RandomMachine(seed: seed, isFree: true)
            let all = BruteForce(machine, depth: 3, stopsAtViolations: false)
            for path in all.paths {
                let trace = machine.explorer.replay(path)
                paths += 1
                if trace.map(\.shown) != all.shown(on: path) {
                    Issue.record(
                        "seed \(seed), \(path): \(trace.map(\.shown)) instead of \(all.shown(on: path))")
                    return
                }
            }
        }
    }
}
