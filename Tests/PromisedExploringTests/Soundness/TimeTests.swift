import Promise
import PromisedExploring
import PromisedSystem
import PromisedTesting
import Testing

/// Time passes, for more than timers.
@Suite struct TimeTests {
    @Test("a throttle of events opens again")
    func eventThrottle() {
        let found = expectSame(["a"], depth: 3) { (world: World<Int>) -> System<Int, String> in
            System<Int, String>(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { count, _ in count = min(count + 1, 3) },
                configuration: .init(eventPolicy: { _ in .throttle(.seconds(1), key: "a") }))
        }
        #expect(found.states == [0, 1, 2])
    }

    @Test("a throttle of effects opens again")
    func effectThrottle() {
        let found = expectSame(["a"], depth: 3) { (world: World<Int>) -> System<Int, String> in
            System<Int, String>(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { if $1 == "got" { $0 = min($0 + 1, 3) } },
                feedbacks: [
                    .onEvent({ $0 == "a" ? true : nil }, policy: .throttle(.seconds(1))) { _ in
                        Effect.just("got")
                    }
                ])
        }
        #expect(found.states == [0, 1, 2])
    }

    @Test("a property may read the clock")
    func property() {
        let found = expectSame([], depth: 5) { (world: World<Int>) -> System<Int, String> in
            world.always("less than 4 seconds") { _ in world.scheduler.now < .seconds(4) }
            return System<Int, String>(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { count, _ in count = 1 - count },
                feedbacks: [.latest(state: { $0 }) { _ in Promise.value("tick").delay(.seconds(1)) }])
        }
        #expect(found.counterexample?.steps == Array(repeating: .advance(by: .seconds(1)), count: 4))
    }

    @Test("something may happen between two instants")
    func between() {
        let found = expectSame(["a", "b"], depth: 6) { (world: World<String>) -> System<String, String> in
            System<String, String>(
                initialState: "", scheduler: world.scheduler,
                reducer: Reducer { state, event in
                    if event.count > 1 { state = String((state + event).suffix(4)) }
                },
                feedbacks: [
                    .onEvent({ $0.count == 1 ? $0 : nil }, key: { EffectKey($0) }, policy: .drop) { event in
                        Promise.value(event + "!").delay(.seconds(event == "a" ? 3 : 2))
                    }
                ])
        }
        #expect(found.states.contains("a!b!"))
        #expect(found.states.contains("b!a!"))
    }

    @Test("work that is started between two instants ends after what was due at the second")
    func startedBetween() {
        let explorer = Explorer<String, String>(events: ["a", "b"]) { world in
            System(
                initialState: "", scheduler: world.scheduler,
                reducer: Reducer { state, event in state = String((state + event).suffix(6)) },
                feedbacks: [
                    .onEvent({ $0.count == 1 ? $0 : nil }, key: { EffectKey($0) }, policy: .drop) { event in
                        Promise.value(event + "!").delay(.seconds(event == "a" ? 3 : 2))
                    }
                ])
        }
        #expect(explorer.explore(depth: 5).states.contains("aba!b!"))
    }

    @Test("a reducer or an effect may read the clock", arguments: [false, true])
    func clock(inReducer: Bool) {
        expectSame(["a", "pause"], depth: 4) { (world: World<Int>) -> System<Int, String> in
            System<Int, String>(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, event in
                    if event == "a", inReducer { state = Int(world.scheduler.now.components.seconds) }
                    if let time = Int(event) { state = time }
                },
                feedbacks: [
                    .onEvent({ $0 == "pause" ? true : nil }, policy: .drop) { _ in
                        Promise.value("over").delay(.seconds(2))
                    },
                    .onEvent({ $0 == "a" && !inReducer ? true : nil }) { _ in
                        Effect<String> { effect in
                            effect.finish(sending: "\(effect.scheduler.now.components.seconds)")
                        }
                    },
                ])
        }
    }

    @Test("a time limit and a timer may be due at the same instant")
    func timeLimit() {
        expectSame(["a", "b"], depth: 5) { (world: World<String>) -> System<String, String> in
            System<String, String>(
                initialState: "", scheduler: world.scheduler,
                feedbacks: [
                    .onEvent({ $0 == "b" ? true : nil }, policy: .concurrent) { _ in
                        Promise.value("rang").delay(.seconds(2))
                    }
                ], configuration: .init(timeLimit: { $0 == "a" ? .seconds(2) : nil })
            ) { state, event in
                event == "a"
                    ? world.call("a", .value(state + "a"))
                    : .value(String((state + event.prefix(1)).suffix(4)))
            }
        }
    }
}
