import PromisedSystem
import PromisedTesting
import Testing

@testable import ProductPage

@Suite struct ExplorationTests {
    @Test("every order of seven events, of what effects come to, and of time, up to six steps")
    func everything() {
        let clock = ContinuousClock()
        for depth in 3...6 {
            let start = clock.now
            let exploration = ExploredPage.explorer().check(depth: depth)
            print(depth, exploration.configurations, exploration.transitions, exploration.inferredTransitions, exploration.steps, exploration.paths, clock.now - start)
        }
    }
}
