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

    @Test("R25: so is one whose events arrive together, from beside the scheduler")
    func batches() async throws {
        for round in 0..<rounds(4, stress: 50) {
            try await check(seed: firstSeed() &+ UInt64(round), steps: rounds(60, stress: 500)) {
                system, scheduler, seed, steps in
                var generator = SeededGenerator(seed: seed)
                let token = system.onError { _ in }
                for _ in 0..<steps {
                    for _ in 0..<Int.random(in: 1...4, using: &generator) {
                        system.sendEvent(.random(using: &generator))
                    }
                    scheduler.advance(by: .milliseconds(Int.random(in: 0...4, using: &generator)))
                }
                scheduler.advance(by: .seconds(1))
                withExtendedLifetime(token) {}
            }
        }
    }

    @Test("R25: so is one whose events are flushed or dropped from outside, and whose calls are limited")
    func flushes() async throws {
        let configuration = RandomProgram.configuration(limitsCalls: true)
        for round in 0..<rounds(8, stress: 100) {
            try await check(
                seed: firstSeed() &+ UInt64(round), steps: rounds(60, stress: 500), configuration
            ) { system, scheduler, seed, steps in
                var generator = SeededGenerator(seed: seed)
                let token = system.onError { _ in }
                for _ in 0..<steps {
                    let isInside = Bool.random(using: &generator)
                    for _ in 0..<Int.random(in: 1...4, using: &generator) {
                        let call = Self.randomCall(of: system, using: &generator)
                        if isInside { scheduler.schedule(call) } else { call() }
                    }
                    scheduler.advance(by: .milliseconds(Int.random(in: 0...4, using: &generator)))
                }
                scheduler.advance(by: .seconds(1))
                withExtendedLifetime(token) {}
            }
        }
    }

    private static func randomCall(
        of system: Program, using generator: inout SeededGenerator
    ) -> @Sendable () -> Void {
        let event = RandomProgram.Step.random(using: &generator)
        return switch Int.random(in: 0..<12, using: &generator) {
        case 0: { system.flush() }
        case 1: { system.flush("debounced") }
        case 2: { system.dropQueuedEvents() }
        default: { system.sendEvent(event) }
        }
    }

    @Test("R25: so are the last turns of one that comes to rest")
    func rings() async throws {
        var turns = 0
        // Of the first one, the last turns began while a throttle window was open.
        let first = firstSeed()
        let seeds = [13_287_257_480_274_045_353] + (0..<rounds(8, stress: 100)).map { first &+ UInt64($0) }
        for seed in seeds {
            let (session, scheduler) = (try RecordedSession(.last(turns: 500)), TestScheduler())
            let system = RandomProgram().system(
                on: scheduler, RandomProgram.configuration().recorded(by: session.recorder, as: "program"))
            RandomProgram.run(system, on: scheduler, seed: seed, steps: 150)
            for _ in 0..<150 {
                scheduler.schedule { system.sendEvent(.none) }
                scheduler.advance()
            }
            RandomProgram.run(system, on: scheduler, seed: seed &+ 1, steps: 60)
            let result = try await session.recording().run(
                Counter.self, RandomProgram.Step.self, as: "program", tolerance: .strict
            ) { RandomProgram().system(on: $0.scheduler, from: $0.state, RandomProgram.configuration()) }
            #expect(result.difference == nil, "\(seed): \(result)")
            turns += result.turns
        }
        #expect(turns > 300)
    }

    private typealias Program = System<Counter, RandomProgram.Step>

    private func check(
        seed: UInt64, steps: Int, _ configuration: Program.Configuration = RandomProgram.configuration(),
        _ run: (Program, TestScheduler, UInt64, Int) -> Void = {
            RandomProgram.run($0, on: $1, seed: $2, steps: $3)
        }
    ) async throws {
        let (session, scheduler) = (try RecordedSession(), TestScheduler())
        let system = RandomProgram().system(
            on: scheduler, configuration.recorded(by: session.recorder, as: "program"))
        run(system, scheduler, seed, steps)
        let recording = try await session.recording()
        let result = try recording.run(
            Counter.self, RandomProgram.Step.self, as: "program", tolerance: .strict
        ) {
            RandomProgram().system(on: $0.scheduler, configuration)
        }
        #expect(result.isSame, "\(seed): \(result)")
        #expect(result.turns == recording.turns.upperBound && result.notes == [], "\(seed)")
    }
}
