/// The content of the first line of a recording.
public struct RecordingHeader: Sendable, Hashable {
    /// The name and version of the program, as it was given to the recorder; empty if none was.
    public let program: String
    /// The time at which the recording began, in ISO 8601, as the recorder wrote it.
    public let started: String
    /// The mode of the recorder: `all`, `last` for the last turns only, or `sampled`, which leaves out most states.
    public let mode: String
    /// Whether the program was a debug build.
    public let isDebug: Bool

    /// The version of the format that this library writes, and the newest one that it reads.
    static let version = 1
    static let format = "promised-recording"

    package init(program: String, started: String, mode: String, isDebug: Bool) {
        (self.program, self.started, self.mode, self.isDebug) = (program, started, mode, isDebug)
    }

    /// The first line of a recording.
    package var fact: RecordedFact {
        RecordedFact(
            turn: 0, .recording,
            .object([
                "format": .string(Self.format), "version": .number(Self.version), "program": .string(program),
                "started": .string(started), "mode": .string(mode), "debug": .bool(isDebug),
            ]))
    }

    /// - Throws: An error if the file is no recording, or a newer one.
    init(_ fact: RecordedFact?, path: String) throws(RecordingError) {
        guard let fact, fact.kind == .recording, fact["format"]?.string == Self.format,
            let version = fact["version"]?.int, version > 0
        else { throw .noRecording(path: path) }
        if version > Self.version { throw .newer(path: path, version: version) }
        self.init(
            program: fact["program"]?.string ?? "", started: fact["started"]?.string ?? "",
            mode: fact["mode"]?.string ?? "all", isDebug: fact["debug"] == .bool(true))
    }
}

/// A system, or another object with turns, of a recording.
public struct RecordedSystem: Sendable, Hashable {
    /// The name that the recorder was given for it.
    public let name: String
    /// The type of its states, as the recorded program named it.
    public let state: String
    /// The type of its events, as the recorded program named it.
    public let event: String
    /// Whether its states can be decoded: their type was `Codable`. Otherwise they are recorded as text.
    public let canBePlayedBack: Bool
    /// Whether its events can be decoded as well, so that they can be sent again.
    public let canBeRunAgain: Bool
    /// Its number in the lines of the session.
    package let number: Int

    package init(number: Int, name: String, state: String, event: String, exact: Set<String>) {
        (self.number, self.name, self.state, self.event) = (number, name, state, event)
        canBePlayedBack = exact.contains("state")
        canBeRunAgain = exact.isSuperset(of: ["state", "event"])
    }

    /// Members of its `system` line, and of an element of `systems` in each `key` line.
    package var fields: [JSONMember] {
        let exact = (canBePlayedBack ? ["state"] : []) + (canBeRunAgain ? ["event"] : [])
        return [
            .init("event", .string(event)), .init("exact", .array(exact.map { .string($0) })),
            .init("name", .string(name)), .init("s", .number(number)), .init("state", .string(state)),
        ]
    }

    /// Nil unless it has a number and a name.
    init?(_ fields: JSONValue) {
        guard let number = fields["s"]?.int, let name = fields["name"]?.string else { return nil }
        self.init(
            number: number, name: name, state: fields["state"]?.string ?? "",
            event: fields["event"]?.string ?? "",
            exact: Set(fields["exact"]?.array?.compactMap(\.string) ?? []))
    }
}

extension RecordedFact {
    /// The systems that the line lists: a new one, or all at a full state.
    var systems: [RecordedSystem] {
        switch kind {
        case .system: [fields].compactMap { RecordedSystem($0) }
        case .key: (self["systems"]?.array ?? []).compactMap { RecordedSystem($0) }
        default: []
        }
    }

    /// The number of a system, if the line lists it.
    func number(of name: String) -> Int? { systems.first { $0.name == name }?.number }
}
