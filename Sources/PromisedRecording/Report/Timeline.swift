/// What takes time in a recording: the turns, and the work beside them.
///
/// Instants are nanoseconds since the recording began; sessions that were appended follow each other.
struct Timeline {
    struct Turn {
        enum Kind: String { case start, event, write }

        let kind: Kind
        let number: Int
        let system: Int
        let event: String
        /// The event without its values.
        let name: String
        let start: Int
        /// How long the event was pending before.
        let wait: Int
        /// Nil while the transition is in flight.
        var duration: Int?
        var outcome = ""
    }

    /// A call, the run of an effect, or asynchronous work.
    struct Span {
        enum Kind: String { case effect, call, work }

        let kind: Kind
        let system: Int
        let name: String, detail: String
        /// The turn that began last when it did.
        let turn: Int
        let start: Int
        /// Nil while it is running.
        var end: Int?
        var outcome = ""
    }

    private struct Key: Hashable {
        let kind: Span.Kind?, system: Int, number: String
    }

    private(set) var turns: [Turn] = []
    private(set) var spans: [Span] = []
    /// The instant of the last fact.
    private(set) var now = 0
    private var sessionStart = 0
    private var last = -1
    private var open: [Key: Int] = [:]

    /// - Parameter event: The text of its event.
    mutating func add(_ fact: RecordedFact, event: @autoclosure () -> String) {
        if fact.kind == .recording { (sessionStart, open) = (now, [:]) }
        // A clock does not go backwards, and no sum overflows.
        if let time = fact["t"]?.int, 0..<Int.max / 4 ~= time {
            now = max(now, min(sessionStart, .max / 4) + time)
        }
        let system = fact["s"]?.int ?? 0
        func key(_ kind: Span.Kind?, _ field: String) -> Key {
            Key(kind: kind, system: system, number: fact[field].map { $0.string ?? $0.text } ?? "")
        }
        defer { last = fact.turn }
        switch fact.kind {
        case .begin, .write: begin(fact, event())
        case .turn:
            if open[key(nil, "turn")] != nil { return end(key(nil, "turn"), fact) }
            // The end of a turn whose beginning is missing counts none.
            guard fact.turn > last else { break }
            begin(fact, event())
            turns[turns.count - 1].duration = fact.duration ?? 0
            turns[turns.count - 1].outcome = fact["o"]?.string ?? ""
        case .call: begin(key(.call, "id"), fact, fact["name"]?.string ?? "", fact["in"]?.argumentText ?? "")
        case .answer where fact["interim"] == nil: end(key(.call, "id"), fact)
        case .run:
            begin(key(.effect, "run"), fact, fact["key"]?.string ?? "effect", "run \(key(nil, "run").number)")
        case .ran, .cancel: end(key(.effect, "run"), fact)
        case .async: begin(key(.work, "by"), fact, "asynchronous work", "of \(key(nil, "by").number)")
        case .asyncEnd: end(key(.work, "by"), fact)
        default: break
        }
    }

    /// Inserts the time before the first turn.
    mutating func addStart(_ number: Int) {
        if turns.first?.number == number { return }
        turns.insert(
            .init(
                kind: .start, number: number, system: 0, event: "start", name: "start", start: 0, wait: 0,
                duration: 0),
            at: 0)
    }

    private mutating func begin(_ fact: RecordedFact, _ event: String) {
        let system = fact["s"]?.int ?? 0
        let name = event.prefix { $0 != "(" && $0 != "{" }.prefix(60)
        turns.append(
            Turn(
                kind: fact.kind == .write ? .write : .event, number: fact.turn, system: system, event: event,
                name: String(name), start: now, wait: min(max(0, fact["w"]?.int ?? 0), now)))
        if fact.kind == .write { turns[turns.count - 1].duration = 0 }
        if fact.kind == .begin, let number = fact["turn"] {
            open[Key(kind: nil, system: system, number: number.text)] = turns.count - 1
        }
    }

    private mutating func begin(_ key: Key, _ fact: RecordedFact, _ name: String, _ detail: String) {
        open[key] = spans.count
        spans.append(
            Span(
                kind: key.kind ?? .work, system: key.system, name: String(name.prefix(60)), detail: detail,
                turn: fact.turn, start: now))
    }

    private mutating func end(_ key: Key, _ fact: RecordedFact) {
        guard let index = open.removeValue(forKey: key) else { return }
        if key.kind == nil {
            turns[index].duration = now - turns[index].start
            turns[index].outcome = fact["o"]?.string ?? ""
        } else {
            let isCancelled = fact.kind == .cancel || fact["cancelled"] != nil
            spans[index].end = now
            spans[index].outcome = isCancelled ? "cancelled" : fact["error"] == nil ? "" : "failed"
        }
    }
}

extension RecordedFact {
    fileprivate var duration: Int? { fields["d"]?.int.map { Swift.max(0, Swift.min($0, .max / 4)) } }
}
