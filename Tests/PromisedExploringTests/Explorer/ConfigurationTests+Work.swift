import Promise
import PromisedExploring
import PromisedSystem
import Testing

// Work with several timers, and the inputs that it was started with.
extension ConfigurationTests {
    @Test(
        "configurations differ by the remaining time of each timer: two timers of the same work are not interchangeable"
    )
    func twoTimers() {
        enum Event: Hashable { case start, won(String), nothing }
        let explorer = Explorer<String, Event>(events: [.start]) { world in
            let disk = world.variable(0)
            return System(
                initialState: "", scheduler: world.scheduler,
                reducer: Reducer { state, event in if case .won(let name) = event { state = name } },
                feedbacks: [
                    .onEvent({ $0 == .start ? true : nil }, policy: .drop) { _ in
                        let slow = world.call("slow", .result("comes") { disk.value = 0 })
                            .delay(.seconds(3)).map { Event.won("slow \(disk.value)") }
                        let fast = world.call("fast", .result("comes") { disk.value = 1 })
                            .delay(.seconds(2)).map { Event.won("fast") }
                        return Promise.race([slow, fast])
                    },
                    .onEvent({ $0 == .start ? true : nil }, policy: .drop) { _ in
                        world.call("look", .result("comes") { disk.value }).flatMap { value in
                            Promise.value(Event.nothing).delay(.seconds(value == 1 ? 1 : 2))
                        }
                    },
                ])
        }
        #expect(Set(explorer.explore(depth: 6).states) == ["", "slow 0", "slow 1", "fast"])
        let trace = explorer.replay(
            .send(.start), .answer("slow", "comes"), .answer("look", "comes"), .advance(by: .seconds(2)),
            .answer("fast", "comes"), .advance(by: .seconds(1)))
        #expect(trace.last?.shown == [.settled("slow 1")])
    }

