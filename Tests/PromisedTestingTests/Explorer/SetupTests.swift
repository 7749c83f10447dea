import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// Where an exploration cannot see everything it says so: nothing passes because nobody has looked.
@Suite struct SetupTests {
    private enum Event: Hashable { case go, over }

    @Test("a system on another scheduler than the world's is no success")
    func otherScheduler() {
        let explorer = Explorer<Int, Event>(events: [.go]) { world in
            System(initialState: 0, scheduler: TestScheduler()) { count, _ in world.call("x", .value(count)) }
        }
        let told = """
            The system is on a scheduler of its own, and an exploration moves the world's: it sees nothing of what \
            happens. Build the system with scheduler: world.scheduler.
            """
        #expect(failures { _ = explorer.check(depth: 4) } == [told])
        #expect(
            failures { explorer.replay(.send(.go)) } == [
                told
                    + "\n\nA script that was to go well breaks this. Mend the system, or say otherwise what is "
                    + "expected of it."
            ])
    }

    @Test("async work that waits for something that is not in the world is told, with where it was made")
    func asyncWork() {
        let (never, resolver) = Promise<Int>.pending()
        let explorer = Explorer<Int, Event>(events: [.go]) { world in
            System(initialState: 0, scheduler: world.scheduler) { count, _ in
                Promise { () async throws -> Int in try await never.value + count }
            }
        }
        #expect(
            explorer.explore(depth: 3).counterexample?.description == """
                Work has left the scheduler: after 1 step, nothing more happens by itself, and async work is still open, \
                made at PromisedTestingTests/SetupTests.swift:\(#line - 3). It waits for something outside virtual time, \
                or for a promise that nobody settles. Have it wait for a call of the world, or for a promise with a delay.

                    1. .send(.go)

                Replay it, and keep it as a test:

                    explorer.replay(
                        .send(.go))
                """)
        resolver.fulfill(1)
    }

    @Test("async work that waits for a call that is never answered is the world's")
    func asyncCall() {
        let explorer = Explorer<Int, Event>(events: []) { world in
            System(
                initialState: 0, scheduler: world.scheduler, reducer: Reducer { state, _ in state = 1 },
                feedbacks: [
                    .react(requests: { $0 == 0 ? [0] : [] }) { _ in
                        Promise { () async throws -> Event in try await world.call("x", .never).value }
                    }
                ])
        }
        #expect(explorer.explore(depth: 3).counterexample == nil)
    }

    @Test("events that beget each other without an end are a counterexample")
    func endless() {
        let explorer = Explorer<Int, Event>(events: [.go]) { world in
            System(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, _ in state = 1 - state },
                feedbacks: [.onEvent({ _ in true }) { _ in Promise.value(Event.over) }], runawayLimit: 40)
        }
        #expect(
            failures { _ = explorer.check(depth: 2) } == [
                """
                The queue does not drain: after 1 step, events beget each other without an end. .over was cut off.

                    1. .send(.go)
                \((0..<20).map { "        \(1 - $0 % 2)" }.joined(separator: "\n"))
                        … and 20 more states

                Replay it, and keep it as a test:

                    explorer.replay(
                        .send(.go))
                """
            ])
    }

    @Test(
        "a call that has no outcome left is never answered",
        arguments: [[], [PromisedTesting.Outcome<Int>.report(1)]])
    func noOutcome(outcomes: [PromisedTesting.Outcome<Int>]) {
        let explorer = Explorer<Int, Event>(events: [.go]) { world in
            System(initialState: 0, scheduler: world.scheduler) { _, _ in world.call("x", outcomes) }
        }
        let found = explorer.explore(depth: 4).counterexample
        #expect(found?.property == "the queue drains")
        #expect(found?.steps.count == 1 + outcomes.count)
    }
}
