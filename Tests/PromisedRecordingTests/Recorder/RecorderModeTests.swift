import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedRecording

/// What of a session is written, and when.
@Suite(.tags(.sharedState)) struct RecorderModeTests {
    private struct Negative: Error {}

    private let scheduler = TestScheduler()

    private func counter(_ session: RecordedSession, as name: String = "counter") -> System<Int, Int> {
        let system = System<Int, Int>(
            initialState: 0, scheduler: scheduler,
            configuration: .init().recorded(by: session.recorder, as: name)
        ) { state, event in event < 0 ? Promise(error: Negative()) : .value(state + event) }
        system.onError { _ in }
        scheduler.advance()
        return system
    }

    private func plain() -> System<Int, Int> {
        System(initialState: 0, scheduler: .immediate, reducer: Reducer { $0 += $1 })
    }

    private func send(_ event: Int, _ count: Int, to system: System<Int, Int>) {
        for _ in 0..<count {
            scheduler.schedule { system.sendEvent(event) }
            scheduler.advance()
        }
    }

    /// The recorded states of the counter by turn, nil where they are unknown.
    private func states(_ recording: Recording, _ name: String = "counter") throws -> [Int: Int] {
        #expect(try recording.problems() == [])
        var playback = try recording.playback(of: name, Int.self)
        var states: [Int: Int] = [:]
        repeat { states[playback.turn] = try? playback.state } while try playback.step()
        return states
    }

    // MARK: The last turns

    @Test("The last turns are written when they are saved, and replace those that were")
    func lastTurns() async throws {
        let session = try RecordedSession(.last(turns: 150))
        let system = counter(session)
        send(1, 450, to: system)
        await session.recorder.flush()
        #expect(session.text.isEmpty)
        session.recorder.save()
        await session.recorder.flush()
        var recording = try Recording(contentsOf: session.path)
        #expect(recording.turns == 300...450)
        #expect(try states(recording) == Dictionary(uniqueKeysWithValues: (300...450).map { ($0, $0) }))
        send(1, 100, to: system)
        recording = try await session.recording()
        #expect(recording.turns == 400...550)
        #expect(recording.header.mode == "last")
        #expect(try states(recording)[550] == 550)
    }

    @Test(
        "The last turns are written when a transition has failed, if the mode says so",
        arguments: [false, true])
    func savingOnError(isSaving: Bool) async throws {
        let session = try RecordedSession(.last(turns: 10, savingOnError: isSaving))
        let system = counter(session)
        send(1, 5, to: system)
        await session.recorder.flush()
        #expect(session.text.isEmpty)
        send(-1, 1, to: system)
        send(1, 2, to: system)
        await session.recorder.flush()
        #expect(session.text.isEmpty == !isSaving)
        guard isSaving else { return }
        let recording = try session.openRecording()
        #expect(try states(recording)[6] == 5)
        #expect(try recording.factTexts().contains(#"6 turn {"e":-1,"error":"Negative()","o":"failed"}"#))
    }

    @Test("The last turns are written when an effect fails while it is started")
    func savingOnEffect() async throws {
        let session = try RecordedSession(.last(turns: 10, savingOnError: true))
        let system = System<Int, Int>(
            initialState: 0, scheduler: scheduler, reducer: Reducer { $0 += $1 },
            feedbacks: [.onEvent({ $0 == 5 ? 5 : nil }) { _ in Effect { $0.fail(Negative()) } }],
            configuration: .init().recorded(by: session.recorder, as: "counter"))
        system.onError { _ in }
        send(5, 1, to: system)
        await session.recorder.flush()
        #expect(try session.openRecording().summary().contains("an effect fails with Negative()"))
    }

    @Test("What was in flight when a segment begins is listed there, with its places")
    func openWork() async throws {
        let session = try RecordedSession(.last(turns: 1))
        let (answer, resolver) = Promise<Int>.pending()
        let never = Endpoint("never") { (_: Int) in answer }
        let system = System<Int, Int>(
            initialState: 0, scheduler: scheduler, reducer: Reducer { $0 += $1 },
            feedbacks: [.onEvent({ $0 == 5 ? 5 : nil }, key: { _ in "key" }) { Effect.promise(never($0)) }],
            configuration: .init().recorded(by: session.recorder, as: "counter"))
        send(5, 1, to: system)
        send(1, 250, to: system)
        scheduler.schedule { resolver.fulfill(7) }
        scheduler.advance()
        let recording = try await session.recording()
        #expect(recording.turns.lowerBound == 200)
        var facts: [RecordedFact] = []
        try recording.forEachFact { fact in
            if [.key, .place].contains(fact.kind) { facts.append(fact) }
            return true
        }
        let open = try #require(facts.first?["open"])
        #expect(open["runs"]?.array?.map { $0["key"]?.string } == ["key"])
        #expect(
            open["calls"]?.array?.map { [$0["name"]?.string, $0["by"]?.string] } == [["never", "run 1"]])
        let places = Set(facts.dropFirst().compactMap { $0["at"]?.int })
        #expect(open["calls"]?.array?.compactMap { $0["at"]?.int }.allSatisfy(places.contains) == true)
        #expect(try recording.summary().contains("never answers 7"))
    }

    private struct Opaque: Sendable {}

    @Test("A call is open over its interim answers, whatever their type, and over the end of another system")
    func openCalls() async throws {
        let session = try RecordedSession()
        let ((number, numbers), (opaque, opaques)) = (Promise<Int>.pending(), Promise<Opaque>.pending())
        let (first, second) = (
            Endpoint("first") { (_: Int) in number }, Endpoint("second") { (_: Int) in opaque }
        )
        let system = System<Int, Int>(
            initialState: 0, scheduler: scheduler, reducer: Reducer { $0 += $1 },
            feedbacks: [
                .onEvent({ $0 == 5 ? 5 : nil }) {
                    Effect.promise(Promise.zip(first($0), second($0)).map(\.0))
                }
            ],
            configuration: .init().recorded(by: session.recorder, as: "counter"))
        var other: System<Int, Int>? = counter(session, as: "other")
        send(5, 1, to: system)
        numbers.report(1)
        opaques.report(Opaque())
        scheduler.advance()
        await session.recorder.flush()
        withExtendedLifetime(other.take()) {}
        await session.recorder.flush()
        send(1, 100, to: system)
        let recording = try await session.recording()
        var calls: [[String?]?] = []
        try recording.forEachFact { fact in
            if fact.kind == .key { calls.append(fact["open"]?["calls"]?.array?.map { $0["name"]?.string }) }
            return true
        }
        #expect(calls == [["first", "second"]])
        let open = try recording.summary(last: 0).split(separator: "\n").map { $0.prefix { $0 != "," } }
        #expect(open == ["effect run 1", "first 5", "second 5"].map { "still running: \($0)" })
        withExtendedLifetime(system) {}
    }

    // MARK: Samples

    @Test("Of a sample, the states of some turns are known, and all events")
    func samples() async throws {
        let session = try RecordedSession(.sampled(every: 7))
        let system = counter(session)
        send(1, 120, to: system)
        let recording = try await session.recording()
        let known = try states(recording)
        #expect(known[0] == 0 && known[7] == 7 && known[98] == 98 && known[100] == 100 && known[119] == 119)
        #expect(known[120] == 120)
        #expect(known[8] == nil && known[101] == nil && known.count == 1 + 17 + 1 + 1)
        #expect(try recording.factTexts().count { $0.contains(#""e":1"#) } == 120)
    }

    @Test("Full states follow after 4 MiB, and not again before as much") func largeStates() async throws {
        let session = try RecordedSession()
        let system = System<String, Int>(
            initialState: "", scheduler: scheduler,
            configuration: .init().recorded(by: session.recorder, as: "texts")
        ) { _, event in .value(String(repeating: "\(event)", count: 1 << 20)) }
        for event in 1...6 {
            scheduler.schedule { system.sendEvent(event) }
            scheduler.advance()
            await session.recorder.flush()
        }
        let keys = session.text.split(separator: "\n").filter { $0.contains(#""k":"key""#) }
        #expect(keys.map { $0.prefix(7) } == [#"{"n":4,"#])
        withExtendedLifetime(system) {}
    }

    // MARK: Pauses

    @Test("While it is paused, nothing is recorded; then the states are known again")
    func pause() async throws {
        let session = try RecordedSession()
        let (first, second) = (counter(session, as: "first"), counter(session, as: "second"))
        send(1, 3, to: first)
        session.recorder.pause()
        session.recorder.pause()
        send(1, 4, to: first)
        send(1, 5, to: second)
        session.recorder.resume()
        send(1, 2, to: first)
        let recording = try await session.recording()
        #expect(recording.turns == 0...14)
        #expect(
            try recording.factTexts().map { $0.prefix(8) } == [
                "1 turn {", "2 turn {", "3 turn {", "3 pause ", "12 resum", "13 turn ", "14 turn ",
            ])
        let states = (try states(recording, "first"), try states(recording, "second"))
        #expect(states.0[3] == 3 && states.0[12] == 7 && states.0[14] == 9)
        #expect(states.1[3] == 0 && states.1[12] == 5 && states.1[14] == 5)
        withExtendedLifetime(second) {}
    }

    @Test("A pause right after another one is its rest") func pauseAfterPause() async throws {
        let session = try RecordedSession()
        let system = counter(session)
        send(1, 1, to: system)
        session.recorder.pause()
        send(1, 2, to: system)
        session.recorder.resume()
        session.recorder.pause()
        send(1, 4, to: system)
        session.recorder.resume()
        send(1, 1, to: system)
        let recording = try await session.recording()
        let known = try states(recording)
        #expect(known[1] == 1 && known[7] == 7 && known[8] == 8)
        #expect(
            try recording.factTexts().map { $0.prefix(8) } == [
                "1 turn {", "1 pause ", "7 resume", "8 turn {",
            ])
    }

    @Test("A system that is created during a pause is recorded from the end of the pause on")
    func createdInPause() async throws {
        let session = try RecordedSession()
        session.recorder.pause()
        let system = counter(session)
        send(1, 2, to: system)
        session.recorder.resume()
        send(1, 1, to: system)
        let recording = try await session.recording()
        #expect(try states(recording)[3] == 3)
        #expect(
            try recording.factTexts() == [
                "0 pause {}", "2 resume {}", #"3 turn {"e":1,"o":"settled","v":3}"#,
            ])
    }

    @Test("A system with a clock of its own has times since the recording began") func clocks() {
        let (first, second, clock) = (scheduler, TestScheduler(), SessionClock())
        first.advance(by: .seconds(5))
        second.advance(by: .seconds(100))
        #expect(clock.start(on: first) == .seconds(5))
        first.advance(by: .seconds(2))
        #expect(clock.start(on: second) == .seconds(98))
        #expect(clock.start(on: first) == .seconds(5) && clock.now == .seconds(2))
    }

    // MARK: Attaching

    @Test("A running system is recorded from the next turn on, and systems of one name get numbers")
    func attached() async throws {
        let session = try RecordedSession()
        let (first, second, others) = (plain(), plain(), [plain(), plain()])
        first.sendEvent(5)
        session.recorder.record(first, as: "counter")
        session.recorder.record(second, as: "counter")
        session.recorder.record(others[0], as: "counter 2")
        session.recorder.record(others[1], as: "counter")
        first.sendEvent(1)
        second.sendEvent(2)
        let recording = try await session.recording()
        #expect(recording.systems.map(\.name) == ["counter", "counter 2", "counter 2 2", "counter 3"])
        let after = session.text.split(separator: "\n").filter { $0.contains(#""k":"system""#) }
        #expect(after.map { $0.contains(#""after":1"#) } == [true, false, false, false])
        #expect(try states(recording) == [0: 5, 1: 6, 2: 6])
        #expect(try states(recording, "counter 2")[2] == 2)
    }

    @Test("A system that existed in between only is found by its name")
    func between() async throws {
        let session = try RecordedSession()
        let other = counter(session, as: "other")
        send(1, 150, to: other)
        await session.recorder.flush()
        var system: System<Int, Int>? = counter(session)
        send(1, 2, to: try #require(system))
        system = nil
        await session.recorder.flush()
        send(1, 150, to: other)
        let recording = try await session.recording()
        #expect(recording.systems.map(\.name) == ["other", "counter"])
        #expect(try states(recording)[152] == 2)
        let unknown = RecordingError.unknownSystem(
            path: session.path, name: "none", known: ["counter", "other"])
        #expect(throws: unknown) { try recording.playback(of: "none", Int.self) }
    }

    @Test("The event with which middleware ends a system is recorded") func endingMiddleware() async throws {
        let session = try RecordedSession()
        let running = Lock<System<Int, Int>?>(nil)
        var system: System<Int, Int>? = System(
            initialState: 0, scheduler: .immediate, reducer: Reducer { $0 += $1 },
            middleware: Middleware { event, _ in
                if event == 2 { running.exchange(for: nil)?.stop() }
                return .pass
            },
            configuration: .init().recorded(by: session.recorder, as: "counter"))
        running.exchange(for: system)
        for event in 1...2 { system?.sendEvent(event) }
        system = nil
        #expect(
            try await session.facts() == [#"1 turn {"e":1,"o":"settled","v":1}"#, #"1 send {"e":2,"id":2}"#])
    }

    @Test("A system that is released is in no later full state, and lets its recorder go")
    func released() async throws {
        var session: RecordedSession? = try RecordedSession()
        weak let recorder = session?.recorder
        let path = try #require(session?.path)
        var system: System<Int, Int>? = counter(try #require(session))
        let other = counter(try #require(session), as: "other")
        send(1, 1, to: try #require(system))
        await recorder?.flush()
        system = nil
        send(1, 100, to: other)
        await recorder?.flush()
        let recording = try Recording(contentsOf: path)
        #expect(try recording.segment(at: 101).systems.map(\.name) == ["other"])
        session = nil
        #expect(recorder != nil)
        withExtendedLifetime(other) {}
    }
}
