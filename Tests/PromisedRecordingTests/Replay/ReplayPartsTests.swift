import Foundation
import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedRecording

/// Recordings that are run again in parts, or not at all.
@Suite(.tags(.sharedState)) struct ReplayPartsTests {
    private let scheduler = TestScheduler()

    private func counter(
        _ session: RecordedSession, feedbacks: [Feedback<Int, Int>] = []
    ) -> System<Int, Int> {
        System(
            initialState: 0, scheduler: scheduler, feedbacks: feedbacks,
            configuration: Self.configuration.recorded(by: session.recorder, as: "counter"),
            reducer: Self.reduce)
    }

    private static var configuration: System<Int, Int>.Configuration {
        .init(eventPolicy: { $0 == 7 ? .debounce(.seconds(1), key: "seven") : .queue })
    }

    @Sendable private static func reduce(_ state: Int, _ event: Int) -> Promise<Int> {
        event < 100 ? .value(state + event) : Promise.value(state + event).delay(.seconds(1))
    }

    private func run(
        _ recording: Recording, feedbacks: [Feedback<Int, Int>] = [], adding number: Int = 0
    ) throws -> RunResult {
        try recording.run(Int.self, Int.self, as: "counter") { start in
            System(
                initialState: start.state, scheduler: start.scheduler, feedbacks: feedbacks,
                configuration: Self.configuration
            ) { state, event in Self.reduce(state + (event == 5 ? number : 0), event) }
        }
    }

    private func send(_ events: Int..., to system: System<Int, Int>) {
        scheduler.runAsCurrent { for event in events { system.sendEvent(event) } }
    }

    @Test("After a pause, the run goes on from the state then, and the turns between are noted")
    func pause() async throws {
        let session = try RecordedSession()
        let system = counter(session)
        send(1, 2, to: system)
        session.recorder.pause()
        send(3, to: system)
        session.recorder.resume()
        send(5, 6, to: system)
        let recording = try await session.recording()
        let result = try run(recording)
        #expect(result.isSame && result.turns == 4)
        #expect(try run(recording, adding: 1).difference?.changes == ["6 → 12", "11 → 12"].suffix(1))
        withExtendedLifetime(system) {}
    }

    @Test(
        "What follows a pause in a transition is not run, and each of its turns is noted once",
        arguments: [([], "1 turn"), ([1], "2 turns"), ([1, 200, 2], "4 turns")])
    func skipped(events: [Int], turns: String) async throws {
        let session = try RecordedSession()
        let system = counter(session)
        send(100, to: system)
        session.recorder.pause()
        session.recorder.resume()
        for event in events { send(event, to: system) }
        scheduler.advance(by: .seconds(9))
        await session.recorder.flush()
        session.recorder.pause()
        session.recorder.resume()
        send(5, to: system)
        let result = try run(try await session.recording())
        #expect(result.isSame && result.turns == 1, "\(result)")
        let notes = result.notes.filter { !$0.hasPrefix("the recording was paused") }
        #expect(notes.map { $0.prefix { $0 != "b" } } == ["\(turns) "])
        withExtendedLifetime(system) {}
    }

    @Test("After a pause, effects and their calls have other numbers, and are the same") func numbers()
        async throws
    {
        let session = try RecordedSession()
        let double = Endpoint<Int, Int>("double") { Promise.value($0 * 2).delay(.seconds(1)) }
        let doubling = Feedback<Int, Int>.onEvent({ $0 % 2 == 1 ? $0 : nil }, key: { _ in "double" }) {
            number in
            Effect.promise(double(number).delay(.seconds(1)))
        }
        let system = counter(session, feedbacks: [doubling])
        for event in [1, 3, 5] {
            send(event, to: system)
            scheduler.advance(by: .seconds(3))
            await session.recorder.flush()
            session.recorder.pause()
            session.recorder.resume()
        }
        let result = try run(try await session.recording(), feedbacks: [doubling])
        let isPauses = result.notes.allSatisfy { $0.hasPrefix("the recording was paused") }
        #expect(result.isSame && result.turns == 6 && isPauses, "\(result)")
        withExtendedLifetime(system) {}
    }

    @Test("The last turns are run from the first state at which nothing was in flight")
    func ring() async throws {
        let session = try RecordedSession(.last(turns: 150))
        let system = counter(session)
        for number in 0..<500 { send(number % 4, to: system) }
        session.recorder.save()
        let result = try run(try await session.recording())
        #expect(result.isSame && 100...400 ~= result.turns, "\(result)")
        withExtendedLifetime(system) {}
    }

    @Test(
        "Turns whose events were sent before the last full state have them, and that none can be run is no success"
    )
    func waiting() async throws {
        let session = try RecordedSession(.last(turns: 10))
        let system = counter(session)
        for _ in 0..<250 { system.sendEvent(1) }
        scheduler.advance()
        let recording = try await session.recording()
        #expect(try recording.factTexts().count { $0.contains(#""e":1,"id""#) } == 50)
        let result = try run(recording)
        #expect(!result.isSame && result.difference == nil && result.turns == 0 && result.skippedTurns == 50)
        #expect(
            result.description == """
                \(session.path): 'counter' cannot be run again.
                  note: 50 turns before line 53 cannot be run again: they depend on missing facts, or on earlier work
                """)
        withExtendedLifetime(system) {}
    }

    @Test("A line that cannot be read is noted")
    func torn() async throws {
        let session = try RecordedSession()
        let system = counter(session)
        send(1, 2, to: system)
        await session.recorder.finish()
        let result = try read(Array(session.text.utf8.dropLast(5))) { try run($0) }
        #expect(result.isSame && result.turns == 2)
        #expect(result.notes.count == 1)
        #expect(result.notes[0].hasSuffix("the recording ends within the line; what is before it is whole"))
        withExtendedLifetime(system) {}
    }

    @Test(
        "Events that observers send, that are flushed or dropped, and the end of a system are no differences")
    func outside() async throws {
        let session = try RecordedSession()
        let feedbacks: [Feedback<Int, Int>] = [
            .whilePresent(state: { $0 == 21 ? true : nil }) { _ in Effect { _ in } }
        ]
        let system = counter(session, feedbacks: feedbacks)
        let token = system.addLoopCallback(on: scheduler) { [weak system] state in
            if state == 3 { system?.sendEvent(4) }
        }
        send(1, 2, 5, to: system)
        scheduler.advance()
        send(7, to: system)
        scheduler.runAsCurrent { system.flush("seven") }
        send(100, 3, 4, to: system)
        scheduler.runAsCurrent { system.dropQueuedEvents() }
        scheduler.advance(by: .seconds(1))
        send(-98, to: system)
        token.cancel()
        scheduler.runAsCurrent { system.stop() }
        let result = try run(try await session.recording(), feedbacks: feedbacks)
        #expect(result.isSame && result.turns == 7, "\(result)")
    }

    @Test("Async work that waits for anything but an endpoint is named")
    func noEndpoint() async throws {
        let session = try RecordedSession()
        let gate = Lock<CheckedContinuation<Void, Never>?>(nil)
        let waiting = Feedback<Int, Int>.onEvent({ $0 == 1 ? true : $0 == 6 ? false : nil }) { waits in
            Effect.task {
                if !waits { return 3 }
                await withCheckedContinuation { continuation in gate.withLock { $0 = continuation } }
                return 2
            }
        }
        let system = counter(session, feedbacks: [waiting])
        send(6, to: system)
        scheduler.advance()
        send(1, to: system)
        scheduler.advance()
        gate.exchange(for: nil)?.resume()
        scheduler.advance()
        let result = try run(try await session.recording(), feedbacks: [waiting])
        #expect(result.difference?.turn == 3)
        let parts = result.difference?.actual.split(separator: "; ").map { $0.prefix(23) }
        #expect(parts == ["nothing happens", "the async work made at "], "\(result)")
        gate.exchange(for: nil)?.resume()
        withExtendedLifetime(system) {}
    }

    @Test("Work that is scheduled again without an end is a difference, and ends the run")
    func endless() async throws {
        @Sendable func spin(on scheduler: any SerialScheduler) { scheduler.schedule { spin(on: scheduler) } }
        let session = try RecordedSession()
        let system = counter(session)
        send(1, 5, to: system)
        let result = try await session.recording().run(Int.self, Int.self, as: "counter") { start in
            System(initialState: start.state, scheduler: start.scheduler) { state, event in
                guard event == 5 else { return .value(state + event) }
                spin(on: start.scheduler)
                return Promise.value(state + event).delay(.seconds(1)).interim(state)
            }
        }
        #expect(result.difference?.turn == 2 && result.turns == 1)
        withExtendedLifetime(system) {}
    }

    @Test(
        "A policy is the same when it has been read",
        arguments: [
            EventPolicy.replace, .dropWhileBusy, .debounce(.seconds(1), key: "a"),
            .debounce(.milliseconds(1), key: 7, keepsOrder: false), .throttle(.seconds(1), key: "a"),
            .throttle(.seconds(1), edges: .trailing, key: "a"),
            .throttle(.seconds(2), edges: .both, key: 7, keepsOrder: false),
        ])
    func policies(policy: EventPolicy) throws {
        let lines = SessionLines(.all, Redaction())
        let value = try #require(lines.redaction.json(of: policy))
        #expect(EventPolicy(json: value).flatMap { lines.redaction.json(of: $0) } == value)
    }

    @Test("The error of a call is the same when it is run again", arguments: [false, true])
    func cancelledCall(isCancelled: Bool) async throws {
        struct Refused: Error {}
        let find = Endpoint<Int, Int>("find") { _ in
            Promise(error: isCancelled ? CancellationError() : Refused())
        }
        @Sendable func reduce(_ state: Int, _ event: Int) -> Promise<Int> {
            find(event).recover { error in
                .value(error is CancellationError ? 1 : "\(error)" == "Refused()" ? 2 : 3)
            }
        }
        let session = try RecordedSession()
        let system = System<Int, Int>(
            initialState: 0, scheduler: scheduler,
            configuration: .init().recorded(by: session.recorder, as: "counter"), reducer: reduce)
        send(1, to: system)
        scheduler.advance()
        #expect(system.state == (isCancelled ? 1 : 2))
        let result = try await session.recording().run(Int.self, Int.self, as: "counter") { start in
            System(initialState: start.state, scheduler: start.scheduler, reducer: reduce)
        }
        #expect(result.isSame && result.turns == 1, "\(result)")
        withExtendedLifetime(system) {}
    }

    @Test(
        "A difference at the end of a transition names the turn that began, whatever others have done since")
    func turnOfDifference() async throws {
        let session = try RecordedSession()
        let systems = (counter(session), counter(session))
        send(100, to: systems.0)
        send(1, 2, to: systems.1)
        scheduler.advance(by: .seconds(1))
        let result = try await session.recording().run(Int.self, Int.self, as: "counter") { start in
            System(initialState: start.state, scheduler: start.scheduler) { state, event in
                Self.reduce(state + 1, event)
            }
        }
        #expect(result.difference?.turn == 1 && result.difference?.changes == ["100 → 101"], "\(result)")
        withExtendedLifetime(systems) {}
    }

    @Test("A recording that cannot be run says why")
    func refused() async throws {
        struct Opaque: Sendable {}
        let session = try RecordedSession()
        let (system, opaque) = (
            counter(session),
            System<Opaque, Int>(
                initialState: Opaque(), scheduler: scheduler,
                configuration: .init().recorded(by: session.recorder, as: "opaque"),
                reducer: { state, _ in .value(state) })
        )
        send(1, to: system)
        let recording = try await session.recording()
        #expect(
            throws: RecordingError.unknownSystem(path: session.path, name: "x", known: ["counter", "opaque"])
        ) {
            try recording.run(Int.self, Int.self, as: "x") { _ in system }
        }
        #expect(throws: RecordingError.textOnly(path: session.path, name: "opaque", state: "Opaque")) {
            try recording.run(Int.self, Int.self, as: "opaque") { _ in system }
        }
        #expect(throws: RecordingError.notRun(path: session.path, name: "counter", type: "System<Int, Int>"))
        {
            try recording.run(Int.self, Int.self, as: "counter") { _ in system }
        }
        #expect(throws: RecordingError.self) {
            try recording.run(String.self, Int.self, as: "counter") { _ in fatalError() }
        }
        withExtendedLifetime((system, opaque)) {}
    }

    @Test("A damaged recording is run as far as it can be read, whatever its bytes are")
    func damaged() async throws {
        let session = try RecordedSession()
        _ = try await TeaRoom.record(by: session)
        let bytes = Array(session.text.utf8)
        var generator = SeededGenerator(seed: firstSeed())
        for _ in 0..<rounds(300, stress: 5_000) {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                damaged[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
                    in: 32...126, using: &generator)
            }
            damaged = Array(damaged.prefix(Int.random(in: 0...bytes.count, using: &generator)))
            try? read(damaged, .init()) { recording in
                let result = try? recording.run(TeaRoom.Tables.self, TeaRoom.Step.self, as: "tables") {
                    TeaRoom().system(on: $0.scheduler, from: $0.state)
                }
                #expect(result?.description != "")
                _ = try? recording.check(TeaRoom.Tables.self, of: "tables") { $0.always("x") { _ in false } }
                _ = try? recording.test(ofLast: 3, of: "tables", TeaRoom.Tables.self, TeaRoom.Step.self)
            }
        }
    }
}
