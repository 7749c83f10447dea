import PromisedExploring
import PromisedSystem
import Testing

@Suite struct EventuallyTests {
    private func explorer(
        limit: Duration? = nil, retries: Bool = false, hangs: Bool = false
    ) -> Explorer<Order.State, Order.Event> {
        Order.explorer(limit: limit, retries: retries, hangs: hangs) { world in
            world.eventually("placing ends") { $0 != .placing }
        }
    }

    @Test("it holds where each call is answered, whatever is sent meanwhile")
    func holds() {
        explorer().check(depth: 20, mustBeComplete: true)
        explorer(limit: .seconds(3)).check(depth: 20, mustBeComplete: true)
        // An event that is dropped can be sent for ever, but the call is answered all the same.
        #expect(explored(explorer(), depth: 5) == (nil, nil, true))
    }

    @Test("a path on which a call is never answered is not fair, unless the system gives up")
    func never() {
        #expect(explorer(hangs: true).explore(depth: 6).counterexample == nil)
        #expect(explorer(limit: .seconds(1), hangs: true).explore(depth: 6).counterexample == nil)
        let found = explorer(limit: .seconds(1), retries: true, hangs: true).explore(depth: 6).counterexample
        #expect(found?.steps == [.send(.place), .advance(by: .seconds(1))])
        #expect(found?.cycle == 1..<2)
    }

    @Test("a retry without an end is a cycle")
    func cycle() throws {
        let found = try #require(explorer(retries: true).explore(depth: 6).counterexample)
        #expect(
            found.description == """
                "placing ends" does not hold: step 2 can repeat for ever, and it is never fulfilled.

                    1. .send(.place)
                        .placing
                    2. .answer("order", "refused")
                        .placing

                Replay it, and keep it as a test:

                    explorer.replay(
                        .send(.place),
                        .answer("order", "refused"))
                """)
        #expect(found.cycle == 1..<2)
    }

    @Test("a rest at which it does not hold is found, the shortest way, with and without merging")
    func rest() {
        let explorer = Order.explorer { world in world.eventually("it is a cart again") { $0 == .cart } }
        let found = explored(explorer, depth: 4)
        #expect(found.steps == [.send(.place), .answer("order", "done")])
        #expect(
            found.text?.hasPrefix(
                "\"it is a cart again\" does not hold after 2 steps: nothing more happens by itself, and it is not fulfilled."
            ) == true)
        #expect(found.isSame)
    }

    @Test("polling without an end is a cycle in which time passes")
    func polling() throws {
        func explorer(stopsAt last: Int) -> Explorer<Int, String> {
            Explorer(events: ["start"]) { world in
                world.eventually("it is zero") { $0 == 0 }
                let reducer = Reducer<Int, String> { count, event in
                    if event == "start", count == 0 { count = 1 }
                    if event == "tick" { count = count == last ? 0 : count % 2 + 1 }
                }
                return System(
                    initialState: 0, scheduler: world.scheduler, reducer: reducer,
                    feedbacks: [
                        .lensingSkippingRepeated(state: { $0 == 0 ? nil : $0 }) { _ in
                            Promise.value("tick").delay(.seconds(1))
                        }
                    ])
            }
        }
        let found = try #require(explorer(stopsAt: 9).explore(depth: 12).counterexample)
        #expect(found.steps == [.send("start")] + Array(repeating: .advance(by: .seconds(1)), count: 2))
        #expect(found.cycle == 1..<3)
        #expect(explorer(stopsAt: 2).explore(depth: 12).counterexample == nil)
    }

    private struct Loads: Hashable, Sendable { var slow = false, fast = false }
    private enum Load: Hashable, Sendable { case slow, fast, slowLoaded, fastLoaded }

    private func loads(_ name: String, _ holds: @escaping @Sendable (Loads) -> Bool) -> Explorer<Loads, Load>
    {
        Explorer(events: [.slow, .fast]) { world in
            world.eventually(name, holds)
            let reducer = Reducer<Loads, Load> { state, event in
                switch event {
                case .slow: state.slow = true
                case .fast: state.fast = true
                case .slowLoaded: state.slow = false
                case .fastLoaded: state.fast = false
                }
            }
            let (slow, fast): (Feedback<Loads, Load>, Feedback<Loads, Load>) = (
                .whenBecomesTrue(state: { $0.slow }) { _ in world.call("load", .value(.slowLoaded)) },
                .whenBecomesTrue(state: { $0.fast }) { _ in world.call("load", .value(.fastLoaded)) }
            )
            return System(
                initialState: Loads(), scheduler: world.scheduler, reducer: reducer, feedbacks: [slow, fast])
        }
    }

    @Test("a call that stays open for ever is not fair, even if others of its name are answered")
    func starving() {
        loads("the slow one ends") { !$0.slow }.check(depth: 20, mustBeComplete: true)
    }

    @Test("calls that take turns are fair")
    func turns() throws {
        let found = try #require(
            loads("nothing is loading") { !$0.slow && !$0.fast }.explore(depth: 20).counterexample)
        let cycle = try #require(found.cycle)
        #expect(
            found.steps[..<cycle.lowerBound] == [.send(.slow), .send(.fast), .answer("load", "slowLoaded")])
        #expect(
            found.steps[cycle] == [
                .send(.slow), .answer("load 2", "fastLoaded"), .send(.fast), .answer("load 3", "slowLoaded"),
            ])
    }

    @Test("a cycle without the state is found, although a step that shows it leads to the same")
    func twoWays() {
        let explorer = Explorer<Int, Int>(events: []) { world in
            world.eventually("two is seen") { $0 == 2 }
            return System<Int, Int>(
                initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = $1 },
                feedbacks: [
                    .lensingSkippingRepeated(state: { $0 }) { number in
                        switch number {
                        case 0: world.call("go", .value(2, named: "over two"), .value(1, named: "at once"))
                        case 1: world.call("back", .value(0))
                        default: Promise.value(1)
                        }
                    }
                ])
        }
        let found = explorer.explore(depth: 12).counterexample
        #expect(found?.steps == [.answer("go", "at once"), .answer("back", "0")])
        #expect(found?.cycle == 0..<2)
    }

    @Test("a state that is shown in the middle of a step counts")
    func within() {
        let explorer = Explorer<Int, Int>(events: []) { world in
            world.eventually("two is seen") { $0 == 2 }
            return System(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer<Int, Int> { $0 = ($0 + $1) % 4 },
                feedbacks: [
                    .lensingSkippingRepeated(state: { $0 }) { number in
                        number == 0 || number == 3
                            ? Promise.value(1).delay(.seconds(1)) : Promise.value(1)
                    }
                ])
        }
        #expect(explorer.check(depth: 12).counterexample == nil)
    }
}
