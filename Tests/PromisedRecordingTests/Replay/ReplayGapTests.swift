import Foundation
import Promise
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedRecording
@testable import PromisedSystem

/// What was in flight where facts are missing, or where a recording of the last turns begins.
@Suite struct ReplayGapTests {
    private struct Shop: Codable, Sendable, Equatable {
        var wanted: Int?
        var texts: [String] = []
    }

    private enum ShopEvent: Codable, Sendable {
        case want(Int), text(String), wait(String)
    }

    private let scheduler = TestScheduler()
    private static let find = Endpoint<Int, String>("find") { number in
        Promise.value("found \(number)").delay(.seconds(1))
    }

    private static func shop(
        _ state: Shop, on scheduler: some SerialScheduler,
        _ configuration: System<Shop, ShopEvent>.Configuration = .init()
    ) -> System<Shop, ShopEvent> {
        let reducer = Reducer<Shop, ShopEvent> { (shop: inout Shop, event: ShopEvent) -> Promise<Shop>? in
            let texts = shop.texts
            switch event {
            case .want(let number): shop.wanted = number
            case .text(let text): shop.texts = [text]
            case .wait(let text): return find(7).map { Shop(texts: texts + [$0, text]) }
            }
            return nil
        }
        let feedback = Feedback<Shop, ShopEvent>.latest(state: \.wanted) { number in
            find(number).map(ShopEvent.text)
        }
        return System(
            initialState: state, scheduler: scheduler, reducer: reducer, feedbacks: [feedback],
            configuration: configuration)
    }

    private func recordedShop(_ session: RecordedSession) -> System<Shop, ShopEvent> {
        Self.shop(Shop(), on: scheduler, .init().recorded(by: session.recorder, as: "shop"))
    }

    private func run(_ recording: Recording) throws -> RunResult {
        try recording.run(Shop.self, ShopEvent.self, as: "shop") { Self.shop($0.state, on: $0.scheduler) }
    }

    private func send(_ events: ShopEvent..., to system: System<Shop, ShopEvent>) {
        for event in events { system.sendEvent(event) }
        scheduler.advance()
    }

    @Test("A transition whose limit cancels its call is run again") func limit() async throws {
        let limit: @Sendable (ShopEvent) -> Duration? = {
            if case .wait = $0 { .milliseconds(500) } else { nil }
        }
        let session = try RecordedSession()
        let system = Self.shop(
            Shop(), on: scheduler, .init(timeLimit: limit).recorded(by: session.recorder, as: "shop"))
        let token = system.onError { _ in }
        send(.wait("a"), .text("b"), to: system)
        scheduler.advance(by: .seconds(2))
        let recording = try await session.recording()
        let facts = try recording.factTexts().map { $0.split(separator: " ")[1] }
        #expect(facts == ["send", "send", "begin", "call", "fire", "answer", "turn", "turn"])
        let result = try recording.run(Shop.self, ShopEvent.self, as: "shop") {
            Self.shop($0.state, on: $0.scheduler, .init(timeLimit: limit))
        }
        #expect(result.isSame && result.notes == [], "\(result)")
        withExtendedLifetime(token) {}
    }

    @Test("Of a sample, the states that it has are compared, and the last one", arguments: [nil, 150, 230])
    func samples(changeAt: Int?) async throws {
        func counter(
            _ state: Int, on scheduler: some SerialScheduler, changeAt: Int?,
            _ configuration: System<Int, Int>.Configuration = .init()
        ) -> System<Int, Int> {
            System(
                initialState: state, scheduler: scheduler,
                reducer: Reducer { (state: inout Int, event: Int) in
                    state += state == changeAt ? event + 1 : event
                }, configuration: configuration)
        }
        let session = try RecordedSession(.sampled(every: 1_000))
        let system = counter(
            0, on: scheduler, changeAt: nil, .init().recorded(by: session.recorder, as: "counter"))
        for _ in 1...250 {
            system.sendEvent(1)
            scheduler.advance()
        }
        let result = try await session.recording().run(Int.self, Int.self, as: "counter") {
            counter($0.state, on: $0.scheduler, changeAt: changeAt)
        }
        // The turns of full states follow those in which they were due.
        #expect(result.difference?.turn == changeAt.map { $0 < 200 ? 200 : 250 }, "\(result)")
        #expect(result.turns == result.difference?.turn ?? 250)
    }

