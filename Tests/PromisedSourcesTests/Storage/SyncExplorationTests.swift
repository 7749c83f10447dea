import Promise
import PromisedExploring
import PromisedSystem
import TestSupport
import Testing

@testable import PromisedSources

/// Every order of answers, failures, changes here, changes by another device, and activations.
@Suite struct SyncExplorationTests {
    @Test(
        "SA-54: no order leads to an older value over a newer one, or brings a removed value back",
        arguments: [[1, 2], [2, 1], [1, nil], [nil, 1], [nil, nil], [1, 1]] as [[Int?]])
    func allOrders(_ start: [Int?]) {
        let explorer = ExploredSync(local: start[0], remote: start[1]).explorer()
        let exploration = explorer.check(depth: isStress ? 9 : 3)
        #expect(exploration.configurations > (isStress ? 300 : 50))
        explorer.check(walks: rounds(3, stress: 2_000), length: 40, seed: firstSeed())
    }

    @Test(
        "SA-54: without another device, both have the same value in the end, and a deletion is sent",
        arguments: [[1, nil], [nil, 1], [1, 1]] as [[Int?]])
    func alone(_ start: [Int?]) {
        let explorer = ExploredSync(local: start[0], remote: start[1], hasOthers: false).explorer()
        let exploration = explorer.check(depth: isStress ? 10 : 4)
        #expect(exploration.configurations > (isStress ? 300 : 50))
        explorer.check(walks: rounds(3, stress: 2_000), length: 40, seed: firstSeed())
    }

    @Test("a value that is stored whatever is here by then takes the place of a newer one: found")
    func plantedStore() throws {
        let sync = ExploredSync(local: nil, remote: 1, newest: 2, isAtomic: false, hasOthers: false)
        let found = try #require(sync.explorer().explore(depth: 6).counterexample)
        // What the last step is does not matter: the value is stored before it.
        #expect(found.steps.prefix(2) == [.action("set"), .answer("get", "answer")])
    }
}
