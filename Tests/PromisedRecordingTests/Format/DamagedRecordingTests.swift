import Foundation
import TestSupport
import Testing

@testable import PromisedRecording

@Suite("Damaged recordings") struct DamagedRecordingTests {
    /// A recording of about 4 KiB, with full states on the way, and where its lines are.
    private struct Sample {
        private(set) var text = RecordingText()
        private(set) var states = [Counter()]
        /// The offset of each line's end, and the first turn after it that a later line makes known again.
        private(set) var lines: [(end: Int, turn: Int, next: Int)] = []

        init() throws {
            text.distance = 8
            text.add(system: "counter", states[0].json)
            for turn in 1...36 {
                var state = states[turn - 1]
                state.next(turn)
                text.add(turnTo: state.json)
                states.append(state)
            }
            for line in text.bytes.split(separator: UInt8(ascii: "\n")) {
                let prefix = try #require(LinePrefix(line))
                lines.append((line.endIndex, prefix.turn, .max))
                guard prefix.kind == .key else { continue }
                for index in lines.indices.dropLast() where lines[index].next == .max {
                    lines[index].next = prefix.turn
                }
            }
        }

        /// Each turn's state, or nil where it is not known.
        func states(in recording: Recording) throws -> [Counter?] {
            guard recording.systems.contains(where: { $0.name == "counter" && $0.canBePlayedBack }) else {
                return []
            }
            var playback = try recording.playback(of: "counter", Counter.self)
            return try (0...states.count - 1).filter(recording.turns.contains).map { turn in
                try playback.seek(to: turn)
                return try? playback.state
            }
        }
    }

    @Test("a recording that is cut off at any byte is read up to its last whole line")
    func prefixes() throws {
        let sample = try Sample()
        #expect(3_500...4_500 ~= sample.text.bytes.count)
        for end in stride(from: 0, through: sample.text.bytes.count, by: isStress ? 1 : 11) {
            let whole = sample.lines.prefix { $0.end <= end }
            do {
                try read(Array(sample.text.bytes[..<end])) { recording in
                    let turns = whole.last?.turn ?? 0
                    #expect(recording.turns == 0...turns)
                    if whole.count > 1 {
                        #expect(try sample.states(in: recording) == sample.states[...turns].map { $0 })
                    }
                    let lastEnd = whole.last?.end ?? 0
                    let problems = try recording.problems()
                    #expect(problems.map(\.line) == (end <= lastEnd + 1 ? [] : [whole.count + 1]))
                    #expect(problems.allSatisfy { $0.reason.hasPrefix("the recording ends within the line") })
                }
            } catch RecordingError.noRecording, RecordingError.unreadable(_, "it is empty") {
                #expect(whole.isEmpty)
            }
        }
    }

