import PromisedSystem
import TestSupport
import Testing

@testable import PromisedRecording

/// Large answers that are the same as the one before.
@Suite struct RepeatedAnswerTests {
    @Test("A large answer is written once for each part that can be read alone, and read everywhere")
    func repeated() async throws {
        let session = try RecordedSession()
        let list = Endpoint<Void, [Int]>("list") { .value(Array(0..<100)) }
        let count = Endpoint<Void, Int>("count") { .value(7) }
        let system = System<Int, Bool>(
            initialState: 0, scheduler: .immediate,
            configuration: .init().recorded(by: session.recorder, as: "list")
        ) { total, isList in
            isList ? list().map { total + $0.count } : count().map { total + $0 }
        }
        for turn in 1...250 { system.sendEvent(turn % 2 == 0) }
        let recording = try await session.recording()
        let lines = session.text.split(separator: "\n").filter { $0.contains(#""k":"answer""#) }
        #expect(lines.count { $0.contains(#""same""#) } == 122 && lines.count { $0.contains("[0,1,2") } == 3)
        var answers: [JSONValue?] = []
        try recording.forEachFact { fact in
            if fact.kind == .answer { answers.append(fact["out"]) }
            return true
        }
        #expect(answers.count == 250 && answers.count { $0?.array?.count == 100 } == 125)
        #expect(answers.allSatisfy { $0 != nil })
        #expect(try recording.problems() == [])
        let result = try recording.run(Int.self, Bool.self, as: "list") { start in
            System(initialState: start.state, scheduler: start.scheduler) { total, isList in
                isList ? list().map { total + $0.count } : count().map { total + $0 }
            }
        }
        #expect(result.isSame, "\(result)")
    }
}
