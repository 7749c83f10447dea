/// Makes facts of lines, and checks their order.
///
/// A line counts if its turn is not lower than that of the line before, and not higher than the next line's: so one
/// damaged digit costs one line, and not all that follow.
struct FactReader: Sendable {
    typealias Body = (RecordedFact) throws(RecordingError) -> Bool

    let limits: Recording.Limits
    /// How many values all lines together may still have; nil if only each line is limited. From the line on that
    /// exceeds it, no fact has fields.
    var valuesLeft: Int?
    /// Which kinds are read as a whole; others have no fields.
    let isWanted: @Sendable (RecordedFact.Kind) -> Bool
    /// The turn of the last line that counts.
    private var last: Int?
    /// A line before which turns are missing, or the first one: the next line decides whether it counts.
    private var pending: RecordedFact?
    private var answers = SegmentAnswers()

    init(
        _ limits: Recording.Limits, sharing values: Int?,
        _ isWanted: @escaping @Sendable (RecordedFact.Kind) -> Bool
    ) {
        (self.limits, valuesLeft, self.isWanted) = (limits, values, isWanted)
    }

    mutating func read(_ line: RecordingFile.FileLine, _ body: Body) throws(RecordingError) -> Bool {
        let prefix = LinePrefix(line.bytes)
        guard try settle(nextTurn: prefix?.turn, body) else { return false }
        let turn = prefix?.turn ?? last ?? 0
        if let last, turn < last {
            return try body(.damaged(line.number, last, "its turn, \(turn), comes after \(last)"))
        }
        let fact = fact(line, prefix)
        if let prefix, turn > (last ?? -2) + (prefix.kind.countsTurn ? 1 : 0) {
            pending = fact
            return true
        }
        last = turn
        return try body(fact)
    }

    /// Passes the pending facts on.
    ///
    /// - Parameter nextTurn: The turn of the next line; nil if it has none, or at the end of the file. Then only a line
    ///   counts before which turns may be missing.
    mutating func settle(nextTurn: Int?, _ body: Body) throws(RecordingError) -> Bool {
        guard let fact = pending else { return true }
        pending = nil
        let isConfirmed = nextTurn.map { $0 >= fact.turn } ?? (last == nil || fact.kind.mayJump)
        let next = (last ?? fact.turn) + 1
        guard isConfirmed else {
            let turn = fact.kind.countsTurn ? next : next - 1
            return try body(.damaged(fact.line, turn, "its turn, \(fact.turn), is out of order"))
        }
        if last != nil, !fact.kind.mayJump {
            let reason = "turns from \(next) on are missing after it"
            guard try body(.damaged(fact.line - 1, next, reason)) else { return false }
        }
        last = fact.turn
        return try body(fact)
    }

    private mutating func fact(_ line: RecordingFile.FileLine, _ prefix: LinePrefix?) -> RecordedFact {
        var reason = "it is no line of a recording"
        if let prefix {
            guard isWanted(prefix.kind), valuesLeft ?? 0 >= 0 else {
                return RecordedFact(turn: prefix.turn, prefix.kind, .null, line: line.number)
            }
            let values = min(valuesLeft ?? .max, limits.values)
            var reader = JSONReader(line.bytes, limit: values)
            defer { if valuesLeft != nil { valuesLeft = values - reader.count } }
            do throws(JSONProblem) {
                if line.bytes.count < line.length {
                    reason = "it has \(line.length) bytes; to read it, raise Recording.Limits.lineBytes"
                } else if case .object(var members) = try reader.document() {
                    members.removeAll { $0.key == "n" || $0.key == "k" }
                    if prefix.kind == .unknown { members.set("kind", to: .string(prefix.kindName)) }
                    if prefix.kind.beginsSegment { answers = SegmentAnswers() }
                    if prefix.kind == .answer, !answers.resolve(&members, reader.count, line.length, limits) {
                        return .damaged(
                            line.number, prefix.turn, "the answer that it refers to cannot be read",
                            kind: prefix.kindName)
                    }
                    return RecordedFact(turn: prefix.turn, prefix.kind, .object(members), line: line.number)
                }
            } catch {
                let place = "at byte \(error.offset + 1) of the line"
                reason =
                    reader.count > values
                    ? "\(place), there are more than \(limits.values) values; to read it, raise Recording.Limits.values"
                    : "\(place), \(error.reason)"
            }
        }
        if !line.isTerminated { reason = "the recording ends within the line; what is before it is whole" }
        // The line that was being written when the recording ended says nothing about those before.
        let kind = line.isTerminated ? prefix?.kindName : "end"
        return .damaged(line.number, prefix?.turn ?? last ?? 0, reason, kind: kind)
    }
}

/// The answers of a segment, to which later ones refer.
private struct SegmentAnswers: Sendable {
    /// By system and call.
    private var values: [[Int]: JSONValue] = [:]
    private var (count, bytes) = (0, 0)

    /// Puts the value in the place of a reference, or keeps it for later ones, within the limits of one line.
    ///
    /// - Returns: False if the answer that it refers to is not there.
    mutating func resolve(
        _ members: inout [JSONMember], _ count: Int, _ bytes: Int, _ limits: Recording.Limits
    ) -> Bool {
        let system = members["s"]?.int ?? 0
        if let call = members["same"]?.int {
            guard let value = values[[system, call]] else { return false }
            members.removeAll { $0.key == "same" }
            members.set("out", to: value)
        } else if let call = members["id"]?.int, let value = members["out"] {
            (self.count, self.bytes) = (self.count + count, self.bytes + bytes)
            if self.count > limits.values || self.bytes > limits.lineBytes { self = SegmentAnswers() }
            values[[system, call]] = value
        }
        return true
    }
}

extension RecordedFact {
    fileprivate static func damaged(_ line: Int, _ turn: Int, _ reason: String, kind: String? = nil) -> Self {
        var members: [JSONMember] = [.init("reason", .string(reason))]
        if let kind { members.set("kind", to: .string(kind)) }
        return Self(turn: turn, .damaged, .object(members), line: line)
    }
}

extension RecordingFile {
    /// Calls `body` with each fact from the line at an offset on, until it returns false.
    ///
    /// - Parameters:
    ///   - values: How many values all lines together may have; nil if only each line is limited.
    ///   - isWanted: Which kinds are read as a whole; others are passed without fields.
    func forEachFact(
        from start: Int, _ limits: Recording.Limits, sharing values: Int? = nil,
        where isWanted: @escaping @Sendable (RecordedFact.Kind) -> Bool = { _ in true },
        _ body: FactReader.Body
    ) throws(RecordingError) {
        var (reader, goesOn) = (FactReader(limits, sharing: values, isWanted), true)
        try forEachLine(from: start, keeping: limits.lineBytes) { (line) throws(RecordingError) in
            goesOn = try reader.read(line, body)
            return goesOn
        }
        if goesOn { _ = try reader.settle(nextTurn: nil, body) }
    }
}