    @Test(
        "with any byte changed, the turns before its line, and those from the next full state on, are as they were"
    )
    func bytes() throws {
        let sample = try Sample()
        var generator = SeededGenerator(seed: firstSeed())
        let replacements = Array(#"09{}[]",:\ekt"#.utf8) + [0, 0x0A, 0x20, 0x7F, 0x80, 0xFF]
        let step = isStress ? 1 : 11
        for index in stride(
            from: Int.random(in: 0..<step, using: &generator), to: sample.text.bytes.count, by: step)
        {
            var bytes = sample.text.bytes
            let byte = replacements.randomElement(using: &generator) ?? 0
            if bytes[index] == byte { continue }
            bytes[index] = byte
            let line = try #require(sample.lines.firstIndex { index <= $0.end })
            do {
                try read(bytes) { recording in
                    let isJoined = index == sample.lines[line].end
                    try check(recording, sample, line, isJoined: isJoined, "byte \(byte) at \(index)")
                }
            } catch RecordingError.noRecording, RecordingError.newer {
                #expect(line == 0)
            }
        }
    }

    private func check(
        _ recording: Recording, _ sample: Sample, _ line: Int, isJoined: Bool, _ change: Comment
    ) throws {
        let problems = try recording.problems()
        #expect(problems.allSatisfy { $0.line >= line }, change)
        let states = try sample.states(in: recording)
        // A name that is damaged hides the system, but no other line.
        guard line > 1 || !states.isEmpty else { return }
        let (_, turn, _) = sample.lines[line]
        // Without its end, a line takes the next one with it.
        let next = sample.lines[min(line + (isJoined ? 1 : 0), sample.lines.count - 1)].next
        for (index, state) in states.enumerated() where index < turn || index >= next {
            #expect(state == sample.states[index], change)
        }
        let isLast = line >= sample.lines.count - 2
        #expect(isLast || recording.turns == 0...sample.states.count - 1, change)
    }

    @Test(
        "a line of any damage is named, with its reason, and what is around it is read",
        arguments: [
            ("no JSON at all", "it is no line of a recording"),
            (#"{"k":"turn","n":2}"#, "it is no line of a recording"),
            ("\u{0}\u{0}\u{0}", "it is no line of a recording"),
            (#"{"n":-1,"k":"turn"}"#, "it is no line of a recording"),
            (#"{"n":1234567890123456789,"k":"call"}"#, "it is no line of a recording"),
            (#"{"n":2,"k":"call","in":"#, "at byte 24 of the line, a value is expected"),
            (#"{"n":2,"k":"call","in":"\ud800"}"#, "at byte 31 of the line, a surrogate is alone"),
            (#"{"n":2,"k":"call","n":3}"#, "at byte 25 of the line, an object has a key twice"),
            (#"{"n":1,"k":"call"}"#, "its turn, 1, comes after 2"),
            (#"{"n":900,"k":"call"}"#, "its turn, 900, is out of order"),
            (#"{"n":900,"k":"key"}"#, "its turn, 900, is out of order"),
            (#"{"n":2,"k":"later","a":1}"#, "its kind, 'later', is unknown"),
            (#"{"n":2,"k":"damaged"}"#, "its kind, 'damaged', is unknown"),
            (#"{"n":2,"k":"shown","s":9,"v":1}"#, "its system is unknown"),
            (#"{"n":2,"k":"shown"}"#, "its system is unknown"),
            (
                #"{"n":2,"k":"shown","s":1,"c":[[[7],1]]}"#,
                "its difference does not fit the state: [7] does not exist"
            ),
            (#"{"n":2,"k":"shown","s":1,"c":7}"#, "its difference does not fit the state: it is no list"),
            (
                "{\"n\":2,\"k\":\"call\",\"in\":" + String(repeating: "[", count: 100_000),
                "at byte 279 of the line, more than 256 values are nested"
            ),
            (
                "{\"n\":2,\"k\":\"call\",\"in\":" + String(repeating: "7", count: 1_000_000) + "}",
                "at byte 1000024 of the line, a number is too long"
            ),
            (
                "{\"n\":2,\"k\":\"call\",\"in\":\"" + String(repeating: "7", count: 2_000_000) + "\"}",
                "it has 2000026 bytes; to read it, raise Recording.Limits.lineBytes"
            ),
            (
                "{\"n\":2,\"k\":\"call\",\"in\":[" + String(repeating: "0,", count: 50_000) + "0]}",
                "at byte 20017 of the line, there are more than 10000 values; to read it, raise Recording.Limits.values"
            ),
        ]) func reasons(line: String, reason: String) throws
    {
        var text = RecordingText()
        text.add(system: "counter", .number(0))
        text.add(turnTo: .number(1))
        text.add(turnTo: .number(2))
        text.add(line: line)
        text.add(turnTo: .number(3))
        text.addKey()
        text.add(turnTo: .number(4))
        try text.read(.init(lineBytes: 1_500_000, values: 10_000)) { recording in
            let problems = try recording.problems()
            #expect(problems == [RecordingProblem(path: recording.file.path, line: 5, reason: reason)])
            #expect(problems.description.contains(":5: \(reason). States are known again"))
            #expect(recording.turns == 0...4)
            var playback = try recording.playback(of: "counter", Int.self)
            for turn in [0, 1, 4] {
                try playback.seek(to: turn)
                #expect(try playback.state == turn)
            }
        }
    }

    @Test("a line of bytes that are no UTF-8 is named")
    func invalidUTF8() throws {
        var text = RecordingText()
        text.add(system: "counter", .number(0))
        let bytes =
            text.bytes + Array(#"{"n":0,"k":"call","in":""#.utf8) + [0xC3, 0x28] + Array("\"}\n".utf8)
        try read(bytes) { recording in
            let problems = try recording.problems()
            #expect(problems.map(\.reason) == ["at byte 28 of the line, a text is no UTF-8"])
        }
    }

    @Test("a turn whose line is missing is noticed, and its state is not guessed")
    func missingTurn() throws {
        var text = RecordingText()
        text.add(system: "counter", .number(0))
        for turn in 1...4 { text.add(turnTo: .number(turn)) }
        var lines = text.bytes.split(separator: UInt8(ascii: "\n"))
        lines.remove(at: 3)
        try read(Array(lines.joined(separator: [UInt8(ascii: "\n")]))) { recording in
            var playback = try recording.playback(of: "counter", Int.self)
            try playback.seek(to: 1)
            #expect(try playback.state == 1)
            try playback.seek(to: 3)
            let problem = try #require(recording.problems().first)
            #expect(throws: RecordingError.unknownState(turn: 3, problem)) { try playback.state }
            let path = recording.file.path
            #expect(
                problem.description == """
                    \(path):3: turns from 2 on are missing after it. States are known again from the next full state on.
                    """)
            #expect(try recording.problems().count == 1)
        }
    }

    @Test("after a line that turns are missing before, a damaged one is named in its order")
    func damagedAfterMissing() throws {
        var text = RecordingText()
        text.add(system: "counter", .number(0))
        text.skip(5)
        text.add(.call)
        text.add(line: "?")
        text.add(.lost)
        text.add(line: "?")
        try text.read { recording in
            let problems = try recording.problems()
            #expect(problems.map(\.line) == [3, 4, 6])
            #expect(problems.first?.reason == "its turn, 5, is out of order")
        }
    }

    @Test("only so many problems are listed as are asked for")
    func manyProblems() throws {
        var text = RecordingText()
        for _ in 0..<2_000 { text.add(line: "?") }
        try text.read { recording in
            let (all, some) = (try recording.problems(), try recording.problems(limit: 7))
            #expect(all.count == 1_000)
            #expect(some.map(\.line) == Array(2...8))
        }
    }

    @Test(
        "a file that is no recording, or a newer one, is refused",
        arguments: [
            ("\n\n", nil), ("{}\n", nil), (#"{"n":0,"k":"recording"}"#, nil),
            (#"{"n":0,"k":"turn","format":"promised-recording","version":1}"#, nil),
            (#"{"n":0,"k":"recording","format":"promised-recording","version":0}"#, nil),
            (#"{"n":0,"k":"recording","format":"promised-recording","version":"1"}"#, nil),
            (#"{"n":0,"k":"recording","format":"promised-recording","version":2,"new":[]}"#, 2),
        ] as [(String, Int?)]) func noRecording(text: String, version: Int?) throws
    {
        do {
            try read(Array(text.utf8)) { recording in _ = Issue.record("it was read: \(recording.header)") }
        } catch RecordingError.newer(_, let newer) {
            #expect(newer == version)
        } catch RecordingError.noRecording {
            #expect(version == nil)
        }
    }

    @Test(
        "a path without a file that can be read is refused at once, a pipe as well",
        arguments: [
            ("none", "No such file or directory"), ("folder", "it is a folder"),
            ("pipe", "it is not a regular file"), ("empty", "it is empty"),
        ])
    func noFile(kind: String, reason: String) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        if kind == "folder" { #expect(mkdir(path, 0o700) == 0) }
        if kind == "pipe" { #expect(mkfifo(path, 0o600) == 0) }
        if kind == "empty" { #expect(FileManager.default.createFile(atPath: path, contents: nil)) }
        #expect(throws: RecordingError.unreadable(path: path, reason: reason)) {
            try Recording(contentsOf: path)
        }
    }

    @Test(
        "many small lines without a full state take no more memory than the limit, and the next full state is found"
    )
    func endlessSegment() throws {
        var text = RecordingText()
        text.add(system: "counter", .number(0))
        for turn in 1...2_000 { text.add(turnTo: .number(turn)) }
        var lines = text.bytes.split(separator: UInt8(ascii: "\n"))
        let last = lines.lastIndex { $0.contains(Array(#""k":"key""#.utf8)) }
        for index in lines.indices.reversed()
        where index != last && lines[index].contains(Array(#""k":"key""#.utf8)) {
            lines.remove(at: index)
        }
        try read(Array(lines.joined(separator: [UInt8(ascii: "\n")])), .init(values: 1_000)) { recording in
            #expect(try recording.segment(at: 1_500).facts.count < 250)
            var playback = try recording.playback(of: "counter", Int.self)
            try playback.seek(to: 50)
            #expect(try playback.state == 50)
            try playback.seek(to: 1_500)
            #expect(throws: RecordingError.self) { try playback.state }
            try playback.seek(to: 2_000)
            #expect(try playback.state == 2_000)
        }
    }
}