    @Test("A transition or an effect that began in a pause is in flight after it")
    func beginningInAPause() async throws {
        for event in [ShopEvent.wait("later"), .want(3)] {
            let session = try RecordedSession()
            let system = recordedShop(session)
            session.recorder.pause()
            send(event, to: system)
            session.recorder.resume()
            send(.text("meanwhile"), to: system)
            scheduler.run()
            let result = try run(try await session.recording())
            #expect(result.difference == nil && result.turns == 0, "\(result)")
            #expect(result.notes.contains("the recording was paused at line 3"), "\(result)")
        }
    }

    @Test(
        "A transition that ended in a pause is not in flight after it, and turns that middleware stopped count"
    )
    func endInAPause() async throws {
        let session = try RecordedSession()
        let system = recordedShop(session)
        send(.wait("before"), to: system)
        session.recorder.pause()
        scheduler.run()
        session.recorder.resume()
        send(.text("after"), .text("last"), to: system)
        let recording = try await session.recording()
        let result = try run(recording)
        #expect(result.isSame && result.turns == 2, "\(result)")
        let rules = try recording.check(Shop.self, of: "shop") { rules in
            rules.wheneverSettled("the answer is not there") { $0.texts != ["found 7", "before"] }
            rules.wheneverSettled("nothing is last") { $0.texts != ["last"] }
        }
        #expect(rules.map(\.turn) == [1, 3])
    }

    @Test("What time travel does to a recorded system is not run again, but what follows")
    func timeTravel() async throws {
        let session = try RecordedSession()
        let system = recordedShop(session)
        let travel = TimeTravel(system)
        send(.text("first"), to: system)
        travel.stop()
        send(.text("waits"), .wait("longer"), to: system)
        try travel.send(.text("by hand"))
        try travel.step()
        scheduler.run()
        travel.resume()
        scheduler.run()
        send(.text("next"), .text("second"), to: system)
        try travel.branch(from: 1)
        send(.text("third"), .text("fourth"), to: system)
        let recording = try await session.recording()
        let result = try run(recording)
        #expect(result.isSame && result.turns == 5, "\(result)")
        #expect(result.notes.count { $0.contains("time travel") } == 2, "\(result)")
        let source = try recording.test(ofLast: 2, of: "shop", Shop.self, ShopEvent.self)
        #expect(source.contains("fourth") && !source.contains("second"))
    }

