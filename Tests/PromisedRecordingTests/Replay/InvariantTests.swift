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

    @Test("A system that was not recorded is an error")
    func unknown() async throws {
        let session = try RecordedSession()
        let recording = try await TeaRoom.record(by: session)
        #expect(throws: RecordingError.self) {
            try recording.check(TeaRoom.Tables.self, of: "chairs") { _ in }
        }
    }
}
