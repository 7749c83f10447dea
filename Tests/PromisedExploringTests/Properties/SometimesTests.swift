import PromisedExploring
import PromisedSystem
import Testing

@Suite struct SometimesTests {
    private func explorer(_ wanted: Order.State) -> Explorer<Order.State, Order.Event> {
        Order.explorer { world in world.sometimes("it is \(wanted)") { $0 == wanted } }
    }

    @Test("a state that is reached, and the initial one")
    func seen() {
        explorer(.placed).check(depth: 3)
        explorer(.cart).check(depth: 0)
        #expect(explorer(.failed).check(depth: 20).isComplete)
    }

    @Test("a state that is not reached at the depth is a gap, and fails the check")
    func notYet() {
        #expect(explorer(.placed).explore(depth: 1).gaps == [.depth(1), .neverSeen("it is placed")])
        #expect(
            failures { explorer(.placed).check(depth: 1) } == [
                """
                The exploration has not seen what it should, to depth 1:

                    "it is placed" was never seen
                """
            ])
    }

    @Test("a state that is not reached in a complete exploration cannot be reached")
    func never() {
        let explorer = Explorer<Int, Int>(events: [2]) { world in
            world.sometimes("it is odd") { $0 % 2 == 1 }
            return System(
                initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = ($0 + $1) % 6 })
        }
        #expect(explorer.explore(depth: 9).gaps == [.neverSeen("it is odd")])
        #expect(explorer.explore(depth: 9, .init(merging: .none)).gaps.last == .neverSeen("it is odd"))
        #expect(
            failures { explorer.check(depth: 9, mustBeComplete: true) } == [
                """
                The exploration is not complete, although every configuration was visited:

                    "it is odd" was never seen
                """
            ])
    }
}
