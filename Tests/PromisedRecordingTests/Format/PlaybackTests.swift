import Foundation
import TestSupport
import Testing

@testable import PromisedRecording

@Suite("Playback") struct PlaybackTests {
    /// A recording of so many turns, and the states of each.
    private func counters(_ turns: Int) -> (text: RecordingText, states: [Counter]) {
        var (text, states) = (RecordingText(), [Counter()])
        text.add(system: "counter", states[0].json)
        for turn in 1...turns {
            var state = states[turn - 1]
            state.next(turn)
            if turn % 11 == 0 { text.add(.call, .object(["s": .number(1), "id": .number(turn)])) }
            text.add(turnTo: state.json)
            states.append(state)
        }
        return (text, states)
    }

    @Test("R25: forwards, backwards and at once, each turn has the state that was recorded")
    func everyTurn() throws {
        let (text, states) = counters(rounds(350, stress: 20_000))
        try text.read { recording in
            #expect(recording.turns == 0...states.count - 1)
            #expect(try recording.problems() == [])
            var playback = try recording.playback(of: "counter", Counter.self)
            #expect(try playback.state == states[0])
            while try playback.step() {
                #expect(try playback.state == states[playback.turn])
                #expect(try playback.repairs == [])
            }
            #expect(playback.turn == states.count - 1)
            while try playback.stepBack() { #expect(try playback.state == states[playback.turn]) }
            #expect(playback.turn == 0)
            var generator = SeededGenerator(seed: firstSeed())
            for _ in 0..<rounds(100, stress: 5_000) {
                let turn = Int.random(in: 0..<states.count, using: &generator)
                try playback.seek(to: turn)
                #expect(try playback.state == states[turn])
            }
        }
    }

    @Test("full states are at most 100 turns apart, so that a turn needs no more than those before it")
    func segments() throws {
        try counters(1_050).text.read { recording in
            for turn in [0, 99, 100, 101, 999, 1_000, 1_050] {
                let segment = try recording.segment(at: turn)
                #expect(segment.turns.lowerBound == turn / 100 * 100)
                #expect(segment.facts.count <= 102)
                #expect(segment.isSound)
            }
        }
    }

    @Test(
        "the last state of a released system is that of its last turn, wherever full states follow",
        arguments: 97...102)
    func released(turns: Int) async throws {
        let session = try RecordedSession()
        do {
            let counter = System(
                initialState: 0, scheduler: .immediate, reducer: Reducer<Int, Int> { $0 += $1 },
                configuration: .init().recorded(by: session.recorder, as: "counter"))
            for _ in 0..<turns { counter.sendEvent(1) }
        }
        let other = System(
            initialState: 0, scheduler: .immediate, reducer: Reducer<Int, Int> { $0 += $1 },
            configuration: .init().recorded(by: session.recorder, as: "other"))
        for _ in 0..<150 { other.sendEvent(1) }
        var playback = try await session.recording().playback(of: "counter", Int.self)
        try playback.seek(to: turns)
        #expect(try playback.state == turns)
    }

    @Test(
        "a damaged line hides the state if those of its kind can change it",
        arguments: RecordedFact.Kind.allCases.filter { !$0.beginsSegment })
    func kinds(kind: RecordedFact.Kind) throws {
        var text = RecordingText()
        text.add(system: "counter", .number(0))
        text.add(turnTo: .number(1))
        text.add(line: #"{"n":1,"k":"\#(kind.rawValue)","s":1,"#)
        text.add(.call)
        try text.read { recording in
            var playback = try recording.playback(of: "counter", Int.self)
            try playback.seek(to: 1)
            let hiding: [RecordedFact.Kind] = [
                .system, .begin, .shown, .turn, .write, .lost, .resume, .damaged, .unknown,
            ]
            #expect((try? playback.state) == (hiding.contains(kind) ? nil : 1))
        }
    }

    @Test(
        "where facts are missing, the state is unknown up to the next full one",
        arguments: [RecordedFact.Kind.lost, .resume])
    func missingFacts(kind: RecordedFact.Kind) throws {
        var text = RecordingText()
        text.add(system: "counter", .number(0))
        text.add(turnTo: .number(1))
        text.skip(3)
        text.add(kind)
        text.add(turnTo: .number(6))
        text.addKey()
        try text.read { recording in
            var playback = try recording.playback(of: "counter", Int.self)
            var states: [Int?] = []
            repeat { states.append(try? playback.state) } while try playback.step()
            #expect(states == [0, 1, nil, nil, nil, 6])
        }
    }

    @Test("a line that the end of the recording has cut off leaves the state before known") func torn() throws
    {
        var text = RecordingText()
        text.add(system: "counter", .number(0))
        text.add(turnTo: .number(1))
        try read(text.bytes + Array(#"{"n":1,"k":"shown","s":1,"c":[[["#.utf8)) { recording in
            var playback = try recording.playback(of: "counter", Int.self)
            try playback.seek(to: 1)
            #expect(try playback.state == 1)
        }
    }

    @Test("the changes are those from the turn before, across full states as well")
    func changes() throws {
        try counters(250).text.read { recording in
            var playback = try recording.playback(of: "counter", Counter.self)
            #expect(try playback.changes.changes.isEmpty)
            for turn in [100, 101, 200] {
                try playback.seek(to: turn)
                #expect(try playback.changes.description.contains("count: \(turn - 1) → \(turn)"))
                #expect(playback.turn == turn)
            }
        }
    }

    @Test("a turn that is in flight when others are has the states that are shown by then")
    func interimStates() throws {
        var text = RecordingText()
        text.add(system: "a", number: 1, .number(0))
        text.add(system: "b", number: 2, .number(0))
        text.skip(1)
        text.add(.begin, .object(["s": .number(1), "turn": .number(1)]))
        text.add(change: .number(5), system: 1, .shown)
        text.add(turnTo: .number(7), system: 2, .write)
        text.add(change: .number(6), system: 1, .turn)
        try text.read { recording in
            var first = try recording.playback(of: "a", Int.self)
            var second = try recording.playback(of: "b", Int.self)
            let states = try (0...2).map { turn in
                try first.seek(to: turn)
                try second.seek(to: turn)
                return try [first.state, second.state]
            }
            #expect(states == [[0, 0], [5, 0], [6, 7]])
        }
    }

    @Test("facts that were lost, and pauses, leave gaps up to the next full state")
    func gaps() throws {
        var text = RecordingText()
        text.add(system: "counter", .number(0))
        text.add(turnTo: .number(1))
        text.skip(5)
        text.add(.lost, .object(["facts": .number(9)]))
        text.add(turnTo: .number(2))
        text.addKey()
        text.add(turnTo: .number(3))
        try text.read { recording in
            #expect(try recording.problems() == [])
            var playback = try recording.playback(of: "counter", Int.self)
            try playback.seek(to: 1)
            #expect(try playback.state == 1)
            let problem = RecordingProblem(
                path: recording.file.path, line: 4, reason: "facts before it are missing")
            for turn in (2...6).reversed() {
                try playback.seek(to: turn)
                #expect(throws: RecordingError.unknownState(turn: turn, problem)) { try playback.state }
            }
            try playback.seek(to: 8)
            #expect(try playback.state == 3)
        }
    }

    @Test("a recording of the last turns begins with the turn of its first full state")
    func lastTurns() throws {
        let (text, states) = counters(350)
        let lines = text.bytes.split(separator: UInt8(ascii: "\n"))
        let key = try #require(lines.firstIndex { $0.starts(with: Array(#"{"n":200,"k":"key""#.utf8)) })
        let bytes = Array(([lines[0]] + lines[key...]).joined(separator: [UInt8(ascii: "\n")]))
        try read(bytes) { recording in
            #expect(recording.turns == 200...350)
            #expect(try recording.problems() == [])
            var playback = try recording.playback(of: "counter", Counter.self)
            #expect(try playback.state == states[200])
            try playback.seek(to: 349)
            #expect(try playback.state == states[349])
            #expect(throws: RecordingError.unknownTurn(path: recording.file.path, turn: 5, turns: 200...350))
            {
                try playback.seek(to: 5)
            }
            #expect(playback.turn == 349)
        }
    }

    @Test("a session that was appended goes on counting, and its systems are found by their names")
    func sessions() throws {
        var text = RecordingText()
        text.add(system: "a", number: 1, .number(1))
        text.add(turnTo: .number(2), system: 1)
        text.add(.recording)
        text.add(system: "b", number: 1, .number(10))
        text.add(system: "a", number: 2, .number(20))
        text.add(turnTo: .number(21), system: 2)
        try text.read { recording in
            #expect(recording.systems.map(\.name) == ["a", "b"])
            var playback = try recording.playback(of: "a", Int.self)
            #expect(try playback.state == 1)
            try playback.seek(to: 2)
            #expect(try playback.state == 21)
            var other = try recording.playback(of: "b", Int.self)
            #expect(throws: RecordingError.self) { try other.state }
            try other.seek(to: 1)
            #expect(try other.state == 10)
        }
    }

    @Test(
        "a state of a type that has changed is repaired, and one that is no such value names its turn and part"
    )
    func changedTypes() throws {
        struct Newer: Codable, Sendable { var count: Int, title: String }
        struct Other: Codable, Sendable { var count: String }
        try counters(3).text.read { recording in
            let newer = try recording.playback(of: "counter", Newer.self)
            #expect(try newer.repairs == ["title: missing in the recording, filled in"])
            var other = try recording.playback(of: "counter", Other.self)
            try other.seek(to: 2)
            let expected = RecordingError.undecodable(
                path: recording.file.path, turn: 2, type: "Other",
                reason: "count: Expected to decode String but found number instead.")
            #expect(throws: expected) { try other.state }
        }
    }

    @Test("what cannot be played back is refused with what there is")
    func refusals() throws {
        var text = RecordingText()
        text.add(system: "a", number: 1, .number(1), exact: ["event"])
        text.add(system: "b", number: 2, .number(1))
        try text.read { recording in
            let path = recording.file.path
            #expect(recording.systems.map(\.canBePlayedBack) == [false, true])
            #expect(recording.systems.map(\.canBeRunAgain) == [false, true])
            #expect(throws: RecordingError.unknownSystem(path: path, name: "c", known: ["a", "b"])) {
                try recording.playback(of: "c", Int.self)
            }
            #expect(throws: RecordingError.textOnly(path: path, name: "a", state: "State")) {
                try recording.playback(of: "a", Int.self)
            }
        }
    }

    @Test("facts are read from any turn on, with the numbers of their lines")
    func facts() throws {
        try counters(250).text.read { recording in
            var (all, later): ([RecordedFact], [RecordedFact]) = ([], [])
            try recording.forEachFact { fact in
                all.append(fact)
                return true
            }
            try recording.forEachFact(from: 150) { fact in
                later.append(fact)
                return fact.turn < 160
            }
            #expect(all.map(\.line) == Array(1...all.count))
            #expect(later == all.filter { 150...159 ~= $0.turn } + all.filter { $0.turn == 160 }.prefix(1))
        }
    }
}
