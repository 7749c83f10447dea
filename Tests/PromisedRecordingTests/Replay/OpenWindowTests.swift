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
                initialState: state, scheduler: scheduler, reducer: Reducer { $0 = ($0 + [$1]).suffix(8) },
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
        for offset in [96, 98, 99, 100, 101] {
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
        "R25: a program whose windows are closed before each event is run again, and tested, from the last turns",
        arguments: Throttled.allCases, [ThrottleEdges.leading, .trailing, .both])
    func silence(throttled: Throttled, edges: ThrottleEdges) async throws {
        let dial = Dial(throttled: throttled, edges: edges)
        for mode in [SessionRecorder.Mode.last(turns: 20), .all] {
            let (session, scheduler) = (try RecordedSession(mode), TestScheduler())
            let system = dial.system(recordedBy: session.recorder, on: scheduler)
            for round in 0..<120 {
                if round == 60 {
                    session.recorder.pause()
                    scheduler.runAsCurrent { system.sendEvent(2) }
                    scheduler.advance(by: .milliseconds(10))
                    session.recorder.resume()
                    scheduler.advance(by: .seconds(10))
                }
                scheduler.runAsCurrent { system.sendEvent(2) }
                // The writer takes what there is, and does not know what follows.
                if round % 7 == 0 { await session.recorder.flush() }
                scheduler.advance(by: .seconds(10))
            }
            let recording = try await session.recording()
            let result = try dial.run(recording)
            #expect(
                result.difference == nil && result.turns >= (mode == .all ? 119 : 20), "\(mode): \(result)")
            let source = try recording.test(ofLast: 3, of: "dial", [Int].self, Int.self)
            let last = recording.turns.upperBound
            let first = throttled == .effects ? last - 3 : last - 2
            #expect(source.contains("turns \(first) to \(last)"), "\(source.prefix(400))")
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
        scheduler.advance(by: .milliseconds(isOver ? 1_001 : 999))
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

    @Test(
        "Lines open and close windows",
        arguments: [
            // An event that waited until 4 s opens its window then.
            (["send 500 id throttle", "begin 4000 id"], 4_999, true),
            (["send 500 id throttle", "begin 4000 id"], 5_001, false),
            // The timer of the last event of a burst opens the next window.
            (["send 500 id throttle", "fire 3000"], 3_999, true),
            (["send 500 id throttle", "fire 3000"], 4_001, false),
            // A dropped event opens none.
            (["send 500 id throttle", "drop 600 id", "begin 4000 id"], 4_000, false),
            (["run 500 window"], 1_499, true), (["run 500 window"], 1_501, false),
            (["send 500 id"], 500, false),
        ])
    func lines(lines: [String], time: Int, isOpen: Bool) throws {
        var windows = OpenWindows()
        for line in lines + ["shown \(time)"] {
            let words = line.split(separator: " ").map(String.init)
            var members: [JSONMember] = []
            members.set("s", to: .number(1))
            members.set("t", to: .number((Int(words[1]) ?? 0) * 1_000_000))
            for word in words.dropFirst(2) {
                switch word {
                case "id": members.set("id", to: .number(7))
                case "window": members.set("window", to: .number(1_000_000_000))
                default:
                    members.set(
                        "p",
                        to: .object([
                            "throttle": .number(1_000_000_000), "edges": .string("leading"),
                            "key": .string("k"),
                        ]))
                }
            }
            if words[0] == "fire" { members.set("delay", to: .array([.string("k")])) }
            windows.update(try #require(RecordedFact.Kind(rawValue: words[0])), members)
        }
        #expect(windows.areClosed == !isOpen)
        #expect(windows.systems(before: nil) == (isOpen ? [1] : []))
        // Another system goes on, while this one is silent.
        windows.update(.shown, [JSONMember("s", .number(2)), JSONMember("t", .number(9_000_000_000))])
        #expect(windows.areClosed)
        #expect(windows.systems(before: nil) == (isOpen ? [1] : []))
    }

    @Test("A window without an end is recorded")
    func endless() async throws {
        let (session, scheduler) = (try RecordedSession(), TestScheduler())
        let requests = Feedback<[Int], Int>.onEvent(
            { $0 }, policy: .throttle(.seconds(Int64.max), edges: .both)
        ) { Effect.just($0 + 1) }
        let system = System<[Int], Int>(
            initialState: [], scheduler: scheduler, reducer: Reducer { $0.append($1) }, feedbacks: [requests],
            configuration: .init(eventPolicy: { _ in .throttle(.seconds(Int64.max), edges: .both, key: "k") })
                .recorded(by: session.recorder, as: "endless"))
        scheduler.runAsCurrent { system.sendEvent(1) }
        #expect(system.state == [1])
        let result = try await session.recording().run([Int].self, Int.self, as: "endless") { start in
            System(
                initialState: start.state, scheduler: start.scheduler, reducer: Reducer { $0.append($1) },
                feedbacks: [requests],
                configuration: .init(eventPolicy: { _ in
                    .throttle(.seconds(Int64.max), edges: .both, key: "k")
                }))
        }
        #expect(result.isSame, "\(result)")
    }
}
