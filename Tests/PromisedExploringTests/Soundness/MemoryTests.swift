import Promise
import PromisedExploring
import PromisedSystem
import Testing

/// What parts of a system remember is part of a configuration.
@Suite struct MemoryTests {
    struct Failure: Error {}

    @Test(
        "a feedback that skips repeated events remembers the last event that it was given",
        arguments: [false, true])
    func skippingRepeated(replaces: Bool) {
        expectSame(["a", "b", "fail"], depth: 4) { (world: World<Int>) -> System<Int, String> in
            System<Int, String>(
                initialState: 0, scheduler: world.scheduler,
                feedbacks: [
                    .extractingSkippingRepeated(payload: { $0 == "count" ? nil : $0 }) { event in
                        Effect.just(event == "a" ? "count" : "zero")
                    }
                ],
                configuration: .init(eventPolicy: { replaces && $0 != "count" ? .replace : .queue })
            ) { count, event in
                switch event {
                case "count": .value(min(count + 1, 3))
                case "zero": .value(0)
                case "fail": replaces ? world.call("fail", .value(count)) : Promise(error: Failure())
                default: .value(count)
                }
            }
        }
    }

    @Test("a feedback that skips repeated events remembers the last one, also where no state shows it")
    func lastEvent() {
        let found = expectSame(["a", "b"], depth: 4) { (world: World<Int>) -> System<Int, String> in
            let count = world.variable(0)
            world.always("at most one") { _ in count.value < 2 }
            return System<Int, String>(
                initialState: 0, scheduler: world.scheduler, reducer: .identity,
                feedbacks: [
                    .extractingSkippingRepeated(payload: { $0 }) { event in
                        Effect.fireAndForget { if event == "a" { count.value += 1 } }
                    }
                ])
        }
        // The effect comes after the state, so the next step shows it.
        #expect(found.counterexample?.steps == [.send("a"), .send("b"), .send("a"), .send("a")])
    }

    @Test("a feedback that skips repeated values remembers what it read from a variable of the world")
    func lastValueRead() {
        let found = expectSame(["one", "two", "look"], depth: 5) {
            (world: World<Int>) -> System<Int, String> in
            let disk = world.variable(0)
            return System<Int, String>(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { if $1 == "count" { $0 = min($0 + 1, 3) } },
                feedbacks: [
                    .lensingSkippingRepeated(state: { _ in disk.value == 0 ? nil : disk.value }) { value in
                        value == 2 ? Effect.just("count") : .none
                    },
                    .onEvent({ ["one": 1, "two": 2][$0] }) { value in
                        Effect<String>.fireAndForget { disk.value = value }
                    },
                ])
        }
        #expect(Set(found.states) == [0, 1, 2])
    }

    @Test("middleware may remember")
    func middleware() {
        expectSame(["a", "b"], depth: 4) { (world: World<Int>) -> System<Int, String> in
            let last = Lock("")
            return System<Int, String>(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { count, event in if event == "a" { count = min(count + 1, 3) } },
                middleware: Middleware(
                    isStateful: true,
                    before: { event, _ in
                        last.exchange(for: event) == event ? .stop : .pass
                    }))
        }
    }

    @Test("middleware may start work")
    func middlewareWork() {
        expectSame(["a", "b"], depth: 4) { (world: World<String>) -> System<String, String> in
            System<String, String>(
                initialState: "", scheduler: world.scheduler,
                reducer: Reducer { state, event in
                    if event.count > 1 { state = String((state + event).suffix(4)) }
                },
                middleware: Middleware(before: { event, system in
                    if event.count == 1 {
                        _ = world.call("ask", .value(event + "!", named: "it")).done { system.sendEvent($0) }
                    }
                    return .pass
                }))
        }
    }

    @Test("middleware may set timers")
    func middlewareTimers() {
        expectSame(["a", "b"], depth: 4) { (world: World<String>) -> System<String, String> in
            System<String, String>(
                initialState: "", scheduler: world.scheduler,
                reducer: Reducer { state, event in
                    if event.count > 1 { state = String((state + event).suffix(4)) }
                },
                middleware: Middleware(before: { event, system in
                    if event.count == 1 {
                        _ = Promise.value(event + "!").delay(.seconds(1)).done { system.sendEvent($0) }
                    }
                    return .pass
                }))
        }
    }

