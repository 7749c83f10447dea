/// What the page of a recording shows: the turns as a list, and the facts and states in blocks of about 100 turns, each
/// of which can be read alone.
struct ReportData {
    private(set) var timeline = Timeline()
    private(set) var visited: [Int: VisitedStates] = [:]
    private(set) var systems: [Int: RecordedSystem] = [:]
    private(set) var problems: [RecordingProblem]
    private(set) var blocks: [(first: Int, json: [UInt8])] = []
    private var writer = FactWriter()
    private var block: [UInt8] = []
    private var size = 0
    private let start: Int

    private let maximumSize: Int

    private static let turnsOfBlock = 100

    /// - Parameters:
    ///   - turns: How many turns the page has at most.
    ///   - size: How many bytes their facts and states have at most.
    init(_ recording: Recording, turns: Int = 50_000, size: Int = 64 << 20) throws(RecordingError) {
        maximumSize = size
        start = max(recording.turns.lowerBound, recording.turns.upperBound - turns + 1)
        problems = try recording.problems(limit: 100)
        // A ring has a header before its first turn.
        let isWhole = start == recording.turns.lowerBound
        let offset = isWhole ? 0 : try recording.segment(at: start).start
        let before = try recording.file.lineNumber(at: offset) - 1
        try recording.file.forEachFact(from: offset, recording.limits) { fact in
            add(
                .init(turn: fact.turn, fact.kind, fact.fields, line: before + fact.line),
                isShown: isWhole || fact.turn >= start)
            return true
        }
        close()
        if isWhole { timeline.addStart(start) }
    }

    private mutating func add(_ fact: RecordedFact, isShown: Bool) {
        if isShown, blocks.last.map({ fact.turn >= $0.first + Self.turnsOfBlock }) ?? true {
            open(at: fact.turn)
        }
        let system = fact["s"]?.int ?? 0
        let before = writer.states
        let text = writer.write(fact)
        systems.merge(writer.systems) { $1 }
        guard isShown else { return }
        timeline.add(fact, event: writer.event(fact))
        if writer.states[system] != nil, fact.kind.concernsStates {
            visited[system, default: VisitedStates()].add(
                writer.states[system], isLoading: fact.kind == .shown && fact["r"] == nil,
                cause: timeline.turns.last?.name ?? "")
        }
        var parts: [JSONValue] = [
            .number(fact.turn), .string(fact.kind.rawValue), .number(system), .number(timeline.now),
            .string(text?.text ?? ""), .array(text?.changes.map { .string($0) } ?? []),
        ]
        parts += change(fact, of: system, from: before)
        guard text != nil || parts.count > 6 else { return }
        if block.last != UInt8(ascii: "[") { block.append(UInt8(ascii: ",")) }
        JSONValue.array(parts).writePage(to: &block)
    }

    /// What the fact changes of the states: nothing; for its system `"c"` and a difference, or `"="` and a state; `"*"`
    /// and all states.
    private func change(_ fact: RecordedFact, of system: Int, from before: [Int: RecordedState])
        -> [JSONValue]
    {
        let states = writer.states
        switch fact.kind {
        case .turn, .shown, .write, .system:
            guard let state = states[system],
                fact.kind == .system || fact["v"] ?? fact["c"] ?? fact["x"] != nil
            else { return [] }
            if let changes = fact["c"], case .value? = before[system], case .value = state,
                changes.size(upTo: RecordedState.maximumPageSize) <= RecordedState.maximumPageSize
            {
                return [.string("c"), changes]
            }
            return [.string("="), state.page]
        default: return fact.kind.concernsStates && states != before ? [.string("*"), page(states)] : []
        }
    }

    private func page(_ states: [Int: RecordedState]) -> JSONValue {
        .object(states.reduce(into: []) { $0.set("\($1.key)", to: $1.value.page) })
    }

    // MARK: Blocks

    private mutating func open(at turn: Int) {
        close()
        blocks.append((turn, []))
        block = Array("{\"states\":".utf8)
        page(writer.states).writePage(to: &block)
        block += ",\"facts\":[".utf8
    }

    /// Ends the block, and drops the oldest ones where there is too much.
    private mutating func close() {
        guard !blocks.isEmpty else { return }
        blocks[blocks.count - 1].json = block + Array("]}".utf8)
        size += block.count
        while size > maximumSize, blocks.count > 1 { size -= blocks.removeFirst().json.count }
    }

    // MARK: Index

    /// The turns, and the work beside them, each as a list.
    var index: JSONValue {
        let turns = shownTurns.map { turn in
            JSONValue.array([
                .number(turn.number), .number(turn.system), .string(turn.name), .string(turn.outcome),
                .string(turn.kind.rawValue), .number(turn.start), .number(turn.wait),
                .number(turn.duration ?? -1),
            ])
        }
        let spans = shownSpans.map { span in
            JSONValue.array([
                .string(span.kind.rawValue), .string(span.name), .string(String(span.detail.prefix(80))),
                .string(span.outcome), .number(span.turn), .number(span.start), .number(span.end ?? -1),
            ])
        }
        let names = systems.values.map { JSONMember("\($0.number)", .string($0.name)) }
        return .object([
            "turns": .array(turns), "spans": .array(spans), "end": .number(timeline.now),
            "blocks": .array(blocks.map { .number($0.first) }),
            "systems": .object(names.sorted { $0.key.byteOrder(to: $1.key) < 0 }),
        ])
    }

    /// The first turn for which a page has room.
    var firstTurn: Int { blocks.first?.first ?? start }
    var shownTurns: [Timeline.Turn] { timeline.turns.filter { $0.number >= firstTurn } }
    var shownSpans: [Timeline.Span] { timeline.spans.filter { $0.turn >= firstTurn } }
}
