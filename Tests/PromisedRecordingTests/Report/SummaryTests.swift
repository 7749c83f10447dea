import Testing

@testable import PromisedRecording

/// The summary of a recording for a terminal.
@Suite struct SummaryTests {
    private func summary(_ session: ShopSession, last: Int? = nil) throws -> [String] {
        try session.text.read { try $0.summary(last: last) }.split(separator: "\n").map(String.init)
    }

    @Test("a line for each fact, with its instant and place, and a line for each change of the state")
    func lines() throws {
        let lines = try summary(ShopSession(rounds: 1))
        for line in [
            #"1  +1 ms  .add("tea 0", count: 1) (Shop/PageScreen.swift:112), 3.5 µs"#,
            #"     +1.5 ms  .load("tea 0") is sent by run 7, replace (Shop/PageScreen.swift:112)"#,
            #"3  +1.75 ms  .load("tea 0") begins"#, "     +2 ms  an interim state is shown",
            #"        status: {"idle":{}} → {"loading":{"_0":"tea 0"}}"#,
            #"     +2.25 ms  find("tea 0") is called by turn 3 (Shop/PageScreen.swift:112)"#,
            #"     +2.5 ms  timer after: 5000000000, by: turn 3, number: 1"#,
            "     +2.75 ms  an event is dropped: busy", #"     +6.75 ms  find reports "half""#,
            #"     +14.8 ms  find answers {"name":"tea 0"}"#,
            #"     +15 ms  .load("tea 0") of turn 3 ends: settled"#,
            "     +28.8 ms  find fails with offline",
            #"     +29 ms  .load("milk 0") of turn 4 ends: failed with offline"#,
            "     +30 ms  run 1 'search' starts (Shop/PageScreen.swift:112)",
            "6  +31.8 ms  rows[0].count of Row is written by run 3 (Shop/PageScreen.swift:112)",
            "        rows[0].count: 0 → 1", "7  +32.5 ms  Event.logged(0), 900 ns", "        Log(0 entries)",
        ] { #expect(lines.contains(line), "\(line)") }
    }

    @Test("facts of one number belong to those of their system") func systems() throws {
        var text = RecordingText()
        for system in [1, 2] { text.add(system: "system \(system)", number: system, 0) }
        func add(_ kind: RecordedFact.Kind, _ members: (Int) -> JSONValue) {
            for system in [1, 2] {
                var fields = members(system).object ?? []
                fields.set("s", to: .number(system))
                if kind == .begin { text.skip(1) }
                text.add(kind, .object(fields))
            }
        }
        add(.send) { .object(["id": 7, "e": .object([.init("send\($0)", .object([]))])]) }
        add(.begin) { _ in .object(["id": 7, "turn": 7]) }
        add(.call) { .object(["id": 7, "name": .string("call\($0)"), "by": "turn 7"]) }
        add(.answer) { .object(["id": 7, "out": .number($0)]) }
        add(.turn) { _ in .object(["turn": 7, "o": "settled"]) }
        let lines = try text.read { try $0.summary() }.split(separator: "\n").map {
            $0.drop { $0 != "n" }.dropFirst(4)
        }
        #expect(
            lines.suffix(8) == [
                ".send1 begins", ".send2 begins", "call1() is called by turn 1",
                "call2() is called by turn 2",
                "call1 answers 1", "call2 answers 2", ".send1 of turn 1 ends: settled",
                ".send2 of turn 2 ends: settled",
            ])
    }

    @Test("the last turns are those of the whole") func last() throws {
        let session = ShopSession(rounds: 25)
        let (all, last) = (try summary(session), try summary(session, last: 7))
        #expect(last.first?.hasPrefix("244  ") == true)
        #expect(Array(all.suffix(last.count)) == last)
        #expect(try summary(session, last: 9_999) == all)
        #expect(try summary(session, last: 0).isEmpty)
    }

    @Test("what is in flight, lost or damaged is named") func end() throws {
        var session = ShopSession(rounds: 1)
        session.addEnd()
        let lines = try summary(session)
        for line in [
            "lost facts: 812", "pause", "resume",
        ] { #expect(lines.contains { $0.hasSuffix(line) }, "\(line)") }
        #expect(lines.contains { $0.contains(" cannot be read: at byte ") })
        #expect(
            lines.suffix(3) == [
                #"still running: .load("late"), since turn 11"#,
                #"still running: find "late", since turn 11"#,
                "still running: watch run 99999, since turn 11",
            ])
    }

    @Test("a terminal gets nothing to obey, and no text in another direction") func controls() throws {
        let text = try ShopSession(rounds: 2).text.read { try $0.summary() }
        var hostile = RecordingText()
        hostile.add(system: "a\u{1B}]0;x\u{7}", .string("\u{202E}é👩\u{200D}👩\u{9B}31m"))
        let shown = try hostile.read { try $0.summary() }
        var result = RunResult(path: "a", system: "b")
        result.difference = .init(
            turn: 1, line: 2, event: "\u{1B}[31m", expected: "\u{9B}31m", actual: "\u{202E}",
            changes: ["\u{7}"])
        result.notes = ["\u{1B}c"]
        let error = RecordingError.unknownSystem(path: "a", name: "b", known: ["\u{1B}c"])
        let problem = RecordingProblem(path: "a", line: 1, reason: "\u{9B}31m")
        for text in [text, shown, result.description, error.description, problem.description] {
            #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
        }
        #expect(shown.contains(#"system 'a\u{1b}]0;x\u{7}' of State"#))
    }
}
