import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedRecording

/// Whatever a program does, its recording has the states that it had.
@Suite(.tags(.sharedState)) struct SessionLawTests {
    @Test("R25: a random session is played back in both directions with the states that it had")
    func playback() async throws {
        for round in 0..<rounds(8, stress: 100) {
            try await check(seed: firstSeed() &+ UInt64(round), steps: rounds(60, stress: 500))
        }
    }

    private func check(seed: UInt64, steps: Int) async throws {
        let (session, scheduler) = (try RecordedSession(), TestScheduler())
        let system = RandomProgram().system(
            on: scheduler, RandomProgram.configuration().recorded(by: session.recorder, as: "program"))
        let (states, tokens) = system.observeTurns()
        RandomProgram.run(system, on: scheduler, seed: seed, steps: steps)
        let recording = try await session.recording()
        #expect(try recording.problems() == [], "\(seed)")
        let expected = states() + [system.shown.value.state]
        #expect(recording.turns == 0...expected.count - 1, "\(seed)")
        var playback = try recording.playback(of: "program", Counter.self)
        repeat {
            #expect(try playback.state == expected[playback.turn], "turn \(playback.turn) of \(seed)")
        } while try playback.step()
        while try playback.stepBack() {
            #expect(try playback.state == expected[playback.turn], "turn \(playback.turn) of \(seed)")
        }
        #expect(session.recorder.lost == 0 && session.problems == [])
        withExtendedLifetime(tokens) {}
    }

    @Test("R25: events from several threads have the order in which the loop has processed them")
    func threads() async throws {
        for round in 0..<rounds(5, stress: 200) {
            let session = try RecordedSession()
            let system = System<[Int], Int>(
                initialState: [], scheduler: .serial("own"),
                configuration: .init().recorded(by: session.recorder, as: "list")
            ) { [round] state, event in
                let next = Promise.value((state + [event]).suffix(5) as [Int])
                return event % 3 == round % 3 ? next.delay(.zero) : next
            }
            let (states, tokens) = system.observeTurns()
            race(100, { system.sendEvent($0) }, { system.sendEvent(-$0) }, { _ in system.sendEvent(1_000) })
            try await system.whenIdle().value
            let recording = try await session.recording()
            #expect(try recording.problems() == [])
            let expected = states() + [system.state]
            #expect(recording.turns == 0...300)
            var playback = try recording.playback(of: "list", [Int].self)
            repeat { #expect(try playback.state == expected[playback.turn]) } while try playback.step()
            withExtendedLifetime(tokens) {}
        }
    }

    @Test("A program without endpoints does the same whether it is recorded or not")
    func unchanged() async throws {
        for round in 0..<rounds(10, stress: 200) {
            let (session, seed) = (try RecordedSession(), firstSeed() &+ UInt64(round))
            let recorded = RandomProgram.configuration().recorded(by: session.recorder, as: "program")
            let turns = [RandomProgram.configuration(), recorded].map { configuration in
                let scheduler = TestScheduler()
                let system = RandomProgram(hasEndpoints: false).system(on: scheduler, configuration)
                let turns = Lock<[String]>([])
                let token = system.onLoop {
                    let text =
                        "\($0.number) \($0.event) \($0.outcome) \($0.shown) \($0.after) \($0.queueWait) \($0.duration)"
                    turns.withLock { $0.append(text) }
                }
                RandomProgram.run(system, on: scheduler, seed: seed, steps: 100)
                withExtendedLifetime(token) {}
                return turns.withLock { $0 }
            }
            #expect(turns[0] == turns[1])
        }
    }

    @Test("R25: of several systems in one recording, each has its states before each of its turns")
    func severalSystems() async throws {
        for round in 0..<rounds(4, stress: 100) {
            let (session, scheduler) = (try RecordedSession(), TestScheduler())
            let seed = firstSeed() &+ UInt64(round)
            let systems = (0..<3).map { index in
                let configuration = RandomProgram.configuration().recorded(
                    by: session.recorder, as: "\(index)")
                let system = RandomProgram().system(on: scheduler, configuration)
                return (system: system, observed: system.observeTurns())
            }
            for (index, system) in systems.enumerated() {
                RandomProgram.run(system.system, on: scheduler, seed: seed &+ UInt64(index), steps: 0)
            }
            for step in 0..<rounds(60, stress: 300) {
                let system = systems[step % 3].system
                RandomProgram.run(system, on: scheduler, seed: seed &+ UInt64(step), steps: 1, isLast: false)
            }
            scheduler.advance(by: .seconds(1))
            let recording = try await session.recording()
            #expect(try recording.problems() == [], "\(seed)")
            for (index, system) in systems.enumerated() {
                var (turns, last): ([Int], Int) = ([], 0)
                try recording.forEachFact { fact in
                    let isOwn = fact["s"]?.int == index + 1
                    if fact.kind.countsTurn, fact.turn > last, isOwn { turns.append(fact.turn) }
                    last = fact.turn
                    return true
                }
                let expected = system.observed.states()
                #expect(turns.count == expected.count, "\(seed)")
                var playback = try recording.playback(of: "\(index)", Counter.self)
                for (turn, state) in zip(turns, expected) {
                    try playback.seek(to: turn - 1)
                    #expect(try playback.state == state, "turn \(turn) of \(index) of \(seed)")
                }
            }
        }
    }
}
