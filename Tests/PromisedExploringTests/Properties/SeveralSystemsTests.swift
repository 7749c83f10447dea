import Promise
import PromisedExploring
import PromisedSystem
import Testing

@Suite struct SeveralSystemsTests {
    private static func build(
        limit: Int, _ world: World<Int>
    ) -> System<Int, String> {
        let basket = System<Int, Int>(
            initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = min($0 + $1, limit) })
        world.action("add") { basket.sendEvent(1) }
        world.always("two fit in", of: basket) { $0 <= 2 }
        return System(
            initialState: 0, scheduler: world.scheduler,
            reducer: Reducer { count, event in if let number = Int(event) { count = number } },
            feedbacks: [
                .onEvent({ $0 == "look" ? true : nil }) { _ in
                    Effect<String> { $0.finish(sending: "\(basket.state)") }
                }
            ])
    }

    @Test("events of another system are steps, and its states have properties")
    func another() throws {
        #expect(expectSame(["look"], depth: 5) { Self.build(limit: 2, $0) }.counterexample == nil)
        let found = try #require(expectSame(["look"], depth: 5) { Self.build(limit: 3, $0) }.counterexample)
        #expect(found.steps == [.action("add"), .action("add"), .action("add")])
        #expect(
            found.description == """
                "two fit in" does not hold after 3 steps. It is broken by 3.

                    1. .action("add")
                    2. .action("add")
                    3. .action("add")

                Replay it, and keep it as a test:

                    explorer.replay(
                        .action("add"),
                        .action("add"),
                        .action("add"))
                """)
        let explorer = Explorer(events: ["look"]) { Self.build(limit: 3, $0) }
        #expect(failures { explorer.replay(found.steps) }.count == 1)
        #expect(
            failures { explorer.replay(.action("remove")) }[0].hasPrefix(
                "Step 1 of the script is not possible"))
        #expect(explorer.replay(.action("add"), .send("look")).last?.shown.last?.state == 1)
    }

    @Test("the initial state of another system, and the explored system itself")
    func itself() {
        let explorer = Explorer<Int, Int>(events: [1]) { world in
            let other = System<Int, Int>(
                initialState: 5, scheduler: world.scheduler, reducer: Reducer { $0 = ($0 + $1) % 3 })
            world.always("fewer than five", of: other) { $0 < 5 }
            return other
        }
        #expect(explorer.explore(depth: 2).counterexample?.steps == [])
        let same = Explorer<Int, Int>(events: [1]) { world in
            let page = System<Int, Int>(
                initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = ($0 + $1) % 3 })
            world.always("fewer than two", of: page) { $0 < 2 }
            return page
        }
        #expect(same.explore(depth: 4).counterexample?.steps == [.send(1), .send(1)])
    }

    @Test("actions of the same name are numbered")
    func sameNames() {
        let explorer = Explorer<Int, Int>(events: [1]) { world in
            let value = world.variable(0)
            world.action("set") { value.value = 1 }
            world.action("set") { value.value = 2 }
            world.atRest("it is not two") { _ in value.value != 2 }
            return System(
                initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = ($0 + $1) % 2 })
        }
        #expect(explored(explorer, depth: 3).steps == [.action("set 2")])
        #expect(failures { explorer.replay(.action("set 2")) }.first?.contains("it is not two") == true)
    }

    @Test("a system that is created on a path is part of a configuration")
    func createdLater() {
        let explorer = Explorer<Int, String>(events: ["open", "add", "look"]) { world in
            let basket = Lock<System<Int, Int>?>(nil)
            return System(
                initialState: -1, scheduler: world.scheduler,
                reducer: Reducer { count, event in if let number = Int(event) { count = number } },
                feedbacks: [
                    .onEvent({ Int($0) == nil ? $0 : nil }) { event in
                        Effect<String> { effect in
                            switch event {
                            case "open" where basket.withLock { $0 } == nil:
                                let new = System<Int, Int>(
                                    initialState: 0, scheduler: world.scheduler,
                                    reducer: Reducer { $0 = ($0 + $1) % 3 })
                                _ = basket.exchange(for: new)
                            case "add": basket.withLock { $0 }?.sendEvent(1)
                            case "look": effect.send("\(basket.withLock { $0 }?.state ?? -1)")
                            default: break
                            }
                            effect.finish()
                        }
                    }
                ])
        }
        let found = explorer.explore(depth: 20)
        #expect(Set(found.states) == [-1, 0, 1, 2])
        // One before there is a basket; then one for each number that was shown and number in the basket.
        #expect(found.isComplete && found.configurations == 1 + 4 * 3)
    }

    @Test("an action that changes what is outside is part of the order")
    func outside() {
        let explorer = Explorer<String, String>(events: ["load"]) { world in
            let isOnline = world.variable(true)
            world.action("offline") { isOnline.value = false }
            world.always("no error is shown") { $0 != "error" }
            return System(initialState: "", scheduler: world.scheduler) { _, _ in
                world.call("get", .result("answers") { isOnline.value ? "page" : "error" })
            }
        }
        let found = explored(explorer, depth: 4)
        #expect(found.steps == [.send("load"), .action("offline"), .answer("get", "answers")])
        #expect(found.isSame)
    }

    @Test("an exploration is not resumed with another property of another system")
    func resuming() throws {
        func pages(_ properties: [String]) -> Explorer<Int, Int> {
            Explorer(events: [1]) { world in
                let badge = System<Int, Int>(
                    initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = ($0 + $1) % 5 })
                world.action("add") { badge.sendEvent(1) }
                for property in properties { world.always(property, of: badge) { $0 < 5 } }
                return System(
                    initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = ($0 + $1) % 5 })
            }
        }
        let part = pages([]).explore(depth: 20, .init(stepLimit: 20))
        #expect(throws: (any Error).self) { try resumed(part, by: pages(["at most four"])) }
        #expect(try resumed(part, by: pages([])).isComplete)
    }
}