    @Test("a lens may read a variable of the world")
    func lens() {
        expectSame(["on", "off", "a"], depth: 4) { (world: World<Int>) -> System<Int, String> in
            let isOn = world.variable(true)
            let part = Scope<Int, String, Int?, String>(
                get: { isOn.value ? $0 : nil }, modify: { _, _ in }, extract: { $0 }, embed: { $0 })
            return System<Int, String>(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { if $1 == "came" { $0 = min($0 + 1, 3) } },
                feedbacks: [
                    Feedback<Int, String>.whenBecomesTrue(state: { _ in true }) { _ in
                        world.call("get", .value("came"))
                    }.lifted(by: part),
                    .onEvent({ $0 == "on" ? true : $0 == "off" ? false : nil }) { value in
                        Effect<String>.fireAndForget { isOn.value = value }
                    },
                ])
        }
    }

    @Test("two effects may share a promise")
    func sharedPromise() {
        let found = expectSame(["a", "b"], depth: 5) { (world: World<String>) -> System<String, String> in
            let token = world.call("token", .value("1"), .value("2"))
            return System<String, String>(
                initialState: "", scheduler: world.scheduler,
                reducer: Reducer { state, event in
                    if event.count > 1 { state = String((state + event).suffix(4)) }
                },
                feedbacks: [
                    .onEvent({ $0.count == 1 ? $0 : nil }, policy: .concurrent) { event in
                        token.flatMap { token in world.call(event, .value(event + token, named: "done")) }
                    }
                ])
        }
        #expect(found.counterexample == nil)
    }

    @Test("work that waits for a promise of other work knows its outcome, also when the promise is released")
    func sharedFlight() {
        let found = expectSame(["a", "b"], depth: 6) { (world: World<String>) -> System<String, String> in
            let flight = Lock<Promise<String>?>(nil)
            return System<String, String>(
                initialState: "", scheduler: world.scheduler,
                // When `a` is over, only `b` can know the token.
                reducer: Reducer { if $1 == "over" || $0 == "over" && $1.count == 2 { $0 = $1 } },
                feedbacks: [
                    .onEvent({ $0 == "a" ? true : nil }, policy: .drop) { _ in
                        let token = world.call("token", .value("1"), .value("2"))
                            .ensure { _ = flight.exchange(for: nil) }
                        _ = flight.exchange(for: token)
                        return token.flatMap { _ in world.call("a", .value("over")) }
                    },
                    // Waits for what `a` has asked for.
                    .onEvent({ $0 == "b" ? true : nil }, policy: .drop) { _ in
                        flight.withLock { $0 }?.flatMap { token in
                            world.call("b", .value("b" + token, named: "done"))
                        } ?? .value("nothing")
                    },
                ])
        }
        #expect(Set(found.states) == ["", "over", "b1", "b2"])
    }

    @Test("a shared promise remembers its outcome")
    func rememberedOutcome() {
        let found = expectSame(["a"], depth: 4) { (world: World<Int>) -> System<Int, String> in
            let token = world.call("token", .value(1), .value(2)).map { $0 * 10 }
            return System<Int, String>(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { if let number = Int($1) { $0 = ($0 + number) % 30 } },
                feedbacks: [
                    .onEvent({ $0 == "a" ? true : nil }, policy: .drop) { _ in token.map { "\($0)" } }
                ])
        }
        #expect(found.counterexample == nil)
    }

    @Test("two pieces of work with equal causes are told apart by their timers")
    func twins() {
        expectSame(["a"], depth: 5) { (world: World<Int>) -> System<Int, String> in
            System<Int, String>(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { if $1 != "a" { $0 = ($0 * 3 + $1.count) % 17 } },
                feedbacks: [
                    .onEvent({ $0 == "a" ? true : nil }, policy: .concurrent) { _ in
                        Promise.race([
                            Promise.value("slow").delay(.seconds(3)),
                            world.call("get", .value("fast")).delay(.seconds(1)),
                        ])
                    }
                ])
        }
    }

    @Test("work may receive broadcasts")
    func broadcast() {
        expectSame(["open", "1", "2"], depth: 4) { (world: World<String>) -> System<String, String> in
            System<String, String>(
                initialState: "", scheduler: world.scheduler,
                reducer: Reducer { if $1.hasPrefix("got") { $0 = $1 } },
                feedbacks: [
                    .onEvent({ $0 == "open" ? true : nil }, key: { _ in "socket" }, policy: .drop) { _ in
                        Effect<String> { effect in
                            let last = Lock("")
                            effect.onBroadcast(of: String.self) { last.exchange(for: $0) }
                            world.call("close", .value(0, named: "now")).done { _ in
                                effect.finish(sending: "got" + last.withLock { $0 })
                            }
                        }
                    },
                    .onEvent({ $0.count == 1 ? $0 : nil }) { Effect.broadcast($0, to: "socket") },
                ])
        }
    }
}
