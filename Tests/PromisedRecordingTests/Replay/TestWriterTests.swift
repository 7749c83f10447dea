import Foundation
import PromisedSystem
import PromisedTesting
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

    @Test("A test begins before a request of an effect that was still delayed")
    func delayed() async throws {
        let (session, scheduler) = (try RecordedSession(), TestScheduler())
        let system = System<Int, Int>(
            initialState: 0, scheduler: scheduler, reducer: Reducer { $0 += $1 },
            feedbacks: [.onEvent({ $0 == 1 ? 9 : nil }, policy: .debounce(.seconds(1))) { Effect.just($0) }],
            configuration: .init().recorded(by: session.recorder, as: "counter"))
        scheduler.runAsCurrent { for event in [1, 2] { system.sendEvent(event) } }
        scheduler.advance(by: .seconds(1))
        #expect(system.state == 12)
        scheduler.runAsCurrent { system.sendEvent(3) }
        let recording = try await session.recording()
        for (turns, first) in [(1, 12), (2, 0)] {
            let source = try recording.test(ofLast: turns, of: "counter", Int.self, Int.self)
            #expect(source.contains(##"let state: Int = try decode(#"\##(first)"#)"##), "\(source)")
        }
    }

    @Test("What a recording holds is text in the test, whatever it is")
    func hostile() async throws {
        let text = "\"#\\#(1)\u{0}\n\"##\u{2028}*/\u{7F}\u{202E}"
        let session = try RecordedSession()
        let system = System<String, String>(
            initialState: "", scheduler: .immediate,
            configuration: .init().recorded(by: session.recorder, as: "texts"),
            reducer: { .value($0 + $1) })
        system.sendEvent(text)
        let source = try await session.recording().test(ofLast: 1, of: "texts", String.self, String.self)
        let json = (CodedValue(text).json?.text ?? "").replacing("\u{2028}", with: "\\u2028")
            .replacing("\u{7F}", with: "\\u007f").replacing("\u{202E}", with: "\\u202e")
        #expect(source.contains("decode(###\"\(json)\"###)"))
        for hidden in ["\u{0}", "\u{7F}", "\u{202E}", "\u{2028}"] { #expect(!source.contains(hidden)) }
    }

    private func count(_ session: RecordedSession) -> System<Double, Double> {
        System(
            initialState: 0, scheduler: .immediate,
            configuration: .init().recorded(by: session.recorder, as: "sum"), reducer: { .value($0 + $1) })
    }

    @Test("The test begins behind a pause, and ends before the line in which a recording ends")
    func gaps() async throws {
        let session = try RecordedSession()
        let system = count(session)
        for number in [1, 2, 4.0] { system.sendEvent(number) }
        session.recorder.pause()
        system.sendEvent(8)
        session.recorder.resume()
        for number in [16, 32.0] { system.sendEvent(number) }
        let recording = try await session.recording()
        let source = try recording.test(ofLast: 5, of: "sum", Double.self, Double.self)
        #expect(
            source.contains("sum, turns 5 to 6")
                && source.contains("let state: Double = try decode(#\"15\"#)"))
        #expect(source.components(separatedBy: "test.send(").count == 3)
        let torn =
            session.text.split(separator: "\n").prefix(5).joined(separator: "\n") + "\n{\"n\":3,\"k\":\"tu"
        try torn.write(toFile: session.path, atomically: false, encoding: .utf8)
        let rest = try session.openRecording().test(ofLast: 1, of: "sum", Double.self, Double.self)
        #expect(rest.contains("sum, turns 2 to 2"), "\(rest)")
    }

    @Test("Numbers that JSON does not have are decoded in the test")
    func specialNumbers() async throws {
        let session = try RecordedSession()
        let system = count(session)
        system.sendEvent(1)
        let (plain, special) = (
            try await {
                await session.recorder.flush(); return try session.openRecording()
            }(),
            try await {
                system.sendEvent(.infinity); return try await session.recording()
            }()
        )
        let sources = try [plain, special].map { try $0.test(ofLast: 1, of: "sum", Double.self, Double.self) }
        #expect(sources.map { $0.contains("nonConformingFloatDecodingStrategy") } == [false, true])
    }
}
