import PromisedExploring
import PromisedSystem
import Testing

/// What is too large, or has no end: bounds, views and weights.
@Suite struct BoundTests {
    private struct Log: Hashable, Sendable {
        var isOpen = false
        var entries = 0
    }

    private func log(_ properties: @escaping @Sendable (World<Log>) -> Void = { _ in }) -> Explorer<
        Log, String
    > {
        Explorer(events: ["open", "close"]) { world in
            properties(world)
            return System(
                initialState: Log(), scheduler: world.scheduler,
                reducer: Reducer { log, event in
                    (log.isOpen, log.entries) = (event == "open", log.entries + 1)
                })
        }
    }

    @Test("configurations beyond a bound are not expanded, and the bound is named")
    func bound() {
        let explorer = log { world in
            world.bound("two entries") { $0.entries <= 2 }
            world.always("at most three entries") { $0.entries <= 3 }
        }
        let found = explorer.check(depth: 20)
        #expect(found.gaps == [.bound("two entries")])
        #expect(found.configurations == 7)
        #expect(Set(explorer.explore(depth: 4, .init(merging: .none)).states) == Set(found.states))
        let broken = log { world in
            world.bound("two entries") { $0.entries <= 2 }
            world.always("at most two entries") { $0.entries <= 2 }
        }
        #expect(explored(broken, depth: 9).steps == [.send("open"), .send("open"), .send("open")])
    }

    @Test("a bound that is never reached is no gap")
    func unreached() {
        let explorer = Order.explorer { world in world.bound("anything") { _ in true } }
        explorer.check(depth: 20, mustBeComplete: true)
    }

    @Test("states with equal views are one; that is a gap unless the view is exact")
    func view() {
        let found = log().viewed(by: \.isOpen).check(depth: 50)
        #expect(found.configurations == 2)
        #expect(found.gaps == [.view])
        #expect(found.states == [Log(), Log(isOpen: true, entries: 1)])
        #expect(log().viewed(by: \.isOpen, isExact: true).check(depth: 50, mustBeComplete: true).isComplete)
    }

    @Test("a view hides what depends on more")
    func hides() {
        let explorer = log { world in world.always("fewer than two entries") { $0.entries < 2 } }
        let found = log().viewed(by: { _ in 0 }).explore(depth: 4)
        #expect(found.configurations == 1)
        #expect(found.states == [Log()])
        #expect(
            explorer.viewed(by: { min($0.entries, 2) }).explore(depth: 4).counterexample?.steps
                == explorer.explore(depth: 4).counterexample?.steps)
    }

    @Test("states that are not Hashable are compared by a view")
    func notHashable() {
        struct Opaque: Sendable { var count = 0 }
        let explorer = Explorer<Opaque, String>(events: ["a"]) { world in
            System(
                initialState: Opaque(), scheduler: world.scheduler,
                reducer: Reducer { state, _ in state.count = (state.count + 1) % 4 })
        }
        #expect(
            explorer.viewed(by: \.count, isExact: true).check(depth: 9, mustBeComplete: true).configurations
                == 4)
    }
}
