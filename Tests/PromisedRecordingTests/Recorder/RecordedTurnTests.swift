import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedRecording

/// The lines of events and turns.
@Suite(.tags(.sharedState)) struct RecordedTurnTests {
    private struct Negative: Error {}

    private let session: RecordedSession
    private let scheduler = TestScheduler()

    init() throws { session = try RecordedSession() }

    /// Adds events; those over 99 take as many hundredths of a second as a hundredth of them.
    private func system(
        feedbacks: [Feedback<Int, Int>] = [], middleware: Middleware<Int, Int> = .identity,
        policy: (@Sendable (Int) -> EventPolicy)? = nil,
        timeLimit: @escaping @Sendable (Int) -> Duration? = { _ in nil }
    ) -> System<Int, Int> {
        let system = System<Int, Int>(
            initialState: 0, scheduler: scheduler, feedbacks: feedbacks, middleware: middleware,
            configuration: .init(eventPolicy: policy, timeLimit: timeLimit).recorded(
                by: session.recorder, as: "counter")
        ) { state, event in
            switch event {
            case ..<0: Promise(error: Negative())
            case 100...: Promise.value(state + event).delay(.seconds(event / 100)).interim(state - 1)
            default: .value(state + event)
            }
        }
        system.onError { _ in }
        return system
    }

    private func facts(of system: System<Int, Int>, _ events: Int..., seconds: Int = 0) async throws
        -> [String]
    {
        scheduler.schedule { for event in events { system.sendEvent(event) } }
        scheduler.advance(by: .seconds(seconds))
        defer { withExtendedLifetime(system) {} }
        return try await session.facts()
    }

    @Test("A turn that is over at once is one line, with what it has made of the state")
    func synchronous() async throws {
        let facts = try await facts(of: system(), 3, 0, -1)
        #expect(
            facts == [
                #"1 turn {"e":3,"o":"settled","v":3}"#, #"2 turn {"e":0,"o":"settled"}"#,
                #"3 turn {"e":-1,"error":"Negative()","o":"failed"}"#,
            ])
    }

    @Test("The error of a turn is not that of a run that ends after it") func nextRun() async throws {
        let effect = Feedback<Int, Int>.onEvent({ $0 == 3 ? true : nil }) { _ in Effect.just(4) }
        let facts = try await facts(of: system(feedbacks: [effect]), -1, 3)
        #expect(facts.filter { $0.contains(" ran ") } == [#"2 ran {"run":1}"#])
    }

    @Test("A turn in flight has a line for its beginning, its interim states and its end")
    func inFlight() async throws {
        let facts = try await facts(of: system(), 100, 2, seconds: 1)
        #expect(
            facts == [
                #"1 begin {"e":100,"turn":1}"#, #"1 shown {"v":-1}"#,
                #"1 timer {"after":1000000000,"by":"turn 1","number":1}"#, #"1 send {"e":2,"id":2}"#,
                #"1 fire {"by":"turn 1","number":1}"#, #"1 turn {"o":"settled","turn":1,"v":100}"#,
                #"2 turn {"id":2,"o":"settled","v":102}"#,
            ])
    }

    @Test("A turn that is replaced ends when the next one has begun, and its interim state is reverted")
    func replaced() async throws {
        let facts = try await facts(of: system(policy: { $0 == 5 ? .replace : .queue }), 100, 5)
        #expect(
            facts.dropFirst(3) == [
                #"1 send {"e":5,"id":2,"p":"replace"}"#, #"2 begin {"id":2,"turn":2}"#,
                #"2 shown {"r":true,"v":0}"#,
                #"2 turn {"o":"cancelled","turn":1}"#,
                #"2 turn {"o":"settled","turn":2,"v":5}"#,
            ])
    }

    @Test("An event that is dropped names the reason, and one that is delayed the end of its delay")
    func policies() async throws {
        let policy: @Sendable (Int) -> EventPolicy = {
            $0 == 7 ? .debounce(.seconds(1), key: "seven", keepsOrder: false) : .dropWhileBusy
        }
        let facts = try await facts(of: system(policy: policy), 7, 7, 100, 2, seconds: 3)
        #expect(
            facts.filter { !$0.contains("turn ") && !$0.contains("shown") } == [
                #"0 send {"e":7,"id":1,"p":{"debounce":1000000000,"keepsOrder":false,"key":"seven"}}"#,
                #"0 send {"e":7,"id":2,"p":{"debounce":1000000000,"keepsOrder":false,"key":"seven"}}"#,
                #"0 drop {"id":1,"why":"debounced"}"#,
                #"0 send {"e":100,"id":3,"p":"dropWhileBusy"}"#, #"1 begin {"id":3,"turn":1}"#,
                #"1 send {"e":2,"id":4,"p":"dropWhileBusy"}"#, #"1 drop {"id":4,"why":"busy"}"#,
                #"1 fire {"by":"loop","delay":["seven"],"end":"timer"}"#,
            ])
    }

    @Test("What acts behind a turn says so, and not what acts first after the loop was idle")
    func behindTurns() async throws {
        let system = system(policy: {
            $0 == 7 ? .debounce(.seconds(9), key: "seven", keepsOrder: false) : .queue
        })
        let token = system.settled.subscribe(replayCurrent: false) { [weak system] state in
            // A turn that is over at once, and one that was in flight.
            if state == 1 || state == 165 { system?.flush("seven") }
            if state == 1 { system?.sendEvent(50) }
        }
        system.sendEvent(7)
        scheduler.advance()
        system.sendEvent(1)
        scheduler.advance()
        system.sendEvent(7)
        scheduler.advance()
        system.flush()
        scheduler.advance()
        for event in [7, 100] { system.sendEvent(event) }
        scheduler.advance(by: .seconds(1))
        token.cancel()
        let facts = try await session.facts()
        #expect(
            facts.filter { $0.contains("flush") || $0.contains(#""e":50"#) } == [
                #"1 fire {"by":"loop","delay":["seven"],"end":"flush","follows":true}"#,
                #"1 send {"e":50,"follows":true,"id":3}"#,
                #"3 fire {"by":"loop","delay":["seven"],"end":"flush"}"#,
                #"5 fire {"by":"loop","delay":["seven"],"end":"flush","follows":true}"#,
            ])
    }

    @Test("What is sent in a turn says whether its reducer had returned, also in one that replaces another")
    func reducedTurns() async throws {
        let sending = Lock<(@Sendable (Int, EventPolicy) -> Void)?>(nil)
        let system = System<Int, Int>(
            initialState: 0, scheduler: scheduler,
            configuration: .init().recorded(by: session.recorder, as: "counter")
        ) { state, event in
            let send = sending.withLock { $0 }
            if event == 1 { send?(2, .replace) }
            if event == 2 { send?(3, .queue) }
            return .value(state + event)
        }
        sending.exchange(for: { [weak system] in system?.sendEvent($0, policy: $1) })
        let token = system.settled.subscribe(replayCurrent: false) { [weak system] state in
            if state == 2 { system?.sendEvent(4) }
        }
        scheduler.schedule { system.sendEvent(1) }
        scheduler.advance()
        token.cancel()
        let sent = try await session.facts().filter { $0.contains(" send ") }
        #expect(
            sent == [
                #"1 send {"e":2,"follows":true,"id":2,"p":"replace"}"#,
                #"2 send {"e":3,"follows":true,"id":3}"#,
                #"2 send {"e":4,"follows":true,"id":4,"reduced":true}"#,
            ])
    }

    @Test("A turn that exceeds its time limit fails after the timer of the loop")
    func timeLimit() async throws {
        let facts = try await facts(of: system(timeLimit: { _ in .seconds(2) }), 300, seconds: 3)
        #expect(
            facts.suffix(3) == [
                #"1 fire {"by":"loop","limit":1}"#, #"1 shown {"r":true,"v":0}"#,
                #"1 turn {"error":"The promise did not settle within 2.0 seconds.","o":"failed","turn":1}"#,
            ])
    }

    @Test("Middleware stops events, replaces them, and sends others")
    func middleware() async throws {
        let middleware = Middleware<Int, Int> { event, context in
            if event == 1 { return .stop }
            if event == 3 { context.sendEvent(4) }
            return event == 2 ? .replace(20) : .pass
        }
        let facts = try await facts(of: system(middleware: middleware), 1, 2, 3)
        #expect(
            facts == [
                #"1 turn {"e":1,"o":"stopped"}"#, #"2 turn {"as":20,"e":2,"o":"settled","v":20}"#,
                #"2 send {"e":3,"id":3}"#, #"2 send {"by":"middleware","e":4,"id":4}"#,
                #"3 turn {"id":3,"o":"settled","v":23}"#, #"4 turn {"id":4,"o":"settled","v":27}"#,
            ])
    }

    @Test("The place of an event is named once in each segment")
    func places() async throws {
        let system = system()
        scheduler.advance()
        for _ in 0..<150 {
            system.sendEvent(1)
            scheduler.advance()
        }
        await session.recorder.flush()
        let places = session.text.split(separator: "\n").filter { $0.contains("TurnTests.swift") }
        #expect(places.map { $0.prefix(9) } == [#"{"n":0,"k"#, #"{"n":100,"#])
        let recording = try await session.recording()
        #expect(recording.turns == 0...150)
        #expect(try recording.problems() == [])
    }
}
