/// Everything with a duration in a recording: the turns, and the work beside them.
///
/// Instants are nanoseconds since the recording began; sessions that were appended follow each other.
struct Timeline {
    struct Item {
        enum Kind: String { case start, event, write, call, effect, work }

        let kind: Kind
        /// The number of the turn; of other work, that of the turn that began last before it.
        let turn: Int
        let system: Int
        let name: String
        /// The event with its values, the input of a call, the number of an effect's run.
        let detail: String
        let start: Int
        /// How long an event was pending before.
        let wait: Int
        /// Nil while it is in flight.
        var end: Int?
        var outcome = ""

        var isTurn: Bool { kind == .start || kind == .event || kind == .write }
        var duration: Int? { end.map { $0 - start } }
    }

    private struct Key: Hashable {
        let kind: Item.Kind, system: Int, number: String
    }

    private(set) var items: [Item] = []
    /// The instant of the last fact.
    private(set) var now = 0
    private var sessionStart = 0
    private var last = -1
    private var open: [Key: Int] = [:]

    /// Numbers up to here are exact in a browser.
    private static let maximumTime = 1 << 53

    /// - Parameter event: The text of its event, if it counts a turn.
    mutating func add(_ fact: RecordedFact, event: String) {
        if fact.kind == .recording { (sessionStart, open) = (now, [:]) }
        // A clock does not go backwards, and no sum overflows.
        if let time = fact["t"]?.int, 0...Self.maximumTime ~= time {
            now = max(now, min(sessionStart + time, Self.maximumTime))
        }
        defer { last = fact.turn }
        switch fact.kind {
        case .begin: begin(.event, fact, event, by: "turn")
        case .write:
            begin(.write, fact, event)
            items[items.count - 1].end = now
        case .turn:
            // The end of a turn whose beginning is missing counts none.
            guard !end(.event, fact, by: "turn"), fact.turn > last else { break }
            begin(.event, fact, event)
            items[items.count - 1].end = min(
                Self.maximumTime, now + max(0, min(fact["d"]?.int ?? 0, Self.maximumTime)))
            items[items.count - 1].outcome = fact["o"]?.string ?? ""
        case .call: begin(.call, fact, fact.arguments, named: "name", by: "id")
        case .answer: if !fact.isInterim { end(.call, fact, by: "id") }
        case .run: begin(.effect, fact, "run \(number(of: fact, "run"))", named: "key", by: "run")
        case .ran: end(.effect, fact, by: "run")
        case .cancel:
            end(.effect, fact, by: "run")
            endAsync(of: "run \(number(of: fact, "run"))", fact)
        case .async: begin(.work, fact, "of \(number(of: fact, "by"))", by: "id")
        case .asyncEnd: end(.work, fact, by: "id")
        case .key: addOpen(fact)
        default: break
        }
    }

    /// Adds the work in flight at the beginning of a recording of the last turns.
    private mutating func addOpen(_ fact: RecordedFact) {
        for began in fact.openWork where [.run, .call, .async].contains(began.kind) {
            let item: Item.Kind = [.run: .effect, .call: .call][began.kind] ?? .work
            let number = number(of: began, began.kind == .run ? "run" : "id")
            if open[Key(kind: item, system: began["s"]?.int ?? 0, number: number)] == nil {
                add(began, event: "")
            }
        }
    }

    /// Ends the `async` work of a cancelled run, whose own end is not noted.
    private mutating func endAsync(of owner: String, _ fact: RecordedFact) {
        for (key, index) in open where key.kind == .work && key.system == fact["s"]?.int {
            guard items[index].detail == "of \(owner)" else { continue }
            items[index].end = now
            open[key] = nil
        }
    }

    /// Inserts the time before the first turn.
    mutating func addStart(_ turn: Int) {
        if items.first(where: \.isTurn)?.turn == turn { return }
        items.insert(
            .init(
                kind: .start, turn: turn, system: 0, name: "start", detail: "start", start: 0, wait: 0, end: 0
            ), at: 0)
    }

    private func number(of fact: RecordedFact, _ field: String) -> String {
        fact[field].map { $0.string ?? $0.text } ?? ""
    }

    /// - Parameters:
    ///   - name: The member that has the name; if nil, it is the detail without values.
    ///   - number: The member by which the end is found.
    private mutating func begin(
        _ kind: Item.Kind, _ fact: RecordedFact, _ detail: String, named name: String? = nil,
        by number: String? = nil
    ) {
        let system = fact["s"]?.int ?? 0
        if let number, fact[number] != nil {
            open[Key(kind: kind, system: system, number: self.number(of: fact, number))] = items.count
        }
        let short = name == nil ? String(detail.prefix { $0 != "(" && $0 != "{" }) : nil
        let text =
            kind == .work
            ? "asynchronous work"
            : short ?? name.flatMap { fact[$0] }.flatMap { $0 == .null ? nil : $0.string ?? $0.swiftText }
                ?? kind.rawValue
        items.append(
            Item(
                kind: kind, turn: fact.turn, system: system, name: String(text.prefix(60)),
                detail: String(detail.prefix(80)), start: now, wait: min(max(0, fact["w"]?.int ?? 0), now)))
    }

    /// - Returns: Whether its beginning is known.
    @discardableResult
    private mutating func end(_ kind: Item.Kind, _ fact: RecordedFact, by field: String) -> Bool {
        let key = Key(kind: kind, system: fact["s"]?.int ?? 0, number: number(of: fact, field))
        guard let index = open.removeValue(forKey: key) else { return false }
        items[index].end = now
        let isCancelled = fact.kind == .cancel || fact["cancelled"] != nil
        items[index].outcome =
            fact["o"]?.string ?? (isCancelled ? "cancelled" : fact["error"] == nil ? "" : "failed")
        return true
    }
}
