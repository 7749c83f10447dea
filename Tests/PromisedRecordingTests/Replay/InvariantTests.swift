import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedRecording

/// Properties of what really happened.
@Suite(.tags(.sharedState)) struct InvariantTests {
    @Test("The first violation of each property is found, in what was shown and in what was settled")
    func violations() async throws {
        let session = try RecordedSession()
        let recording = try await TeaRoom.record(by: session)
        let violations = try recording.check(TeaRoom.Tables.self, of: "tables") { rules in
            rules.always("few guests") { $0.guests < 10 }
            rules.always("never opening") { !$0.opens }
            rules.wheneverSettled("settled is open") { !$0.opens }
            rules.never("orders vanish", { $0.orders.isEmpty }, after: { !$0.orders.isEmpty })
            rules.never("a note before the ninth turn", { $0.note != nil }, after: { $0.guests == 13 })
        }
        #expect(violations.map(\.name) == ["never opening", "few guests", "a note before the ninth turn"])
        #expect(violations.map(\.turn) == [4, 9, 10])
        #expect(
            violations[0].description.hasPrefix(
                "\(session.path):\(violations[0].line): turn 4 violates 'never opening': {"))
    }

    @Test("A state behind a pause is checked, and a further session begins anew")
    func parts() async throws {
        let session = try RecordedSession()
        for isFirst in [true, false] {
            let recorder =
                isFirst ? session.recorder : try SessionRecorder(to: .file(session.path, appending: true))
            let system = System<Int, Int>(
                initialState: 0, scheduler: .immediate,
                configuration: .init().recorded(by: recorder, as: "counter"), reducer: { .value($0 + $1) })
            system.sendEvent(1)
            recorder.pause()
            system.sendEvent(isFirst ? 100 : 1)
            recorder.resume()
            await recorder.finish()
        }
        let violations = try session.openRecording().check(Int.self, of: "counter") { rules in
            rules.always("small") { $0 < 100 }
            rules.wheneverSettled("settled and small") { $0 < 100 }
            rules.never("back at zero", { $0 == 0 }, after: { $0 > 0 })
        }
        #expect(violations.map(\.name) == ["small", "settled and small"])
        #expect(violations.map(\.turn) == [2, 2])
    }

    @Test("A state is settled while a throttle window is open") func window() async throws {
        let (session, scheduler) = (try RecordedSession(), TestScheduler())
        let system = System<Int, Int>(
            initialState: 0, scheduler: scheduler,
            configuration: .init().recorded(by: session.recorder, as: "counter"), reducer: { .value($0 + $1) }
        )
        scheduler.advance()
        session.recorder.pause()
        system.sendEvent(100, policy: .throttle(.seconds(60), key: "key"))
        scheduler.advance()
        session.recorder.resume()
        // Full states come before the next line.
        system.sendEvent(-100)
        scheduler.advance()
        let recording = try await session.recording()
        #expect(session.text.contains(#""windows":[1]"#))
        let violations = try recording.check(Int.self, of: "counter") { rules in
            rules.wheneverSettled("settled and small") { $0 < 100 }
        }
        #expect(violations.map(\.turn) == [1])
        withExtendedLifetime(system) {}
    }

    /// The turns that violate properties. Events over 99 take a second, and show -1 meanwhile; 150 replaces.
    private func violations(
        of events: Int..., declare: (inout Invariants<Int>) -> Void
    ) async throws -> [Int] {
        let (session, scheduler) = (try RecordedSession(), TestScheduler())
        let system = System<Int, Int>(
            initialState: 0, scheduler: scheduler,
            configuration: .init(eventPolicy: { $0 == 150 ? .replace : .queue }).recorded(
                by: session.recorder, as: "counter")
        ) { state, event in
            event < 100
                ? .value(state + event) : Promise.value(state + event).delay(.seconds(1)).interim(-1)
        }
        scheduler.runAsCurrent { for event in events { system.sendEvent(event) } }
        scheduler.advance(by: .seconds(5))
        withExtendedLifetime(system) {}
        return try await session.recording().check(Int.self, of: "counter", declare).map(\.turn)
    }

    @Test("A state that is a cause and forbidden is forbidden only when it comes again") func cause()
        async throws
    {
        let isOne: @Sendable (Int) -> Bool = { $0 == 1 }
        #expect(try await violations(of: 1) { $0.never("twice", isOne, after: isOne) } == [])
        #expect(try await violations(of: 1, 2, -2) { $0.never("twice", isOne, after: isOne) } == [3])
    }

    @Test("An interim state that a replaced transition leaves to the next one is not settled") func replaced()
        async throws
    {
        for (limit, turns) in [(151, []), (150, [2])] {
            #expect(
                try await violations(of: 100, 150) { rules in
                    rules.wheneverSettled("large") { $0 != -1 && $0 < limit }
                } == turns)
        }
    }

    @Test("A system that was not recorded is an error")
    func unknown() async throws {
        let session = try RecordedSession()
        let recording = try await TeaRoom.record(by: session)
        #expect(throws: RecordingError.self) {
            try recording.check(TeaRoom.Tables.self, of: "chairs") { _ in }
        }
    }
}
