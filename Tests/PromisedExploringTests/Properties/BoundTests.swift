import PromisedExploring
import PromisedSystem
import Testing

/// What is too large, or has no end: bounds, views, preemptions and weights.
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

    @Test("preemptions: each race is found with as many as it needs")
    func preemptions() {
        // Two writes, whose order is found out only if the first is overtaken by the second.
        func explorer() -> Explorer<String, String> {
            Explorer(events: ["a", "b"]) { world in
                let disk = world.variable("")
                world.atRest("what is seen is what is stored") { $0 == disk.value }
                return System(
                    initialState: "", scheduler: world.scheduler,
                    reducer: Reducer { text, event in if event != "saved" { text = event } },
                    feedbacks: [
                        .onEvent({ $0 == "saved" ? nil : $0 }) { text in
                            world.call("write \(text)", .result("done") { disk.value = text }).map { "saved" }
                        }
                    ])
            }
        }
        let none = explorer().explore(depth: 6, .init(preemptions: 0))
        #expect(none.counterexample == nil)
        #expect(none.gaps == [.preemptions(0)])
        let one = explorer().explore(depth: 6, .init(preemptions: 1))
        #expect(one.counterexample?.steps == explorer().explore(depth: 6).counterexample?.steps)
        #expect(
            explorer().explore(depth: 6, .init(merging: .none, preemptions: 1)).counterexample?.steps
                == one.counterexample?.steps)
    }

    @Test("without preemptions a machine without races is visited completely, in fewer steps")
    func fewer() {
        let (all, few) = (
            Counters.explorer(3).explore(depth: 12),
            Counters.explorer(3).explore(depth: 12, .init(preemptions: 1))
        )
        #expect(all.configurations == 64)
        #expect(few.gaps == [.preemptions(1)])
        #expect(few.transitions < all.transitions * 2)
        let exact = Order.explorer { _ in }.explore(depth: 20, .init(preemptions: 0))
        #expect(exact.gaps == [.preemptions(0)])
    }
}
