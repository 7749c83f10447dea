import Foundation
import PromisedSystem
import TestSupport
import Testing

@testable import PromisedRecording

/// A test from a recording.
@Suite(.tags(.noSharedState)) struct TestWriterTests {
    @Test("The test of the last turns is the one that this module compiles and runs")
    func pasted() async throws {
        let session = try RecordedSession()
        let source = try await TeaRoom.record(by: session).test(
            ofLast: 8, of: "tables", TeaRoom.Tables.self, TeaRoom.Step.self,
            making: "TeaRoom().system(on: scheduler, from: state)", endpoint: { "TeaRoom().\($0)" })
        let pasted = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "RecordedTurns.swift")
        #expect(try source == String(contentsOf: pasted, encoding: .utf8))
    }

    @Test("What a recording holds is text in the test, whatever it is")
    func hostile() async throws {
        let text = "\"#\\#(1)\u{0}\n\"##\u{2028}*/"
        let session = try RecordedSession()
        let system = System<String, String>(
            initialState: "", scheduler: .immediate,
            configuration: .init().recorded(by: session.recorder, as: "texts"),
            reducer: { .value($0 + $1) })
        system.sendEvent(text)
        let source = try await session.recording().test(ofLast: 1, of: "texts", String.self, String.self)
        let json = CodedValue(text).json?.text ?? ""
        #expect(source.contains("decode(###\"\(json)\"###)"))
        #expect(!source.contains("\u{0}"))
    }
}
