import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedRecording

/// Whatever a program does, it does the same when it is run again.
@Suite(.tags(.sharedState)) struct ReplayLawTests {
    @Test("R25: a random session is run again, with everything as it was recorded")
    func runs() async throws {
        for round in 0..<rounds(8, stress: 100) {
            try await check(seed: firstSeed() &+ UInt64(round), steps: rounds(60, stress: 500))
        }
    }

    private func check(seed: UInt64, steps: Int) async throws {
        let (session, scheduler) = (try RecordedSession(), TestScheduler())
        let system = RandomProgram().system(
            on: scheduler, RandomProgram.configuration.recorded(by: session.recorder, as: "program"))
        RandomProgram.run(system, on: scheduler, seed: seed, steps: steps)
        let recording = try await session.recording()
        let result = try recording.run(
            Counter.self, RandomProgram.Step.self, as: "program", tolerance: .strict
        ) {
            RandomProgram().system(on: $0.scheduler, RandomProgram.configuration)
        }
        #expect(result.isSame, "\(seed): \(result)")
        #expect(result.turns == recording.turns.upperBound && result.notes == [], "\(seed)")
    }
}