    /// `x` is due after three seconds, and `y` two seconds after the answer. A second after an immediate answer, the same
    /// times are left as at an answer after two seconds, but to the other timer.
    @Test("configurations differ by the timers of one piece of work to which the remaining times belong")
    func swappedTimers() {
        let explorer = Explorer<String, String>(events: ["start"]) { world in
            let isAnswered = world.variable(false)
            world.always("after an answer, y follows x in three quarters of a second") { $0 != "late" }
            let system = System<String, String>(
                initialState: "", scheduler: world.scheduler,
                reducer: Reducer { state, event in
                    switch (state, event) {
                    case ("", "x"), ("", "y"), ("x", "y"), ("x", "late"): state = event
                    default: break
                    }
                },
                feedbacks: [
                    .onEvent({ $0 == "start" ? true : nil }, policy: .drop) { _ in
                        let answer = world.call(
                            "answer",
                            .result("y") {
                                isAnswered.value = true
                                return "y"
                            })
                        return Effect<String>.merge(
                            .promise(Promise.value("x").delay(.seconds(3))),
                            .promise(answer.delay(.seconds(2))))
                    },
                    .onEvent({ $0 == "x" && isAnswered.value ? true : nil }, policy: .drop) { _ in
                        Promise.value("late").delay(.milliseconds(750))
                    },
                    .onEvent({ $0 == "second" ? true : nil }) { _ in
                        Promise.value("second").delay(.seconds(1))
                    },
                ])
            system.sendEvent("second")
            return system
        }
        #expect(
            explorer.explore(depth: 7).counterexample?.steps == [
                .send("start"), .advance(by: .seconds(1)), .advance(by: .seconds(1)),
                .answer("answer", "y"), .advance(by: .seconds(1)), .advance(by: .milliseconds(750)),
            ])
    }

    /// `3` waits for three seconds, `2` for two, and `1` repeats each second. The same timers run when `3` has a second
    /// left and `2` has two, and when it is the other way round.
    @Test("configurations differ by the remaining debounce time of each event")
    func twoPauses() {
        @Sendable func asks(_ event: Int, for work: @escaping @Sendable () -> Promise<Int>) -> Feedback<
            String, Int
        > {
            .onEvent({ $0 == event ? true : nil }, policy: .concurrent) { _ in work() }
        }
        @Sendable func build(_ world: World<String>) -> System<String, Int> {
            let isOver = world.variable(false)
            let pause: @Sendable () -> Promise<Int> = { Promise.value(1).delay(.seconds(1)) }
            let system = System(
                initialState: "", scheduler: world.scheduler, reducer: Self.inTurns,
                feedbacks: [
                    asks(0) { world.call("three", .value(3)) },
                    // Too late: `3` has already been processed.
                    asks(0) { world.call("two", .result("comes") { isOver.value ? 9 : 2 }) },
                    asks(0, for: pause), asks(1, for: pause),
                    asks(3) {
                        Promise { resolver in
                            isOver.value = true
                            resolver.fulfill(9)
                        }
                    },
                ],
                configuration: .init(eventPolicy: {
                    2...3 ~= $0 ? .debounce(.seconds($0), key: EffectKey($0)) : .queue
                }))
            system.sendEvent(0)
            return system
        }
        let explorer = Explorer<String, Int>(events: [], build: build)
        #expect(Set(explorer.explore(depth: 6).states) == ["", "2", "3", "31", "32", "312"])
    }

    private static let inTurns = Reducer<String, Int> { state, event in
        switch (state, event) {
        case ("", 2...3), ("3", 1...2), ("31", 2): state += "\(event)"
        default: break
        }
    }

    @Test(
        "configurations differ by the inputs that a feedback read when its work was requested",
        arguments: [EffectPolicy.concurrent, .drop, .queue, .replace, .throttle(.seconds(1))])
    func readWhenAsked(policy: EffectPolicy) {
        enum Event: Hashable { case look, write, seen(Int) }
        let explorer = Explorer<Int, Event>(events: [.look, .write]) { world in
            let disk = world.variable(0)
            world.always("never 2") { $0 != 2 }
            return System(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, event in if case .seen(let number) = event { state = number + 1 } },
                feedbacks: [
                    .onEvent({ $0 == .look ? disk.value : nil }, policy: policy) { value in
                        world.call("wait", .value(Event.seen(value), named: "over"))
                    },
                    .onEvent({ $0 == .write ? true : nil }) { _ in
                        Effect<Event>.fireAndForget { disk.value = 1 }
                    },
                ])
        }
        #expect(
            explorer.explore(depth: 5).counterexample?.steps
                == [.send(.write), .send(.look), .answer("wait", "over")])
    }

    @Test(
        "configurations differ by the inputs that a feedback read, also where its payload cannot be compared")
    func readPayload() {
        struct Payload: Sendable { let value: Int }
        enum Event: Hashable { case look, write, seen(Int) }
        let explorer = Explorer<Int, Event>(events: [.look, .write]) { world in
            let disk = world.variable(0)
            world.always("never 2") { $0 != 2 }
            return System(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, event in if case .seen(let number) = event { state = number + 1 } },
                feedbacks: [
                    .onEvent({ $0 == .look ? Payload(value: disk.value) : nil }, policy: .replace) {
                        payload in
                        world.call("wait", .value(Event.seen(payload.value), named: "over"))
                    },
                    .onEvent({ $0 == .write ? true : nil }) { _ in
                        Effect<Event>.fireAndForget { disk.value = 1 - disk.value }
                    },
                ])
        }
        let merged = explorer.explore(depth: 5)
        #expect(merged.counterexample?.steps == [.send(.write), .send(.look), .answer("wait", "over")])
        #expect(
            explorer.explore(depth: 5, .init(merging: .none)).counterexample?.steps
                == merged.counterexample?.steps)
        // The same variable, the same state and the same event, but what was read differs.
        #expect(explorer.explore(depth: 2).configurations == 6)
    }

    @Test("configurations are the same in every process: nothing depends on the order of a dictionary's keys")
    func order() {
        /// Has a different position in a hash table with each hash seed.
        struct Name: Hashable, Sendable, CustomStringConvertible {
            static let salt = Lock(0)
            let description: String
            func hash(into hasher: inout Hasher) {
                hasher.combine("\(Self.salt.withLock { $0 }) \(description)")
            }
        }
        enum Event: Hashable { case add, got(String) }
        func explore(salt: Int) -> String {
            Name.salt.withLock { $0 = salt }
            let explorer = Explorer<[String], Event>(events: [.add]) { world in
                world.always("not three") { state in state.count { $0.hasSuffix("!") } < 3 }
                return System(
                    initialState: [], scheduler: world.scheduler,
                    reducer: Reducer { state, event in
                        switch event {
                        case .add: state = ["a", "b", "c", "d", "e"]
                        case .got(let name):
                            if let place = state.firstIndex(of: name) { state[place] = name + "!" }
                        }
                    },
                    feedbacks: [
                        .react(requests: { state in Set(state.filter { $0.count == 1 }.map(Name.init)) }) {
                            name in
                            world.call("get", .value(Event.got("\(name)"), named: "it"))
                        }
                    ])
            }
            let found = explorer.explore(depth: 4)
            return "\(found)" + found.diagram { "\($0)" }.dot
        }
        let first = explore(salt: 1)
        for salt in 2...8 { #expect(explore(salt: salt) == first) }
    }

    @Test("delays may range from the shortest to the longest that a Duration can hold")
    func longTimes() {
        let explorer = Explorer<Int, Int>(events: [1]) { world in
            System(initialState: 0, scheduler: world.scheduler) { count, _ in
                world.call("wait", .value(count + 1)).timeout(.seconds(Int64.max))
                    .delay(.seconds(1) / 3)
            }
        }
        let trace = explorer.replay(.send(1), .answer("wait", "1"), .advance(by: .seconds(1) / 3))
        #expect(trace.last?.shown == [.settled(1)])
        #expect(explorer.explore(depth: 4).states.prefix(2) == [0, 1])
    }
}
