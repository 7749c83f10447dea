import Promise
import PromisedExploring
import PromisedSystem
import TestSupport
import Testing

/// Configurations with equal states are distinguished: comparing states alone would miss each of these violations.
@Suite(.tags(.noSharedState)) struct ConfigurationTests {
    private enum Event: Hashable { case go, stop, one, two }

    @Test("configurations differ by the queue: a pending event makes another configuration")
    func queue() {
        let explorer = Explorer<Int, Event>(events: [.go, .one]) { world in
            world.always("not twice") { $0 != 2 }
            return System(initialState: 0, scheduler: world.scheduler) { count, event in
                event == .go ? world.call("wait", .value(count)) : .value(count + 1)
            }
        }
        // The state is 0 until all three are sent.
        #expect(
            explorer.explore(depth: 4).counterexample?.steps == [.send(.one), .send(.one)])
        #expect(explorer.explore(depth: 3).configurations > 3)
    }

    @Test(
        "configurations differ by the progress of work: a second answer is awaited in the same state as the first"
    )
    func history() {
        let explorer = Explorer<Int, Event>(events: [.go]) { world in
            world.always("never 9") { $0 != 9 }
            return System(initialState: 0, scheduler: world.scheduler) { count, _ in
                world.call("first", .value(1), .value(2)).flatMap { first in
                    world.call("second", .value(1), .value(2)).map { first == 2 && $0 == 2 ? 9 : count }
                }
            }
        }
        #expect(
            explorer.explore(depth: 4).counterexample?.steps
                == [.send(.go), .answer("first", "2"), .answer("second", "2")])
    }

    @Test(
        "configurations differ by the time left: an event in time is distinguished from one that comes too late"
    )
    func time() {
        let explorer = Explorer<Int, Event>(events: [.go, .one]) { world in
            world.always("never 9") { $0 != 9 }
            return System(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, event in
                    switch event {
                    case .one: state = 1
                    case .stop: state = 0
                    case .two: if state == 1 { state = 9 }
                    case .go: break
                    }
                },
                feedbacks: [
                    .onEvent({ $0 == .go ? true : nil }, key: { _ in "go" }, policy: .drop) { _ in
                        Promise.value(Event.two).delay(.seconds(5))
                    },
                    .onEvent({ $0 == .one ? true : nil }, key: { _ in "one" }, policy: .drop) { _ in
                        Promise.value(Event.stop).delay(.seconds(2))
                    },
                ])
        }
        // The short delay ends after the long one only if it begins between two instants.
        #expect(
            explorer.explore(depth: 7).counterexample?.steps == [
                .send(.go), .send(.one), .advance(by: .seconds(2)), .advance(by: .milliseconds(1500)),
                .send(.one), .advance(by: .milliseconds(1500)),
            ])
    }

    @Test("configurations differ by the variables of the world")
    func variable() {
        let explorer = Explorer<Int, Event>(events: [.go]) { world in
            let stock = world.variable(2)
            world.always("never sold out twice") { $0 >= 0 }
            return System(initialState: 0, scheduler: world.scheduler) { _, _ in
                world.call(
                    "sell",
                    .result("one") {
                        stock.value -= 1
                        return stock.value < 0 ? -1 : 0
                    })
            }
        }
        #expect(explorer.explore(depth: 5).counterexample == nil)
        #expect(explorer.explore(depth: 6).counterexample?.steps.count == 6)
    }

    @Test(
        "configurations differ by what work has read from the world: two writers of one read value lose an update"
    )
    func reading() {
        let explorer = Explorer<Int, Event>(events: [.go]) { world in
            let (disk, writes) = (world.variable(0), world.variable(0))
            world.always("every write counts") { _ in disk.value == writes.value }
            return System(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, event in if event == .one { state = (state + 1) % 2 } },
                feedbacks: [
                    .onEvent({ $0 == .go ? true : nil }, policy: .concurrent) { _ in
                        world.call("read", .result("comes") { disk.value }).flatMap { number in
                            world.call(
                                "write",
                                .result("done") {
                                    writes.value += 1
                                    disk.value = number + 1
                                    return Event.one
                                })
                        }
                    }
                ])
        }
        #expect(
            explorer.explore(depth: 7).counterexample?.steps == [
                .send(.go), .send(.go), .answer("read", "comes"), .answer("read 2", "comes"),
                .answer("write", "done"), .answer("write 2", "done"),
            ])
    }

    @Test("configurations differ by what a feedback remembers of earlier events")
    func memory() {
        let explorer = Explorer<Int, Event>(events: [.one, .two]) { world in
            world.always("never 3") { $0 < 3 }
            return System(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, event in if event == .go { state += 1 } },
                feedbacks: [
                    .extractingSkippingRepeated(payload: { $0 == .go ? nil : $0 }) { _ in
                        Effect<Event>.just(.go)
                    }
                ])
        }
        #expect(explorer.explore(depth: 2).counterexample == nil)
        #expect(explorer.explore(depth: 3).counterexample?.steps.count == 3)
    }

    @Test("configurations differ by whether the system was stopped")
    func stopped() {
        let explorer = Explorer<Int, Event>(events: [.one, .stop]) { world in
            let system = Lock<System<Int, Event>?>(nil)
            let made = System<Int, Event>(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, _ in state = (state + 1) % 2 },
                feedbacks: [
                    .onEvent({ $0 == .stop ? true : nil }) { _ in
                        Effect<Event>.fireAndForget { system.withLock { $0.take() }?.stop() }
                    }
                ])
            system.withLock { $0 = made }
            return made
        }
        let exploration = explorer.check(depth: 6)
        #expect(exploration.configurations == 3)
        #expect(exploration.isComplete)
    }

    @Test("interim values and cancellations are outcomes")
    func outcomes() {
        let explorer = Explorer<Int, Event>(events: [.go]) { world in
            System(initialState: 0, scheduler: world.scheduler) { _, _ in
                world.call("load", .report(50), .value(100), .cancelled)
            }
        }
        let exploration = explorer.check(depth: 6)
        #expect(exploration.states == [0, 50, 100])
        let trace = explorer.replay(.send(.go), .answer("load", "report 50"), .answer("load", "cancelled"))
        #expect(trace.map(\.shown) == [[], [.loading(50)], [.settled(0)]])
        #expect(trace.last?.errors == ["CancellationError()"])
    }

    @Test("where states cannot be compared, every path is explored")
    func everyPath() {
        struct Opaque: Sendable { var count = 0 }
        let explorer = Explorer<Opaque, Event>(events: [.one, .two]) { world in
            world.always("below 4") { $0.count < 4 }
            return System(
                initialState: Opaque(), scheduler: world.scheduler,
                reducer: Reducer { state, event in if event == .two { state.count += 1 } })
        }
        let exploration = explorer.explore(depth: 3)
        #expect(exploration.levels.map(\.configurations) == [1, 2, 4, 8])
        #expect(exploration.states.isEmpty)
        #expect(
            explorer.explore(depth: 4).counterexample?.steps == [
                .send(.two), .send(.two), .send(.two), .send(.two),
            ])
    }

    @Test("state that is shared between paths is reported, as what happens no longer follows from the steps")
    func shared() {
        let count = Lock(0)
        let explorer = Explorer<Int, Event>(events: [.go]) { world in
            world.always("never 3") { $0 != 3 }
            return System(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, _ in
                    state = count.withLock {
                        $0 += 1
                        return $0
                    }
                })
        }
        let found = explorer.explore(depth: 5).counterexample
        #expect(found?.merged?.differences.map(\.name) == ["the state"])
        #expect(
            found?.description.hasPrefix(
                "A path was executed again and led elsewhere: what happens does not follow from the steps alone. "
                    + "Look for state shared between paths, or for randomness.\n\n") == true)
    }

    @Test(
        "a call that is made on some paths only, without a cause in the steps, does not crash the exploration"
    )
    func astray() {
        let count = Lock(0)
        let explorer = Explorer<Int, Event>(events: [.go]) { world in
            let nth = count.withLock {
                $0 += 1
                return $0
            }
            return System(initialState: 0, scheduler: world.scheduler) { state, _ in
                nth == 1 ? world.call("save", .value(1), .value(2)) : .value(state)
            }
        }
        #expect(
            explorer.explore(depth: 4).counterexample?.description
                == """
                A path was executed again and led elsewhere: what happens does not follow from the steps alone. Look for \
                state shared between paths, or for randomness.

                The path:

                    1. .send(.go)
                        0
                """)
    }
}
