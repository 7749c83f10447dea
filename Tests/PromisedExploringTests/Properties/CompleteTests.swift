import PromisedExploring
import PromisedSystem
import Testing

@Suite struct CompleteTests {
    @Test("a check that must be complete fails with what is missing")
    func mustBeComplete() {
        let explorer = Order.explorer { _ in }
        explorer.check(depth: 20, mustBeComplete: true)
        #expect(
            failures { explorer.check(depth: 2, mustBeComplete: true) } == [
                """
                The exploration is not complete, to depth 2:

                    configurations beyond depth 2 were not visited
                """
            ])
    }

    @Test("all violations: the shortest of each property, the shortest first")
    func all() {
        let explorer = Order.explorer(policy: .concurrent) { world in
            world.always("it is not placed") { $0 != .placed }
            world.neverTwice("placed once", .event(Order.Event.place), until: .event(Order.Event.new))
            world.always("it never fails twice", from: .state { $0 == .failed }, until: .end(of: "nothing")) {
                $0 == .failed || $0 == .placing
            }
            world.atRest("it always ends") { _ in true }
        }
        let all = explorer.explore(depth: 4, .init(violations: .all))
        #expect(
            all.counterexamples.map(\.property) == [
                "placed once", "it is not placed", "it never fails twice",
            ])
        #expect(
            all.counterexamples.map(\.steps) == [
                [.send(.place), .send(.place)], [.send(.place), .answer("order", "done")],
                [.send(.place), .answer("order", "refused"), .send(.new)],
            ])
        #expect(all.gaps == [.violation])
        #expect(explorer.explore(depth: 4).counterexamples.count == 1)
        #expect(failures { explorer.check(depth: 4, .init(violations: .all)) }.count == 3)
        let every = explorer.explore(depth: 4, .init(merging: .none, violations: .all))
        #expect(every.counterexamples.map(\.steps) == all.counterexamples.map(\.steps))
    }

    @Test("all violations end with one of what is expected of every system")
    func stuck() {
        let explorer = Saving.explorer(.neverAnswers)
        #expect(
            explorer.explore(depth: 4, .init(violations: .all)).counterexamples.map(\.property) == [
                "the queue drains"
            ])
    }

    @Test("all cycles are found")
    func cycles() {
        let explorer = Order.explorer(retries: true) { world in
            world.eventually("placing ends") { $0 != .placing }
            world.responds("it is placed", to: .event(Order.Event.place)) { $0 == .placed }
        }
        let all = explorer.explore(depth: 5, .init(violations: .all))
        #expect(all.counterexamples.map(\.property) == ["placing ends", "it is placed"])
        #expect(all.counterexamples.allSatisfy { $0.cycle == 1..<2 })
    }
}
