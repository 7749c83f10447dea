import Promise
import PromisedExploring
import PromisedSystem
import PromisedTesting
import Testing

/// Explorations that stop and go on.
@Suite struct ContinuedExplorationTests {
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
        var parts = Self.dials().explore(depth: 200, .init(stepLimit: 40))
        var count = 1
        #expect(parts.gaps == [.stepLimit])
        while parts.reachedStepLimit {
            parts = parts.continued(.init(stepLimit: 40))
            count += 1
        }
        #expect(count > 3)
        #expect(parts.isComplete && whole.isComplete)
        #expect(parts.configurations == whole.configurations)
        #expect(parts.levels == whole.levels)
        #expect(Set(parts.states) == Set(whole.states))
        #expect(parts.diagram() == whole.diagram())
    }

    @Test("a limit that is reached with the last step is no gap")
    func lastStep() {
        let explorer = Explorer<Int, Int>(events: [1, 10]) { world in
            System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = ($0 + $1) % 60 })
        }
        let whole = explorer.explore(depth: 200)
        let exact = explorer.explore(depth: 200, .init(stepLimit: whole.steps))
        #expect(exact.isComplete && !exact.reachedStepLimit)
        #expect(exact.levels == whole.levels)
        #expect(explorer.explore(depth: 200, .init(stepLimit: whole.steps - 1)).gaps == [.stepLimit])
    }

    @Test("the diagram of an exploration that was stopped shows what was explored, and no more")
    func diagram() {
        let stopped = Self.dials().explore(depth: 200, .init(stepLimit: 40))
        #expect(stopped.states.count < 60)
        #expect(stopped.diagram().nodes.map(\.name) == stopped.states.map { "\($0)" })
    }

    @Test("a limit that is reached before postponed events are enqueued is named")
    func beforePostponed() {
        let explorer = Explorer<String, String>(events: ["a", "b", "c"]) { world in
            let system = System<String, String>(
                initialState: "", scheduler: world.scheduler,
                configuration: .init(eventPolicy: { $0 == "d" ? .dropWhileBusy : .queue })
            ) { state, event in
                switch (state, event) {
                case ("", "a"): world.call("a", .value("A"))
                case ("A", "c"), ("Ac", "b"), ("Acb", "c"): .value(state + event)
                case (_, "d"): world.call("d", .value("d"))
                default: .value(state)
                }
            }
            _ = system.onLoop { [weak system] record in
                if record.event == "b", record.before == "Ac" { system?.sendEvent("d") }
            }
            return system
        }
        for limit in 20...40 {
            let stopped = explorer.explore(depth: 8, .init(stepLimit: limit))
            #expect(stopped.gaps == [.stepLimit], "\(limit)")
            if !stopped.reachedStepLimit {
                print(
                    stopped.continued(.init(stepLimit: 2000)).states)
            }
        }
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
        let stopped = Self.dials(12).explore(depth: 20, .init(stepLimit: 10))
        #expect(stopped.counterexample == nil)
        let found = stopped.continued()
        #expect(found.counterexample?.steps == Self.dials(12).explore(depth: 20).counterexample?.steps)
        #expect(found.counterexample?.steps.count == 6)
        #expect(found.gaps == [.violation])
        // There is nothing to continue.
        #expect(found.continued(depth: 30).counterexample?.steps == found.counterexample?.steps)
    }

    @Test("without time, nothing but the start is explored, and the gap says so")
    func time() {
        let none = Self.dials().explore(depth: 20, .init(timeLimit: .zero))
        #expect(none.configurations == 1)
        #expect(none.gaps == [.timeLimit])
        #expect(
            none.continued(.init(timeLimit: .seconds(1_000))).levels == Self.dials().explore(depth: 20).levels
        )
    }

    @Test("memory stops it at the same place each time, and it goes on when there is more")
    func memory() {
        let whole = Self.dials().explore(depth: 200)
        let parts = (0..<2).map { _ in Self.dials().explore(depth: 200, .init(memoryLimit: 10_000)) }
        for part in parts {
            #expect(part.gaps == [.memoryLimit])
            #expect(part.configurations > 20 && part.configurations < whole.configurations)
            #expect(part.levels == parts[0].levels && part.transitions == parts[0].transitions)
        }
        // There is no room for anything more.
        #expect(parts[0].continued(.init(memoryLimit: 10_000)).levels == parts[0].levels)
        let more = parts[0].continued(.init(memoryLimit: 1_000_000))
        #expect(more.isComplete && more.levels == whole.levels)
    }

    @Test("a check that has reached a limit says which one to raise")
    func raising() {
        let texts = failures { _ = Self.dials().check(depth: 200, .init(memoryLimit: 10_000)) }
        #expect(texts.count == 1 && texts[0].hasSuffix("or raise memoryLimit."))
    }

    @Test("all violations are found also by an exploration that is continued")
    func violations() {
        func explorer() -> Explorer<Int, Int> {
            Explorer(events: [1, 10]) { world in
                world.always("not 11") { $0 != 11 }
                world.always("not 12") { $0 != 12 }
                return System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 += $1 })
            }
        }
        let options = ExplorationOptions(stepLimit: 1, violations: .all)
        let found = explorer().explore(depth: 4, options).continued()
        #expect(found.counterexamples.map(\.property) == ["not 11", "not 12"])
        #expect(found.gaps == [.violation])
        // What is looked for from the start may take as many steps as before, and the further ones.
        let more = explorer().explore(depth: 6, .init(stepLimit: 5, violations: .all))
            .continued(.init(stepLimit: 5))
        #expect(more.counterexamples.map(\.property) == ["not 11", "not 12"])
        // A limit that keeps others from being found is named.
        let cut = (1...20).map { explorer().explore(depth: 4, .init(stepLimit: $0, violations: .all)) }
        #expect(cut.contains { $0.counterexamples.count == 1 && $0.gaps == [.violation, .stepLimit] })
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
        let (whole, stopped) = (explorer.explore(depth: 5), explorer.explore(depth: 5, .init(stepLimit: 0)))
        #expect(stopped.configurations == 1)
        #expect(stopped.continued().levels == whole.levels)
        #expect(Set(whole.states) == [0, 1, 2, -1])
    }
}
