import Foundation

@testable import PromisedRecording

/// Writes recordings as a recorder does, for tests.
struct RecordingText {
    private(set) var bytes: [UInt8] = []
    private(set) var turn = 0
    private var states: [Int: JSONValue] = [:]
    private var systems: [RecordedSystem] = []

    /// After how many turns a full state follows.
    var distance = 100

    init() {
        add(.recording, RecordingHeader(program: "test", started: "", mode: "all", isDebug: true).fact.fields)
    }

    /// Writes a line.
    mutating func add(_ kind: RecordedFact.Kind, _ fields: JSONValue = .object([])) {
        RecordedFact(turn: turn, kind, fields).write(to: &bytes)
    }

    mutating func add(
        system name: String, number: Int = 1, _ state: JSONValue, exact: Set<String> = ["state", "event"]
    ) {
        let system = RecordedSystem(number: number, name: name, state: "State", event: "Event", exact: exact)
        systems.append(system)
        states[number] = state
        var fields = system.fields
        fields.set("v", to: state)
        add(.system, .object(fields))
    }

    /// Writes a turn that makes `state` of the system's state, and a full state where one is due.
    mutating func add(turnTo state: JSONValue, system: Int = 1, _ kind: RecordedFact.Kind = .turn) {
        turn += 1
        add(change: state, system: system, kind)
        if turn % distance == 0 { addKey() }
    }

    /// Writes a line with a difference.
    mutating func add(change state: JSONValue, system: Int = 1, _ kind: RecordedFact.Kind) {
        let patch = ValuePatch(from: states[system] ?? .null, to: state)
        states[system] = state
        add(kind, .object(["s": .number(system), "c": patch.json, "e": .object(["next": .object([])])]))
    }

    mutating func addKey() {
        var all: [JSONMember] = []
        for (system, state) in states { all.set("\(system)", to: state) }
        let systems = JSONValue.array(systems.map { .object($0.fields) })
        add(.key, .object(["states": .object(all), "systems": systems]))
    }

    /// Writes a line as it is.
    mutating func add(line: String) { bytes += "\(line)\n".utf8 }

    /// Lets turns be lost.
    mutating func skip(_ turns: Int) { turn += turns }

    /// The bytes as a file that is removed when `body` has returned.
    func read<Result>(_ limits: Recording.Limits = .init(), _ body: (Recording) throws -> Result) throws
        -> Result
    {
        try PromisedRecordingTests.read(bytes, limits, body)
    }
}

/// A state of generated recordings.
struct Counter: Codable, Hashable, Sendable {
    var count = 0, rows: [Row] = []

    struct Row: Codable, Hashable, Sendable {
        var id: Int, text: String
    }

    var json: JSONValue { CodedValue(self).json ?? .null }

    /// The state after a turn: each turn counts, and some insert, change or remove a row.
    mutating func next(_ turn: Int) {
        count = turn
        switch turn % 7 {
        case 1: rows.append(.init(id: turn, text: "row \(turn) </script>"))
        case 3: if !rows.isEmpty { rows[turn % rows.count].text += "é\u{0}" }
        case 5: if rows.count > 5 { rows.remove(at: turn % rows.count) }
        default: break
        }
    }
}

/// Reads bytes from a file that is removed when `body` has returned.
func read<Result>(
    _ bytes: [UInt8], _ limits: Recording.Limits = .init(), _ body: (Recording) throws -> Result
) throws -> Result {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jsonl").path
    guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else {
        throw CocoaError(.fileWriteUnknown)
    }
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(Recording(contentsOf: path, limits: limits))
}
