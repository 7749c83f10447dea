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
            on: scheduler, RandomProgram.configuration.recorded(by: session.recorder, as: "program"))
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
}
