import Promise
@testable import PromisedExploring
import PromisedSystem
import PromisedTesting
import Testing

/// The explorer reports everything that it cannot observe: nothing passes unobserved.
@Suite struct SetupTests {
    private enum Event: Hashable { case go, over }

    @Test("a system on a scheduler other than the world's fails the test")
    func otherScheduler() {
        let explorer = Explorer<Int, Event>(events: [.go]) { world in
            System(initialState: 0, scheduler: TestScheduler()) { count, _ in world.call("x", .value(count)) }
        }
        let told = """
            The system does not run on the world's scheduler, so the exploration can neither drive nor observe \
            it. Build the system with scheduler: world.scheduler.
            """
        #expect(failures { _ = explorer.check(depth: 4) } == [told])
        #expect(
            failures { explorer.replay(.send(.go)) } == [
                told
                    + "\n\nThe replayed script ended in a violation. Fix the system, or change what is "
                    + "expected of it."
            ])
    }

    @Test(
        "async work that awaits something outside the world is reported, with the place where it was created")
    func asyncWork() {
        let (never, resolver) = Promise<Int>.pending()
        let explorer = Explorer<Int, Event>(events: [.go]) { world in
            System(initialState: 0, scheduler: world.scheduler) { count, _ in
                Promise { () async throws -> Int in try await never.value + count }
            }
        }
        #expect(
            explorer.explore(depth: 3).counterexample?.description == """
                Work has left the scheduler: after 1 step, nothing more happens by itself, but async work is still running, \
                created at PromisedExploringTests/SetupTests.swift:\(#line - 3). It awaits something outside virtual time, \
                or a promise that is never settled. Let it await a call of the world, or a promise with a delay.

                    1. .send(.go)

                Replay it, and keep it as a test:

                    explorer.replay(
                        .send(.go))
                """)
        resolver.fulfill(1)
    }

    @Test("async work that awaits a call that is never answered is attributed to the world")
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

    @Test("an endless cascade of events is a counterexample")
    func endless() {
        let explorer = Explorer<Int, Event>(events: [.go]) { world in
            System(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, _ in state = 1 - state },
                feedbacks: [.onEvent({ $0 }) { _ in Promise.value(Event.over) }],
                configuration: .init(cascadeLimit: 40))
        }
        #expect(
            failures { _ = explorer.check(depth: 2) } == [
                """
                The queue does not drain: after 1 step, a cascade of events exceeded its limit. .over was dropped.

                    1. .send(.go)
                \((0..<20).map { "        \(1 - $0 % 2)" }.joined(separator: "\n"))
                        … and 20 more states

                Replay it, and keep it as a test:

                    explorer.replay(
                        .send(.go))
                """
            ])
    }

    @Test("work that schedules further work at one instant for ever is a counterexample")
    func restless() {
        let explorer = Explorer<Int, Event>(events: [.go]) { world in
            System(
                initialState: 0, scheduler: world.scheduler, reducer: Reducer { _, _ in },
                feedbacks: [
                    .onEvent({ $0 == .go ? true : nil }) { _ in
                        Effect<Event> { effect in
                            @Sendable func again() { effect.scheduler.schedule(again) }
                            again()
                        }
                    }
                ])
        }
        #expect(
            explorer.explore(depth: 2).counterexample?.report
                == "Time does not pass: after 1 step, work schedules further work at one instant, without an end. Let "
                + "it delay what it repeats.\n\n    1. .send(.go)\n        0")
    }

    @Test(
        "a call without any outcome left is never answered",
        arguments: [[], [PromisedExploring.Outcome<Int>.report(1)]])
    func noOutcome(outcomes: [PromisedExploring.Outcome<Int>]) {
        let explorer = Explorer<Int, Event>(events: [.go]) { world in
            System(initialState: 0, scheduler: world.scheduler) { _, _ in world.call("x", outcomes) }
        }
        let found = explorer.explore(depth: 4).counterexample
        #expect(found?.property == "the queue drains")
        #expect(found?.steps.count == 1 + outcomes.count)
    }
}
