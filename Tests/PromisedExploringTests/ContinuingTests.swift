import Promise
import PromisedExploring
import PromisedSystem
import PromisedTesting
import Testing

/// Explorations that stop and go on.
@Suite struct ContinuingTests {
    private static func dials(_ broken: Int = -1) -> Explorer<Int, Int> {
        Explorer(events: [1, 10]) { world in
            world.always("not broken") { $0 != broken }
            return System(initialState: 0, scheduler: world.scheduler) { state, event in
                world.call("turn", .value((state + event) % 60), .cancelled)
            }
        }
    }

    @Test("continued by steps, it comes to what one exploration comes to")
    func steps() {
        let whole = Self.dials().explore(depth: 200)
        var parts = Self.dials().explore(depth: 200, stepLimit: 40)
        var count = 1
        #expect(parts.gaps == [.stepLimit])
        while parts.reachedStepLimit {
            parts = parts.continued(stepLimit: 40)
            count += 1
        }
        #expect(count > 3)
        #expect(parts.isComplete && whole.isComplete)
        #expect(parts.configurations == whole.configurations)
        #expect(parts.levels == whole.levels)
        #expect(Set(parts.states) == Set(whole.states))
        #expect(parts.diagram() == whole.diagram())
    }

    @Test("continued to a greater depth, nothing that is known is explored again")
    func depth() {
        let explorer = Self.dials()
        let shallow = explorer.explore(depth: 6)
        #expect(shallow.gaps == [.depth(6)])
        let deep = shallow.continued(depth: 12)
        let whole = explorer.explore(depth: 12)
        #expect(deep.levels == whole.levels)
        #expect(deep.transitions == whole.transitions)
        #expect(deep.gaps == [.depth(12)])
        // A smaller depth changes nothing.
        #expect(deep.continued(depth: 3).levels == whole.levels)
    }

    @Test("a violation beyond the part that was explored is found, with the shortest path to it")
    func violation() {
        let stopped = Self.dials(12).explore(depth: 20, stepLimit: 10)
        #expect(stopped.counterexample == nil)
        let found = stopped.continued()
        #expect(found.counterexample?.steps == Self.dials(12).explore(depth: 20).counterexample?.steps)
        #expect(found.counterexample?.steps.count == 6)
        // There is nothing to continue.
        #expect(found.continued(depth: 30).counterexample?.steps == found.counterexample?.steps)
    }

    @Test("without time, nothing but the start is explored, and the gap says so")
    func time() {
        let none = Self.dials().explore(depth: 20, timeLimit: .zero)
        #expect(none.configurations == 1)
        #expect(none.gaps == [.timeLimit])
        #expect(none.continued(timeLimit: .seconds(1_000)).levels == Self.dials().explore(depth: 20).levels)
    }

    @Test(
        "the clock is part of a configuration as soon as it is read, also in an exploration that is continued"
    )
    func clock() {
        let explorer = Explorer<Int, String>(events: ["look"]) { world in
            System<Int, String>(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, event in
                    state = event == "look" ? Int(world.scheduler.now.components.seconds) : -1
                },
                feedbacks: [.just(effects: Promise.value("tick").delay(.seconds(2)))])
        }
        let (whole, stopped) = (explorer.explore(depth: 5), explorer.explore(depth: 5, stepLimit: 0))
        #expect(stopped.configurations == 1)
        #expect(stopped.continued().levels == whole.levels)
        #expect(Set(whole.states) == [0, 1, 2, -1])
    }
}
