/// A line of a recording.
@usableFromInline
package struct RecordedFact: Sendable, Hashable {
    @usableFromInline
    package enum Kind: String, Sendable, CaseIterable {
        case recording, system, place, send, begin, shown, turn, drop, call, answer, run, ran, cancel, wait,
            timer
        case failed, held, released, fire, async, asyncEnd, write, post, action, key, lost, pause, resume, end
        /// A line that cannot be read: a member `reason` says why, and `kind` what it was, if that is known. It is
        /// never written.
        case damaged
        /// A line of a kind that this version does not know, whose name is in the member `kind`. It is never written.
        case unknown

        /// Whether a segment begins with it: a part of a recording that can be read without the parts before.
        package var beginsSegment: Bool { self == .recording || self == .key }
        /// Whether it counts a turn of its own.
        package var countsTurn: Bool { self == .turn || self == .begin || self == .write }
        /// Whether turns may be missing before it.
        package var mayJump: Bool { beginsSegment || self == .lost || self == .resume }
        /// Whether states depend on it.
        package var concernsStates: Bool {
            mayJump || countsTurn || self == .system || self == .shown || self == .damaged || self == .unknown
        }
    }

    /// How many turns had begun, this fact's own included.
    package let turn: Int
    package let kind: Kind
    /// The other members of the line: an object.
    package let fields: JSONValue
    /// The number of the line, from 1, counted from where reading began; 0 for a fact that was not read.
    package var line = 0

    package init(turn: Int, _ kind: Kind, _ fields: JSONValue, line: Int = 0) {
        (self.turn, self.kind, self.fields, self.line) = (turn, kind, fields, line)
    }

    package subscript(key: String) -> JSONValue? { fields[key] }
    /// Whether facts are missing there, or another session begins.
    var isGap: Bool {
        [.lost, .pause, .resume, .recording, .damaged, .unknown].contains(kind)
    }
    /// The same for a system; it may be under control of time travel there.
    func isGap(of system: Int) -> Bool { isGap || kind == .held && self["s"]?.int == system }
    /// Whether it is an answer after which further ones of the call come.
    var isInterim: Bool { fields.object?.isInterim ?? false }

    /// The members of `open`, with the work in flight at a full state.
    static let openKinds: [(name: String, kind: Kind)] = [
        ("turns", .begin), ("runs", .run), ("calls", .call), ("async", .async), ("held", .held),
    ]

    /// The lines with which the work began that is in flight at this full state.
    var openWork: [RecordedFact] {
        Self.openKinds.flatMap { name, kind in
            (self["open"]?[name]?.array ?? []).map { RecordedFact(turn: turn, kind, $0) }
        }
    }

    /// Appends the fact as a line, with its end.
    package func write(to output: inout [UInt8]) {
        output += "{\"n\":\(turn),\"k\":\"\(kind.rawValue)\"".utf8
        if let members = fields.object, !members.isEmpty {
            output.append(UInt8(ascii: ","))
            JSONValue.write(members, to: &output)
        }
        output += "}\n".utf8
    }
}

extension [JSONMember] {
    /// Whether it is an answer after which further ones of the call come.
    var isInterim: Bool { self["interim"] ?? self["interimx"] != nil }
}

/// The beginning of a line, `{"n":41,"k":"turn"`, which every line has, so that few are read as a whole.
struct LinePrefix {
    let turn: Int
    let kind: RecordedFact.Kind
    let kindName: String

    /// The bytes that are enough for it.
    static let maximumLength = 64

    init?(_ line: some Collection<UInt8>) {
        var rest = line.prefix(Self.maximumLength)
        func skips(_ text: StaticString) -> Bool {
            let isThere = text.withUTF8Buffer { rest.starts(with: $0) }
            if isThere { rest = rest.dropFirst(text.utf8CodeUnitCount) }
            return isThere
        }
        guard skips("{\"n\":") else { return nil }
        let digits = rest.prefix { 0x30...0x39 ~= $0 }
        rest = rest.dropFirst(digits.count)
        guard 1...18 ~= digits.count, skips(",\"k\":\"") else { return nil }
        let name = rest.prefix { 0x41...0x7A ~= $0 }
        rest = rest.dropFirst(name.count)
        guard skips("\"") else { return nil }
        turn = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        kindName = String(decoding: name, as: UTF8.self)
        let known = RecordedFact.Kind(rawValue: kindName) ?? .unknown
        kind = known == .damaged ? .unknown : known
    }
}
