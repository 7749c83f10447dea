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
        #expect(lines.count { $0.contains(#""same""#) } == 121 && lines.count { $0.contains("[0,1,2") } == 4)
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

    @Test(
        "An answer refers only to one that the same system had, whether those of another are equal or not",
        arguments: [0, 1_000])
    func severalSystems(second: Int) async throws {
        let session = try RecordedSession()
        let list = Endpoint<Int, [Int]>("list") { .value(Array($0..<$0 + 100)) }
        let systems = ["first", "second"].map { name in
            System<Int, Int>(
                initialState: 0, scheduler: .immediate,
                configuration: .init().recorded(by: session.recorder, as: name)
            ) { _, event in list(event).map { $0[0] } }
        }
        for _ in 0..<2 {
            systems[0].sendEvent(0)
            systems[1].sendEvent(second)
        }
        let recording = try await session.recording()
        #expect(session.text.split(separator: "\n").count { $0.contains(#""same":1"#) } == 2)
        #expect(try recording.problems() == [])
        var answers: [Int?] = []
        try recording.forEachFact { fact in
            if fact.kind == .answer { answers.append(fact["out"]?.array?.first?.int) }
            return true
        }
        #expect(answers == [0, second, 0, second])
        withExtendedLifetime(systems) {}
    }

    @Test("An answer that refers to one that is damaged, missing, or too far back is a damaged line")
    func unresolved() throws {
        func answer(_ id: Int, _ value: (String, JSONValue)) -> JSONValue {
            .object(["s": .number(1), "id": .number(id), value.0: value.1])
        }
        let list = JSONValue.array((0..<40).map { .number($0) })
        func reasons(_ limits: Recording.Limits = .init(), _ between: (inout RecordingText) -> Void) throws
            -> [String]
        {
            var text = RecordingText()
            text.add(system: "list", .number(0))
            between(&text)
            text.add(.answer, answer(9, ("same", .number(1))))
            return try text.read(limits) { try $0.problems().map(\.reason) }
        }
        let missing = ["the answer that it refers to cannot be read"]
        #expect(try reasons { $0.add(.answer, answer(1, ("out", list))) } == [])
        #expect(try reasons { _ in } == missing)
        #expect(
            try reasons {
                $0.add(.answer, answer(1, ("out", list)))
                $0.addKey()
            } == missing)
        #expect(
            try reasons { $0.add(line: #"{"n":0,"k":"answer","s":1,"id":1,"out":[1}"#) }.last == missing[0])
        // What is kept for references is as limited as a line.
        for limits in [
            Recording.Limits(lineBytes: 1_000, values: 100), .init(lineBytes: 400, values: 1_000),
        ] {
            #expect(
                try reasons(limits) { text in
                    for id in 1...3 { text.add(.answer, answer(id, ("out", list))) }
                } == missing)
        }
    }
}
