/// A part of a recording that begins with full states, and what of it concerns states.
package struct RecordingSegment: Sendable {
    /// The offset of its first line.
    package let start: Int
    /// The turns whose states it has; the end belongs to the next segment, and is `Int.max` at the end of the
    /// recording.
    package let turns: Range<Int>
    /// The highest turn of its lines.
    package let lastTurn: Int
    /// The facts that concern states, in order.
    package let facts: [RecordedFact]
    /// The systems that exist at its end.
    package let systems: [RecordedSystem]
    /// Earlier systems, as far as the segment lists them.
    let ended: [RecordedSystem]

    /// Reads the lines from `start` on, up to the first one after `turn` that begins a segment.
    init(
        _ file: RecordingFile, from start: Int, covering turn: Int, _ limits: Recording.Limits
    ) throws(RecordingError) {
        var (facts, systems, end, last): ([RecordedFact], [RecordedSystem], Int, Int) = ([], [], .max, 0)
        var ended: [RecordedSystem] = []
        try file.forEachFact(
            from: start, limits, sharing: limits.values, where: { $0.concernsStates || $0 == .end }
        ) { fact in
            if fact.kind.beginsSegment, fact.turn > turn {
                end = fact.turn
                return false
            }
            if fact.kind != .damaged { last = fact.turn }
            if fact.kind == .damaged, facts.last?.kind == .damaged {
                Self.postpone(&facts, to: fact.turn)
            } else if fact.kind.concernsStates, fact.fields != .null {
                facts.append(fact)
            }
            Self.update(&systems, fact)
            if let list = fact["ended"]?.array { ended = list.compactMap { RecordedSystem($0) } }
            return true
        }
        Self.postpone(&facts, to: last + 1)
        (self.start, self.facts, self.systems, self.ended, lastTurn) = (start, facts, systems, ended, last)
        let first = facts.first?.turn ?? 0
        turns = min(first, end)..<end
    }

    /// Of damaged lines, the first says enough. If its turn cannot be read, it was that of the next turn, should this
    /// be missing.
    private static func postpone(_ facts: inout [RecordedFact], to turn: Int) {
        guard let fact = facts.last, fact.kind == .damaged, fact["kind"] == nil else { return }
        facts[facts.count - 1] = RecordedFact(turn: turn, .damaged, fact.fields, line: fact.line)
    }

    private static func update(_ systems: inout [RecordedSystem], _ fact: RecordedFact) {
        switch fact.kind {
        case .recording, .key: systems = fact.systems
        case .system: systems += fact.systems
        default: break
        }
    }

    /// Whether its beginning is undamaged, so that nothing before it says more.
    var isSound: Bool { !facts.isEmpty && facts.prefix(2).allSatisfy { $0.kind != .damaged } }
}
