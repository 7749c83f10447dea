import PromisedSystem
import PromisedTesting
import Testing

@Suite struct ExplorerTests {
    @Test("three counters")
    func counters() {
        let clock = ContinuousClock()
        for depth in [3, 4, 5, 6, 8] {
            let start = clock.now
            let exploration = Counters.explorer(3).check(depth: depth)
            print(
                depth, exploration.configurations, exploration.paths, exploration.transitions,
                exploration.inferredTransitions, exploration.steps,
                exploration.levels.map { ($0.configurations, $0.transitions) }, exploration.isComplete,
                exploration.states.count, clock.now - start)
        }
    }
}