    @Test("Facts that were dropped are noted, and work is known that began among them")
    func losses() {
        var skipped = SkippedFacts()
        let call: FactFields = ["id": .number(4), "name": .text("find")]
        _ = skipped.add(.other(.call, call, at: .zero), isLoss: true)
        _ = skipped.add(.other(.answer, ["id": .number(3)], at: .zero), isLoss: true)
        _ = skipped.add(.other(.answer, ["id": .number(4), "interim": .number(1)], at: .zero), isLoss: true)
        #expect(
            skipped.work == [
                OpenWork(kind: .call, number: 4): true, OpenWork(kind: .call, number: 3): false,
            ])
        _ = skipped.add(.other(.answer, ["id": .number(4)], at: .zero), isLoss: true)
        #expect(skipped.work == [OpenWork(kind: .call, number: 3): false])
        let end = TurnEnd(
            turn: 0, sent: 5, outcome: "stopped", error: nil, isUnhandled: false, at: .zero, state: nil)
        _ = skipped.add(.ends(end), isLoss: true)
        #expect(skipped.turns == 1 && skipped.facts == 5)
    }

    @Test("Turns that are over leave nothing behind, however long a pause is")
    func turnsInPause() {
        var skipped = SkippedFacts()
        func turn(_ number: UInt32) -> (PromisedRecording.SentEvent, BegunTurn, TurnEnd) {
            (
                PromisedRecording.SentEvent(
                    0, .queue, .unknown, by: .outside, SendMark(at: .zero, number: number), followsTurn: false
                ),
                BegunTurn(number: Int(number), sent: number, event: nil, at: .zero),
                TurnEnd(
                    turn: Int(number), sent: number, outcome: "settled", error: nil, isUnhandled: false,
                    at: .zero, state: nil)
            )
        }
        for number: UInt32 in stride(from: 1, to: 300, by: 3) {
            let (sent, begun, end) = turn(number)
            _ = skipped.add(.turn(sent, begun, end), isLoss: false)
            let (laterSent, laterBegun, laterEnd) = turn(number + 1)
            _ = skipped.add(.begins(laterSent, laterBegun), isLoss: false)
            _ = skipped.add(.ends(laterEnd), isLoss: false)
            let (waiting, whole, last) = turn(number + 2)
            _ = skipped.add(.sent(waiting), isLoss: false)
            _ = skipped.add(.turn(nil, whole, last), isLoss: false)
        }
        #expect(skipped.work == [:] && skipped.turns == 300)
        // One that waited before the pause.
        let (_, begun, end) = turn(400)
        _ = skipped.add(.turn(nil, begun, end), isLoss: false)
        #expect(skipped.work == [OpenWork(kind: .send, number: 400): false])
    }

    @Test(
        "The async work of a run cancelled in a gap is not in flight behind it", arguments: [false, true])
    func cancelledAsync(beginsInGap: Bool) {
        var (session, skipped) = (SessionLines(.all, Redaction()), SkippedFacts())
        let begin: [(RecordedFact.Kind, FactFields)] = [
            (.run, ["run": .number(1)]), (.async, ["id": .number(7), "by": .text("run 1")]),
            (.async, ["id": .number(8), "by": .text("run 2")]),
        ]
        for (kind, fields) in begin {
            if beginsInGap {
                _ = skipped.add(.other(kind, fields, at: .zero), isLoss: false)
            } else {
                var members = [JSONMember("s", 1)]
                for (name, value) in fields { session.set(name, to: value, &members) }
                session.add(kind, members)
            }
        }
        _ = skipped.add(.other(.cancel, ["run": .number(1)], at: .zero), isLoss: false)
        session.skip(skipped.work, windowEnd: nil, of: 1)
        _ = session.takeBytes()
        session.addKey([])
        let text = String(decoding: session.takeBytes(), as: UTF8.self)
        #expect(text.contains(#""id":8"#) && !text.contains(#""id":7"#) && !text.contains("runs"), "\(text)")
    }

    @Test("Of very many systems that have ended, the last ones are known, and no more are kept")
    func manyEnded() {
        var session = SessionLines(.all, Redaction())
        for number in 0..<25_000 {
            session.end(RecordedSystem(number: number, name: "\(number)", state: "", event: "", exact: []))
        }
        var members: [JSONMember] = []
        session.setEnded(limit: .max, &members)
        let ended = members["ended"]?.array ?? []
        #expect(ended.count <= 20_000 && ended.last?["s"]?.int == 24_999)
    }

    @Test("An effect that had ended where the last turns begin is no difference")
    func endedEffect() async throws {
        let session = try RecordedSession(.last(turns: 10))
        let system = recordedShop(session)
        send(.want(1), to: system)
        scheduler.run()
        for number in 0..<250 { send(.text("\(number)"), to: system) }
        let result = try run(try await session.recording())
        #expect(result.difference == nil && result.turns == 0)
        #expect(result.notes.first == "effects had begun before the full states of line 2", "\(result)")
    }

    @Test("Pending events where the last turns begin are in flight, and known when their turns begin")
    func pendingEvents() async throws {
        let session = try RecordedSession(.last(turns: 10))
        let system = recordedShop(session)
        for number in 0..<120 { system.sendEvent(.wait("\(number)")) }
        scheduler.run()
        let recording = try await session.recording()
        let result = try run(recording)
        #expect(result.difference == nil && result.turns == 0, "\(result)")
        #expect(try recording.summary().contains(#".wait("119")"#))
    }

    @Test("The last turns of an asynchronous reducer begin where nothing was in flight")
    func idleBeginning() async throws {
        let session = try RecordedSession(.last(turns: 10))
        let system = recordedShop(session)
        for number in 0..<100 {
            send(.wait("\(number)"), to: system)
            scheduler.run()
            send(.text(""), to: system)
        }
        let recording = try await session.recording()
        let result = try run(recording)
        #expect(result.isSame && result.turns == recording.turns.count - 1, "\(result)")
    }
}
