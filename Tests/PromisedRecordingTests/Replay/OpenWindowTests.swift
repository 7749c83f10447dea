import Foundation
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedRecording

/// Throttle windows that are open where a replay, or a test of the last turns, could begin.
@Suite(.tags(.sharedState)) struct OpenWindowTests {
    /// What is throttled.
    enum Throttled: CaseIterable {
        case events, effects
    }

    private struct Dial: Sendable {
        let throttled: Throttled
        let edges: ThrottleEdges

        /// Even numbers are throttled; requests send the number after theirs.
        func system(
            recordedBy recorder: SessionRecorder? = nil, from state: [Int] = [],
            on scheduler: some SerialScheduler
        ) -> System<[Int], Int> {
            let (throttled, edges) = (throttled, edges)
            var configuration = System<[Int], Int>.Configuration(eventPolicy: {
                $0.isMultiple(of: 2) && throttled == .events
                    ? .throttle(.seconds(1), edges: edges, key: "dial") : .queue
            })
            if let recorder { configuration = configuration.recorded(by: recorder, as: "dial") }
            let requests = Feedback<[Int], Int>.onEvent(
                { $0.isMultiple(of: 2) && throttled == .effects ? $0 : nil },
                policy: .throttle(.seconds(1), edges: edges)
            ) { Effect.just($0 + 1) }
            return System(
                initialState: state, scheduler: scheduler, reducer: Reducer { $0.append($1) },
                feedbacks: [requests], configuration: configuration)
        }

        func run(_ recording: Recording) throws -> RunResult {
            try recording.run([Int].self, Int.self, as: "dial") {
                system(from: $0.state, on: $0.scheduler)
            }
        }
    }

    @Test(
        "R25: what follows a pause is run again from where the windows are closed that were open in it",
        arguments: Throttled.allCases, [ThrottleEdges.leading, .trailing, .both])
    func pause(throttled: Throttled, edges: ThrottleEdges) async throws {
        let dial = Dial(throttled: throttled, edges: edges)
        for beginsInPause in [false, true] {
            let (session, scheduler) = (try RecordedSession(), TestScheduler())
            let system = dial.system(recordedBy: session.recorder, on: scheduler)
            func send(_ event: Int) { scheduler.runAsCurrent { system.sendEvent(event) } }
            if beginsInPause { session.recorder.pause() }
            // It opens a window, and nothing is in flight then.
            send(10)
            if edges != .leading {
                scheduler.advance(by: .milliseconds(edges == .both ? 500 : 1_000))
                if edges == .both { send(12) }
                scheduler.advance(by: .milliseconds(500))
            }
            session.recorder.pause()
            session.recorder.resume()
            scheduler.advance(by: .milliseconds(100))
            send(20)
            send(22)
            scheduler.advance(by: .milliseconds(100))
            send(24)
            scheduler.advance(by: .seconds(9))
            for event in [1, 30, 32, 3] { send(event) }
            scheduler.advance(by: .seconds(9))
            send(5)
            let result = try dial.run(try await session.recording())
            #expect(result.difference == nil, "\(beginsInPause): \(result)")
            #expect(result.turns >= 3, "\(beginsInPause): \(result)")
            withExtendedLifetime(system) {}
        }
    }

    @Test(
        "R25: so are the last turns",
        arguments: Throttled.allCases, [ThrottleEdges.leading, .trailing, .both])
    func ring(throttled: Throttled, edges: ThrottleEdges) async throws {
        let dial = Dial(throttled: throttled, edges: edges)
        for offset in 95..<105 {
            let (session, scheduler) = (try RecordedSession(.last(turns: 120)), TestScheduler())
            let system = dial.system(recordedBy: session.recorder, on: scheduler)
            func send(_ event: Int) { scheduler.runAsCurrent { system.sendEvent(event) } }
            for _ in 0..<offset { send(1) }
            for event in 0..<3 {
                send(2 * event)
                send(1)
                scheduler.advance(by: .milliseconds(300))
            }
            scheduler.advance(by: .seconds(9))
            for _ in 0..<110 { send(1) }
            let result = try dial.run(try await session.recording())
            #expect(result.isSame && result.turns > 90, "\(offset): \(result)")
            withExtendedLifetime(system) {}
        }
    }

    @Test(
        "A test of the last turns begins before an open window", arguments: Throttled.allCases, [false, true])
    func lastTurns(throttled: Throttled, isOver: Bool) async throws {
        let (session, scheduler) = (try RecordedSession(), TestScheduler())
        let dial = Dial(throttled: throttled, edges: .leading)
        let system = dial.system(recordedBy: session.recorder, on: scheduler)
        func send(_ event: Int) { scheduler.runAsCurrent { system.sendEvent(event) } }
        send(1)
        send(10)
        scheduler.advance(by: .milliseconds(isOver ? 1_000 : 999))
        send(3)
        send(5)
        let before = isOver ? Array(system.state.dropLast()) : [1]
        let source = try await session.recording().test(ofLast: 1, of: "dial", [Int].self, Int.self)
        #expect(source.contains("try decode(#\"\(before)\"#)".replacing(", ", with: ",")), "\(source)")
    }

    @Test("An open window is no work in flight: the state is settled")
    func settled() async throws {
        let (session, scheduler) = (try RecordedSession(), TestScheduler())
        let dial = Dial(throttled: .events, edges: .leading)
        let system = dial.system(recordedBy: session.recorder, on: scheduler)
        scheduler.runAsCurrent { system.sendEvent(2) }
        session.recorder.pause()
        session.recorder.resume()
        scheduler.runAsCurrent { system.sendEvent(4) }
        let recording = try await session.recording()
        let violations = try recording.check([Int].self, of: "dial") {
            $0.wheneverSettled("nothing was turned") { $0.isEmpty }
        }
        #expect(violations.map(\.turn) == [1])
        let key = try #require(session.text.split(separator: "\n").first { $0.contains(#""k":"key""#) })
        #expect(key.contains(#""windows":[1]"#) && !key.contains(#""open""#), "\(key)")
    }
}
