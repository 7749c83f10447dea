import Promise
import PromisedExploring
import PromisedSystem
import Synchronization
import Testing

/// What is pending is part of a configuration, in its order.
@Suite struct QueueTests {
    struct State: Hashable, Sendable {
        var phase = 0
        var log: [String] = []
    }

    @Test("an event that is withdrawn while another one is sent changes the order of the queue")
    func withdrawn() {
        let found = expectSame(["x"], depth: 2) { (world: World<State>) -> System<State, String> in
            world.always("x comes first") {
                $0.log != ["go", "entered", "x"] && $0.log != ["go", "x", "entered"]
            }
            return System<State, String>(
                initialState: State(), scheduler: world.scheduler,
                feedbacks: [
                    .whenBecomesTrue(state: { $0.phase == 0 }) { _ in Effect.just("go", "loaded") },
                    .whenBecomesTrue(state: { $0.phase == 1 }) { _ in Effect.just("entered") },
                ]
            ) { state, event in
                var next = state
                next.log.append(event)
                guard event == "go" else { return .value(next) }
                next.phase = 1
                return world.call("go", .value(next, named: "over"))
            }
        }
        #expect(found.counterexample?.steps == [.send("x"), .answer("go", "over")])
    }

    @Test("debounced events ring in the order in which they were delayed")
    func debouncedEvents() {
        expectSame(["a", "b"], depth: 4) { (world: World<String>) -> System<String, String> in
            System<String, String>(
                initialState: "", scheduler: world.scheduler,
                reducer: Reducer { state, event in state = String((state + event).suffix(3)) },
                configuration: .init(eventPolicy: { .debounce(.seconds(1), key: EffectKey($0)) }))
        }
    }

    @Test("debounced effects of two keys start in the order in which they were requested")
    func debouncedEffects() {
        for policy in [
            EffectPolicy.debounce(.seconds(1)), .debounceThenReplace(.seconds(1)), .throttle(.seconds(1)),
        ] {
            expectSame(["a", "b"], depth: 4) { (world: World<String>) -> System<String, String> in
                System<String, String>(
                    initialState: "", scheduler: world.scheduler,
                    reducer: Reducer { state, event in
                        if event.count == 2 { state = String((state + event).suffix(4)) }
                    },
                    feedbacks: [
                        .onEvent({ $0.count == 1 ? $0 : nil }, key: { EffectKey($0) }, policy: policy) {
                            event in
                            Effect.just(event + "!")
                        }
                    ])
            }
        }
    }

    @Test("a cascade of events that was begun before an asynchronous transition goes on behind it")
    func cascade() {
        expectSame(["a", "b"], depth: 4) { (world: World<Int>) -> System<Int, String> in
            System<Int, String>(
                initialState: 0, scheduler: world.scheduler,
                feedbacks: [
                    .onEvent({ $0 == "b" || $0 == "c" ? $0 : nil }) { event in
                        Effect.just(event == "b" ? "c" : "d")
                    }
                ],
                configuration: .init(cascadeLimit: 2)
            ) { count, event in
                event == "a" ? world.call("a", .value(count)) : .value(event == "d" ? 9 : min(count + 1, 3))
            }
        }
    }

    @Test("configurations differ by how deep in a cascade a queued event is")
    func depth() {
        // "b", once "a" has armed it, sends what is otherwise sent from outside: one level deeper.
        let found = expectSame(["wait", "x", "a", "b"], depth: 3) {
            (world: World<Bool>) -> System<Bool, String> in
            let sending = Sender()
            let system = System<Bool, String>(
                initialState: false, scheduler: world.scheduler,
                // So events are enqueued before the answer: what it sends comes after them.
                feedbacks: [.onEvent({ $0 == "wait" ? true : nil }) { _ in Effect.just("over") }],
                configuration: .init(cascadeLimit: 2)
            ) { isArmed, event in
                if event == "wait" { return world.call("wait", .value(isArmed)) }
                if event == "b", isArmed { sending.send("wait", "x") }
                if event == "x" { sending.send("y") }
                return .value(event == "a")
            }
            sending.connect(to: system)
            return system
        }
        #expect(found.counterexample?.steps == [.send("a"), .send("b"), .answer("wait", "false")])
    }

    @Test("an event policy may read a variable of the world")
    func policyReads() {
        expectSame(["a", "switch"], depth: 5) { (world: World<Int>) -> System<Int, String> in
            let drops = world.variable(false)
            return System<Int, String>(
                initialState: 0, scheduler: world.scheduler,
                feedbacks: [
                    .onEvent({ $0 == "switch" ? true : nil }) { _ in
                        Effect<String>.fireAndForget { drops.value = !drops.value }
                    }
                ], configuration: .init(eventPolicy: { $0 == "a" && drops.value ? .dropWhileBusy : .queue })
            ) { count, event in
                event == "a" ? world.call("a", .value(min(count + 1, 4))) : .value(count)
            }
        }
    }
}

/// Sends events from inside of a reducer.
private final class Sender: Sendable {
    private let receive = Mutex<(@Sendable (String) -> Void)?>(nil)

    func connect(to system: System<Bool, String>) {
        receive.withLock { $0 = { [weak system] in system?.sendEvent($0) } }
    }

    func send(_ events: String...) {
        let receive = receive.withLock { $0 }
        for event in events { receive?(event) }
    }
}
