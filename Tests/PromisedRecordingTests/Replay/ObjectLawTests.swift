import Promise
import PromisedModels
import PromisedSources
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedRecording

/// Whatever a models application, or a client of fetches, does: its recording has the states that it had, and it does the
/// same when it is run again.
@Suite(.tags(.sharedState)) struct ObjectLawTests {
    @Test("R25: a random session of a models application is played back in both directions and run again")
    func models() async throws {
        // In the first one, tasks of several rows continue at one instant, in an order that no fact before shows.
        let seeds =
            [9_225_418_636_466_126_759] + (0..<rounds(3, stress: 100)).map { firstSeed() &+ UInt64($0) }
        for seed in seeds {
            let (session, scheduler) = (try RecordedSession(), TestScheduler())
            let store = Store<TodoList>(initialState: .init(), scheduler: scheduler) {
                $0.record(by: session.recorder, as: "list")
            }
            let states = Lock([TodoList.State()])
            let token = store.onWrite { record in states.withLock { $0.append(record.after) } }
            TodoSession.run(store, on: scheduler, seed: seed, steps: rounds(60, stress: 400))
            let recording = try await session.recording()
            try check(recording, "list", states.withLock { $0 }, seed)
            let result = try recording.run(TodoList.State.self, as: "list", tolerance: .strict) { start in
                Store<TodoList>(initialState: start.state, scheduler: start.scheduler).replayed
            }
            #expect(result.isSame, "\(seed): \(result)")
            #expect(result.turns == recording.turns.upperBound && result.notes == [], "\(seed)")
            withExtendedLifetime(token) {}
        }
    }

    @Test("R25: so is a random session of a client of fetches, each key of it")
    func fetches() async throws {
        for round in 0..<rounds(3, stress: 100) {
            let seed = firstSeed() &+ UInt64(round)
            let (session, scheduler) = (try RecordedSession(), TestScheduler())
            let fetches = Fetches(from: RateServer(), on: scheduler, keepingUnused: .milliseconds(300))
            session.recorder.record(fetches, as: "rates")
            let states = RateSession(fetches, scheduler).run(seed: seed, steps: rounds(60, stress: 600))
            let recording = try await session.recording()
            #expect(recording.systems.count >= 3, "\(seed)")
            for system in recording.systems {
                try check(recording, system.name, states[system.name] ?? [], seed)
                let key = RateSession.keys.first { system.name.hasPrefix("rates \($0)") }
                let result = try recording.run(
                    RecordedFetch<Int>.self, as: system.name, tolerance: .strict
                ) { start in
                    Fetches(from: RateServer(), on: start.scheduler, keepingUnused: .milliseconds(300))
                        .replayed(try #require(key))
                }
                #expect(result.isSame && result.notes == [], "\(seed): \(result)")
            }
        }
    }

    /// Plays a system back in both directions.
    ///
    /// - Parameter states: All of them, in order; one that is shown several times in a row counts as one.
    private func check<State: Codable & Hashable & Sendable>(
        _ recording: Recording, _ name: String, _ states: [State], _ seed: UInt64
    ) throws {
        #expect(try recording.problems() == [], "\(seed)")
        var playback = try recording.playback(of: name, State.self)
        try playback.seek(to: recording.turns.lowerBound)
        let forwards = try walk(&playback) { playback throws(RecordingError) in try playback.step() }
        let backwards = try walk(&playback) { playback throws(RecordingError) in try playback.stepBack() }
        var expected: [State] = []
        for state in states where expected.last != state { expected.append(state) }
        #expect(forwards == backwards.reversed(), "\(name) of \(seed)")
        // The last turn of a key that is discarded has no record.
        #expect(forwards.count - expected.count <= 1, "\(name) of \(seed)")
        let difference = zip(forwards, expected).enumerated().first { $1.0 != $1.1 }
        #expect(difference == nil, "\(name) of \(seed)")
        #expect(forwards.count >= expected.count, "\(name) of \(seed)")
    }

    /// - Returns: The states on the way; none before the system exists.
    private func walk<State: Codable & Hashable & Sendable>(
        _ playback: inout Playback<State>,
        _ step: (inout Playback<State>) throws(RecordingError) -> Bool
    ) throws -> [State] {
        var (states, last) = ([State](), RecordedState?.none)
        repeat {
            let recorded = playback.recordedState
            if case .value = recorded, recorded != last {
                let state = try playback.state
                if states.last != state { states.append(state) }
            }
            last = recorded
        } while try step(&playback)
        return states
    }
}
