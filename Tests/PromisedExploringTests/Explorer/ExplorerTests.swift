import Promise
import PromisedExploring
import PromisedSystem
import TestSupport
import Testing

@Suite(.tags(.noSharedState)) struct ExplorerTests {
    @Test("three counters whose work succeeds, fails or is cancelled: each has four possible configurations")
    func counters() {
        let exploration = Counters.explorer(3).check(depth: 12)
        #expect(exploration.configurations == 64)
        #expect(exploration.isComplete)
        #expect(exploration.levels.map(\.configurations) == [1, 3, 6, 10, 12, 12, 10, 6, 3, 1])
        #expect(exploration.states.count == 64)
    }

    @Test("a machine without faults is explored completely, and the exploration says that it is complete")
    func well() {
        let exploration = Saving.explorer().check(depth: 8)
        #expect(exploration.counterexample == nil)
        #expect(exploration.states == [.clean, .saving, .saved(1), .failed, .saved(2)])
        // Any number of events may be enqueued, but none leads to anything that a later one does not.
        #expect(exploration.isComplete)
        #expect(!exploration.reachedStepLimit)
    }

    @Test(
        "a counterexample is the shortest path, and states the expectation, the observed states and the cure"
    )
    func counterexample() throws {
        let found = try #require(Saving.explorer(.keepsSpinner).explore(depth: 5).counterexample)
        #expect(found.property == "saving is only shown meanwhile")
        #expect(found.steps == [.send(.save), .answer("disk", "disk full")])
        #expect(
            found.description == """
                "saving is only shown meanwhile" does not hold after 2 steps. It is broken by .saving.

                    1. .send(.save)
                        loading .saving
                    2. .answer("disk", "disk full")
                        .saving

                Replay it, and keep it as a test:

                    explorer.replay(
                        .send(.save),
                        .answer("disk", "disk full"))
                """)
    }

    @Test("a step that violates a property counts as a transition of its level")
    func levels() {
        let found = Saving.explorer(.keepsSpinner).explore(depth: 5)
        #expect(found.counterexample != nil)
        let count = found.levels.map(\.transitions).reduce(0, +)
        #expect(count == found.transitions + found.inferredTransitions)
    }

    @Test("a call that is never answered blocks the queue, which is found by default")
    func wedged() throws {
        let found = try #require(Saving.explorer(.neverAnswers).explore(depth: 4).counterexample)
        #expect(
            found.description == """
                The queue does not drain: after 2 steps, nothing more happens by itself, the transition of .save is \
                never over.

                    1. .send(.save)
                        loading .saving
                    2. .answer("disk", "never")

                Replay it, and keep it as a test:

                    explorer.replay(
                        .send(.save),
                        .answer("disk", "never"))
                """)
    }

    @Test("an event that is queued behind a transition that never settles is named")
    func wedgedWithQueue() throws {
        let texts = failures {
            Saving.explorer(.neverAnswers).replay(
                .send(.save), .send(.save), .send(.save), .answer("disk", "never"))
        }
        #expect(
            texts == [
                """
                The queue does not drain: after 4 steps, nothing more happens by itself, the transition of .save is \
                never over, and behind it wait .save and .save.

                    1. .send(.save)
                        loading .saving
                    2. .send(.save)
                    3. .send(.save)
                    4. .answer("disk", "never")

                The replayed script ended in a violation. Fix the system, or change what is expected of it.
                """
            ])
    }

    @Test("check fails the test with the counterexample, at the place of the call")
    func check() {
        let texts = failures { _ = Saving.explorer(.keepsSpinner).check(depth: 5) }
        #expect(texts == [Saving.explorer(.keepsSpinner).explore(depth: 5).counterexample?.description])
    }

    @Test("SR-43: the report of an explorer can be collected")
    func collected() {
        let explorer = Explorer<Int, Int>(events: [1]) { world in
            world.always("it is zero") { $0 == 0 }
            return System(initialState: 0, scheduler: world.scheduler) { .value($0 + $1) }
        }
        let messages = failures { explorer.check(depth: 1) }
        #expect(messages.count == 1)
        #expect(messages.allSatisfy { $0.hasPrefix("\"it is zero\" does not hold") })
    }

    @Test("reaching the step limit before the exploration is complete fails the test")
    func cut() {
        let texts = failures { _ = Saving.explorer().check(depth: 8, .init(stepLimit: 10)) }
        #expect(
            texts == [
                """
                The exploration stopped after 10 steps, before it was complete to depth 8. No violation was found so far.

                Configurations by their distance from the start: 1, 1, 1, 1, 1, 1.

                What keeps them apart:

                    the state: 4 values in 6 configurations
                    the running transition: 3 values in 6 configurations
                    the call disk: 2 values in 6 configurations
                    variable 1 of the world: 2 values in 6 configurations

                Make it smaller (fewer events, fewer outcomes, a smaller depth), or raise stepLimit.
                """
            ])
    }

    @Test("inferred steps count towards the transitions")
    func cutInferred() {
        let explorer = Explorer<Int, Int>(events: [1, 2, 3]) { world in
            System(
                initialState: 0, scheduler: world.scheduler,
                // What an answer sends comes after the events that are enqueued, so these are told apart.
                feedbacks: [.onEvent({ $0 == 0 ? nil : true }) { _ in Effect.just(0) }]
            ) { state, next in
                // Any number of 3s can be enqueued: all of them are processed at once.
                next == 3 || next == 0 ? .value(state) : world.call("wait", .value(next))
            }
        }
        let exploration = explorer.explore(depth: 40, .init(stepLimit: 2_000))
        #expect(exploration.reachedStepLimit)
        #expect(exploration.transitions + exploration.inferredTransitions < 2_100)
    }

    @Test("an answer to a call that the system has cancelled is ignored, and is allowed in a script")
    func tooLate() {
        let trace = Saving.explorer().replay(
            .send(.save), .send(.cancel), .answer("disk", "done"), .send(.save))
        #expect(trace.map(\.shown.count) == [1, 2, 0, 1])
    }

    @Test("outcomes can be given names, and a violation describes itself")
    func descriptions() {
        struct Many: Error {}
        let explorer = Explorer<Int, Int>(events: [1]) { world in
            System(initialState: 0, scheduler: world.scheduler) { _, next in
                world.call("wait", .value(next, named: "comes"), .error(Many(), named: "fails"))
            }
        }
        let trace = explorer.replay(.send(1), .answer("wait", "fails"))
        #expect(trace.map(\.description) == [".send(1)", ".answer(\"wait\", \"fails\")\n    error: Many()"])
        #expect(
            explorer.explore(depth: 2).description
                == "3 configurations, to depth 2; 3 transitions, 0 inferred; 2 paths")
    }

    @Test("a script passes when the machine is fixed")
    func replay() {
        let trace = Saving.explorer().replay(.send(.save), .answer("disk", "disk full"), .send(.save))
        #expect(
            trace.map(\.shown) == [[.loading(.saving)], [.settled(.failed)], [.loading(.saving)]])
    }

    @Test("a step that is not possible fails the test, and the possible ones are listed")
    func impossible() {
        let texts = failures {
            Saving.explorer().replay(.send(.save), .answer("disk", "stolen"))
            Saving.explorer().replay(.answer("disk", "done"))
        }
        #expect(
            texts == [
                """
                Step 2 of the script is not possible: .answer("disk", "stolen"). Open calls:

                    "disk": "done", "disk full"

                The system behaves differently than when the script was written. Explore it again, or rewrite the step.
                """,
                """
                Step 1 of the script is not possible: .answer("disk", "done"). No call is open.

                The system behaves differently than when the script was written. Explore it again, or rewrite the step.
                """,
            ])
    }

    @Test("random walks reach deep states, and the counterexample omits every unnecessary step")
    func walks() throws {
        let explorer = Saving.explorer(.keepsSpinner)
        let walks = explorer.explore(walks: 50, length: 40, seed: 3)
        let found = try #require(walks.counterexample)
        #expect(found.steps == [.send(.save), .answer("disk", "disk full")])
        let seed = try #require(walks.seed)
        #expect(explorer.explore(walks: 1, length: 40, seed: seed).counterexample?.steps == found.steps)
        let texts = failures { _ = explorer.check(walks: 50, length: 40, seed: 3) }
        #expect(texts == ["\(found)\n\nFound by a random walk with seed \(seed)."])
    }

    @Test("a numbered call in a script keeps its meaning when earlier steps are omitted")
    func renumbered() {
        enum Event: Hashable { case go(Int), came(Int) }
        let explorer = Explorer<Int, Event>(events: [.go(1), .go(2), .go(3)]) { world in
            world.always("no old answer") { $0 != -1 }
            return System(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, event in
                    switch event {
                    case .go(let number): state = number
                    case .came(let number): if state != number { state = -1 }
                    }
                },
                feedbacks: [
                    .onEvent({ if case .go(let number) = $0 { number } else { nil } }, policy: .concurrent) {
                        world.call("get", .value(Event.came($0), named: "it"))
                    }
                ])
        }
        for seed in 1...20 as ClosedRange<UInt64> {
            #expect(explorer.explore(walks: 10, length: 40, seed: seed).counterexample?.steps.count == 3)
        }
    }

    @Test("outcomes and calls with the same name are distinguished in scripts")
    func namesTwice() {
        let explorer = Explorer<Int, Int>(events: [1, 2]) { world in
            world.always("less than 3") { $0 < 3 }
            return System(initialState: 0, scheduler: world.scheduler) { _, event in
                event == 1
                    ? world.call("write", .result("done") { 1 }, .result("done") { 2 })
                    : world.call("write 2", .report(0), .result("done") { 2 }, .result("done") { 3 })
            }
        }
        #expect(explorer.explore(depth: 3).counterexample?.steps == [.send(2), .answer("write 2", "done 2")])
        let trace = explorer.replay(
            .send(1), .answer("write", "done 2"), .send(1), .answer("write 2", "done"), .send(2),
            .answer("write 2 2", "report 0"), .answer("write 2 2", "done"))
        #expect(
            trace.map(\.shown) == [
                [], [.settled(2)], [], [.settled(1)], [], [.loading(0)], [.settled(2)],
            ])
    }

    @Test("a script that violates a property fails for that reason, whatever steps follow")
    func behindViolation() {
        let texts = failures {
            Saving.explorer(.keepsSpinner).replay(
                .send(.save), .answer("disk", "disk full"), .answer("disk", "stolen"))
        }
        #expect(texts.count == 1 && texts[0].hasSuffix("or change what is expected of it."))
    }

    @Test("progress is reported after every 10,000 steps that were tried")
    func progress() {
        let told = Told()
        let explorer = Explorer<Int, Int>(events: Array(0..<100)) { world in
            System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = $1 })
        }
        _ = explorer.explore(depth: 3) { told.add($0) }
        #expect(told.all.map(\.description) == ["depth 2, 10000 transitions, 100 configurations"])
    }

    private final class Told: Sendable {
        private let list = Lock<[ExplorationProgress]>([])
        func add(_ progress: ExplorationProgress) { list.withLock { $0.append(progress) } }
        var all: [ExplorationProgress] { list.withLock { $0 } }
    }
}
