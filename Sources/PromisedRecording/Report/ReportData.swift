/// The content of the page of a recording: the turns as a list, and the facts and states in blocks of about 100 turns,
/// each of which can be read alone.
struct ReportData {
    private(set) var writer = FactWriter()
    private(set) var visited: [Int: VisitedStates] = [:]
    private(set) var systems: [Int: RecordedSystem] = [:]
    private(set) var blocks: [(first: Int, json: [UInt8])] = []
    let problems: [RecordingProblem]
    /// The systems whose state is only described in the page, as it is too large.
    private var described: Set<Int> = []
    private var block: [UInt8] = []
    private var size = 0
    private let start: Int
    private let maximumSize: Int

    private static let turnsOfBlock = 100

    /// - Parameters:
    ///   - turns: The number of turns in the page at most.
    ///   - size: The bytes of their facts and states at most.
    init(_ recording: Recording, turns: Int = 50_000, size: Int = 64 << 20) throws(RecordingError) {
        maximumSize = size
        start = max(recording.turns.lowerBound, recording.turns.upperBound - turns + 1)
        problems = try recording.problems(limit: ReportPage.problems + 1)
        var writer = writer
        try recording.forEachFact(from: start, &writer) { fact, isShown, writer in
            if isShown { add(fact, &writer) } else { _ = writer.write(fact) }
            if fact.kind == .system || fact.kind.beginsSegment { systems.merge(writer.systems) { $1 } }
        }
        close()
        if start == recording.turns.lowerBound { writer.addStart(start) }
        self.writer = writer
    }

    private mutating func add(_ fact: RecordedFact, _ writer: inout FactWriter) {
        if blocks.last.map({ fact.turn >= $0.first + Self.turnsOfBlock }) ?? true {
            open(at: fact.turn, writer.states)
        }
        let system = fact["s"]?.int ?? 0
        let isOfSystem = fact.kind.countsTurn || fact.kind == .shown || fact.kind == .system
        // A copy would make the state's next change slow.
        let before = isOfSystem || !fact.kind.concernsStates ? [:] : writer.states
        let isKnown = if case .value? = writer.states[system] { true } else { false }
        let text = writer.write(fact)
        if fact.kind.concernsStates, let state = writer.states[system] {
            visited[system, default: VisitedStates()].add(
                state, isLoading: fact.kind == .shown && fact["r"] == nil,
                cause: writer.timeline.items.last(where: \.isTurn)?.name ?? "")
        }
        var parts: [JSONValue] = [
            .number(fact.turn), .string(fact.kind.rawValue), .number(system), .number(writer.timeline.now),
            .string(text?.text ?? ""), .array(text?.changes.map { .string($0) } ?? []),
        ]
        if isOfSystem {
            parts += change(fact, to: writer.states[system], isKnown: isKnown)
        } else if fact.kind.concernsStates, before != writer.states {
            parts += [.string("*"), page(writer.states)]
        }
        guard text != nil || parts.count > 6 else { return }
        if block.last != UInt8(ascii: "[") { block.append(UInt8(ascii: ",")) }
        JSONValue.array(parts).writePage(to: &block)
    }

    /// The change of the state of the fact's system: nothing; `"c"` and a difference; or `"="` and the state. For
    /// all systems, it is `"*"` and the states.
    ///
    /// - Parameter isKnown: Whether there is a state before to which a difference can be applied.
    private mutating func change(_ fact: RecordedFact, to state: RecordedState?, isKnown: Bool) -> [JSONValue]
    {
        guard let state, fact.kind == .system || fact["v"] ?? fact["c"] ?? fact["x"] != nil else { return [] }
        let (limit, system) = (RecordedState.maximumPageSize, fact["s"]?.int ?? 0)
        if let changes = fact["c"], isKnown, case .value = state, changes.size(upTo: limit) <= limit {
            return described.contains(system) ? [] : [.string("c"), changes]
        }
        return [.string("="), page(state, of: system)]
    }

    private mutating func page(_ states: [Int: RecordedState]) -> JSONValue {
        .object(states.reduce(into: []) { $0.set("\($1.key)", to: page($1.value, of: $1.key)) })
    }

    private mutating func page(_ state: RecordedState, of system: Int) -> JSONValue {
        let page = state.page
        if case .value = state, page["v"] == nil {
            described.insert(system)
        } else {
            described.remove(system)
        }
        return page
    }

    // MARK: Blocks

    private mutating func open(at turn: Int, _ states: [Int: RecordedState]) {
        close()
        blocks.append((turn, []))
        block = Array("{\"states\":".utf8)
        page(states).writePage(to: &block)
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

    /// The turns and the work beside them, in the order in which they began.
    var index: JSONValue {
        let rows = items.map { item in
            JSONValue.array([
                .string(item.kind.rawValue), .number(item.turn), .number(item.system), .string(item.name),
                .string(item.detail), .string(item.outcome), .number(item.start), .number(item.wait),
                .number(item.end ?? -1),
            ])
        }
        return .object([
            "items": .array(rows), "end": .number(writer.timeline.now),
            "blocks": .array(blocks.map { .number($0.first) }),
            "systems": .object(systems.reduce(into: []) { $0.set("\($1.key)", to: .string($1.value.name)) }),
        ])
    }

    /// The first turn for which a page has room.
    var firstTurn: Int { blocks.first?.first ?? start }
    var items: [Timeline.Item] { writer.timeline.items.filter { $0.turn >= firstTurn } }
}
