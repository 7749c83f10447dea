import Promise
import PromisedExploring
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedRecording

/// A recorded session is explored from one of its turns.
@Suite(.tags(.sharedState)) struct ExploredSessionTests {
    private typealias Page = SearchPage.Page
    private typealias Step = SearchPage.Step
    private let session: RecordedSession

    init() throws { session = try RecordedSession() }

    /// Records a session in which each answer comes in time.
    private func record() async throws -> Recording {
        let scheduler = TestScheduler()
        let page = SearchPage().system(
            on: scheduler, .init().recorded(by: session.recorder, as: "page"))
        let events: [(Step, milliseconds: Int)] = [
            (.open, 1), (.signIn("ann"), 4), (.open, 1), (.wait, 60), (.type("te"), 9), (.type("tea"), 9),
            (.type(""), 1),
        ]
        for (event, milliseconds) in events {
            page.sendEvent(event)
            scheduler.advance(by: .milliseconds(milliseconds))
        }
        return try await session.recording()
    }

    private static func declare(_ world: World<Page>) {
        world.always("what is found belongs to the query") { page in
            page.found.isEmpty || page.found == [page.query + "!"]
        }
    }

    private func explorer(
        _ recording: Recording, turn: Int, _ events: [Step]? = nil,
        _ declare: @escaping @Sendable (World<Page>) -> Void = Self.declare
    ) throws -> Explorer<Page, Step> {
        try Explorer(from: recording, turn: turn, of: "page", events: events) { world, page in
            declare(world)
            return SearchPage().system(on: world.scheduler, from: page)
        }
    }

    @Test("a late answer is found from the turn in which its call was in flight, and not from the start")
    func lateAnswer() async throws {
        let recording = try await record()
        let explorer = try explorer(recording, turn: 9, [.type("pot")]) { world in
            Self.declare(world)
            world.outcomes(of: SearchPage().find) { query in [.value([query + "!"])] }
        }
        let found = explorer.explore(depth: 3)
        #expect(
            found.counterexample?.description == """
                "what is found belongs to the query" does not hold after 2 steps from turn 9 of \(session.path). It is \
                broken by SearchPage.Page(user: "ANN", isOpen: true, query: "pot", found: ["tea!"], note: "waited").

                    1. .send(.type("pot"))
                        query: "tea" → "pot"
                    2. .answer("find 2", "recorded [\\"tea!\\"]")
                        found[0]: + "tea!"

                Replay it, and keep it as a test:

                    explorer.replay(
                        .send(.type("pot")),
                        .answer("find 2", "recorded [\\"tea!\\"]"))
                """)
        #expect(found.gaps == [.violation])
        let fromStart = Explorer<Page, Step>(events: [.type("pot")]) { world in
            Self.declare(world)
            return SearchPage().system(on: world.scheduler)
        }
        #expect(fromStart.explore(depth: 20).isComplete)
    }

    @Test(
        "without a list, the events are those that were sent after the turn, and calls get their recorded answers"
    )
    func recordedEvents() async throws {
        let exploration = try explorer(try await record(), turn: 9) { _ in }.explore(depth: 3)
        let shown = exploration.states.filter(\.isOpen).map { "\($0.query) \($0.found) \($0.note)" }
        #expect(
            Set(shown) == [
                " [] ", " [] waited", "te [] waited", "te [\"te!\"] waited", "tea [] waited",
                "tea [\"tea!\"] waited", " [\"tea!\"] waited", " [] failed", " [\"tea!\"] failed",
            ])
        #expect(exploration.gaps == [.depth(3)])
        #expect(exploration.description.hasPrefix("from turn 9 of \(session.path): "))
    }

    @Test("before the first turn, it is the exploration from the start")
    func turnZero() async throws {
        let declare: @Sendable (World<Page>) -> Void = { world in
            world.outcomes(of: SearchPage().signIn) { name in [.value(name)] }
            world.outcomes(of: SearchPage().find) { query in [.value([query]), .error(SearchPage.Offline())] }
        }
        let events: [Step] = [.signIn("bob"), .open, .type("mug"), .wait]
        let recorded = try explorer(try await record(), turn: 0, events, declare).explore(depth: 5)
        let expected = Explorer<Page, Step>(events: events) { world in
            declare(world)
            return SearchPage().system(on: world.scheduler)
        }.explore(depth: 5)
        #expect(recorded.configurations == expected.configurations && recorded.states == expected.states)
        #expect(recorded.transitions == expected.transitions && recorded.configurations > 20)
    }

    // MARK: Calls and states

    /// Records five loads, each of which ends before the next one; the session may end within the last one.
    private func recordLoads(isCut: Bool = false) async throws -> (Recording, Endpoint<String, Int>) {
        let (scheduler, number) = (TestScheduler(), Lock(0))
        let load = Endpoint<String, Int>("load") { _ in
            Promise.value(
                number.withLock { number in
                    number += 1
                    return number
                }
            ).delay(.milliseconds(2))
        }
        let counter = System<Int, String>(
            initialState: 0, scheduler: scheduler,
            configuration: .init().recorded(by: session.recorder, as: "counter")
        ) { _, name in load(name) }
        for turn in 1...5 {
            counter.sendEvent("tea")
            scheduler.advance(by: .milliseconds(turn == 5 && isCut ? 0 : 3))
        }
        return (try await session.recording(), load)
    }

    @Test(
        "a call in flight gets its own answer; a later one gets those that such calls have got after the turn"
    )
    func ownAnswers() async throws {
        let (recording, load) = try await recordLoads()
        let starts = Lock<[Int]>([])
        let explorer = try Explorer<Int, String>(from: recording, turn: 3, of: "counter") { world, state in
            starts.withLock { $0.append(state) }
            return System(
                initialState: state, scheduler: world.scheduler,
                configuration: .init(eventPolicy: { _ in .replace })
            ) { _, name in load(name) }
        }
        let exploration = explorer.explore(depth: 4)
        #expect(Set(exploration.states) == [2, 3, 4, 5] && exploration.gaps == [])
        #expect(Set(explorer.explore(depth: 4, .init(merging: .none)).states) == [2, 3, 4, 5])
        // The first two runs check the way, and the others begin where nothing was in flight last.
        let all = starts.withLock { $0 }
        #expect(all.prefix(2) == [0, 0] && Set(all.dropFirst(2)) == [2])
    }

    @Test("a call without a recorded answer needs a declaration")
    func unanswered() async throws {
        let (recording, load) = try await recordLoads(isCut: true)
        func explore(turn: Int, _ declare: @escaping @Sendable (World<Int>) -> Void) throws -> String? {
            try Explorer<Int, String>(from: recording, turn: turn, of: "counter", events: ["pot"]) {
                world, state in
                declare(world)
                return System(initialState: state, scheduler: world.scheduler) { _, name in load(name) }
            }.explore(depth: 2).counterexample?.description
        }
        #expect(
            try explore(turn: 5) { _ in } == """
                "the outcomes of load are declared" does not hold on the way to turn 5 of \(session.path): the \
                recording has no answer to a call in flight. Declare them with world.outcomes(of:).
                """)
        #expect(
            try explore(turn: 4) { _ in }?.hasPrefix(
                "\"the outcomes of load are declared\" does not hold after 2 steps from turn 4 of ") == true)
        for turn in 4...5 {
            #expect(try explore(turn: turn) { $0.outcomes(of: load) { name in [.value(name.count)] } } == nil)
        }
    }

    @Test("calls alike that are in flight keep their own answers")
    func callsAlike() async throws {
        let (scheduler, count) = (TestScheduler(), Lock(0))
        let load = Endpoint<Int, Int>("load") { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return Promise.value(10 * number).delay(.milliseconds(number))
        }
        @Sendable func system(
            _ answers: [Int], on scheduler: some SerialScheduler,
            _ configuration: System<[Int], Int>.Configuration = .init()
        ) -> System<[Int], Int> {
            System(
                initialState: answers, scheduler: scheduler,
                reducer: Reducer<[Int], Int> { answers, event in if event != 0 { answers.append(event) } },
                feedbacks: [
                    .onEvent({ $0 == 0 ? $0 : nil }, policy: .concurrent) {
                        load($0).mapErrorRecover { _ in -1 }
                    }
                ], configuration: configuration)
        }
        let recorded = system([], on: scheduler, .init().recorded(by: session.recorder, as: "answers"))
        for event in [0, 0] { recorded.sendEvent(event) }
        scheduler.advance(by: .seconds(1))
        let recording = try await session.recording()
        let explorer = try Explorer<[Int], Int>(from: recording, turn: 2, of: "answers", events: []) {
            world, answers in
            world.outcomes(of: load) { _ in [.error(SearchPage.Offline())] }
            return system(answers, on: world.scheduler)
        }
        let states = explorer.explore(depth: 4).states
        #expect(states.contains([-1, 10]) && states.contains([-1, 20]), "\(states)")
    }

    @Test("an exploration from a turn begins behind the time travel before it, and names a turn in it")
    func timeTravel() async throws {
        let scheduler = TestScheduler()
        @Sendable func system(
            _ state: Int, on scheduler: some SerialScheduler,
            _ configuration: System<Int, Int>.Configuration = .init()
        ) -> System<Int, Int> {
            System(
                initialState: state, scheduler: scheduler, reducer: Reducer { $0 += $1 },
                configuration: configuration)
        }
        let counter = system(0, on: scheduler, .init().recorded(by: session.recorder, as: "counter"))
        func send(_ event: Int) {
            counter.sendEvent(event)
            scheduler.advance()
        }
        send(1)
        let travel = TimeTravel(counter)
        travel.stop()
        try travel.send(10)
        scheduler.advance()
        travel.resume()
        scheduler.advance()
        send(100)
        let recording = try await session.recording()
        func states(turn: Int) throws -> [Int] {
            let explorer = try Explorer<Int, Int>(from: recording, turn: turn, of: "counter", events: [1000])
            {
                world, state in
                system(state, on: world.scheduler)
            }
            return explorer.explore(depth: 1).states
        }
        #expect(try states(turn: 3).contains(1111))
        #expect(try states(turn: 1).contains(1001))
        withExtendedLifetime(travel) {}
    }

    @Test("a turn that the program does not come to any more is an error with the reason")
    func notReached() async throws {
        let (recording, load) = try await recordLoads()
        func reason(turn: Int, _ reduce: @escaping @Sendable (Int, String) -> Promise<Int>) -> String {
            do {
                _ = try Explorer<Int, String>(from: recording, turn: turn, of: "counter") { world, state in
                    System(initialState: state, scheduler: world.scheduler, reducer: reduce)
                }
                return ""
            } catch {
                return "\(error)"
            }
        }
        let advice = "Recording.run names the first difference between the recording and the program."
        #expect(reason(turn: 5) { load($1) } == "")
        #expect(
            reason(turn: 5) { load($1).map { $0 == 3 ? 30 : $0 } }
                == "\(session.path): turn 5 is not reached: at turn 3, the state is 30, not 3. \(advice)")
        #expect(
            reason(turn: 5) { state, _ in .value(state) }
                == "\(session.path): turn 5 is not reached: 'load' was answered, and is not called now. \(advice)"
        )
        #expect(
            reason(turn: 9) { load($1) } == "\(session.path): there is no turn 9. The recording has 0 to 5.")
        #expect(
            throws: RecordingError.notRun(path: session.path, name: "counter", type: "System<Int, String>")
        ) {
            _ = try Explorer<Int, String>(from: recording, turn: 1, of: "counter") { _, state in
                System(initialState: state, scheduler: .immediate) { _, name in load(name) }
            }
        }
    }

    @Test("each turn of a random session is reached again, and what was in flight there can go on")
    func randomSessions() async throws {
        for round in 0..<rounds(2, stress: 40) {
            let (session, scheduler) = (try RecordedSession(), TestScheduler())
            let seed = firstSeed() &+ UInt64(round)
            let program = RandomProgram().system(
                on: scheduler, RandomProgram.configuration().recorded(by: session.recorder, as: "program"))
            RandomProgram.run(program, on: scheduler, seed: seed, steps: rounds(10, stress: 25))
            let recording = try await session.recording()
            for turn in recording.turns {
                let explorer = try Explorer<Counter, RandomProgram.Step>(
                    from: recording, turn: turn, of: "program", events: []
                ) { world, state in
                    world.outcomes(of: RandomProgram.buyEndpoint) { count, _ in [.value(count)] }
                    world.outcomes(of: RandomProgram.stockEndpoint) { _ in [.value(7)] }
                    return RandomProgram().system(on: world.scheduler, RandomProgram.configuration())
                }
                let found = explorer.explore(depth: 2).counterexample
                #expect(found == nil, "turn \(turn) of \(seed): \(found?.description ?? "")")
            }
        }
    }
}
