/// A fact of a recording as text, for people: in a terminal, in a log, on a page.
struct FactText: Sendable, Hashable {
    /// A line, such as `find("tea") is called by turn 2`.
    var text: String
    /// A line for each part of the state that it changes.
    var changes: [String] = []
}

/// Writes facts, in their order, as text. It knows what earlier facts have named, and the states.
struct FactWriter {
    /// A number of a call or of an event in the lines of a system.
    private struct FactName: Hashable {
        let isEvent: Bool, system: Int, number: String
    }

    /// By the number of their system.
    private(set) var states: [Int: RecordedState] = [:]
    private(set) var systems: [Int: RecordedSystem] = [:]
    private(set) var timeline = Timeline()
    private let hasStates: Bool
    private var places: [Int: String] = [:]
    private var names: [FactName: String] = [:]

    /// More changes of one fact are counted.
    private static let maximumChanges = 50

    /// - Parameter hasStates: Whether it follows the states.
    init(hasStates: Bool = true) { self.hasStates = hasStates }

    /// Inserts the time before the first turn.
    mutating func addStart(_ turn: Int) { timeline.addStart(turn) }

    /// - Returns: Nil for a fact that only later ones refer to.
    mutating func write(_ fact: RecordedFact) -> FactText? {
        let changes = apply(fact)
        timeline.add(fact, event: fact.kind.countsTurn ? event(fact) : "")
        guard let text = text(of: fact) else { return nil }
        let place = fact["at"]?.int.flatMap { places[$0] }.map { " (\($0))" } ?? ""
        return FactText(text: text + place, changes: changes)
    }

    // MARK: States

    /// - Returns: What it changes.
    private mutating func apply(_ fact: RecordedFact) -> [String] {
        if fact.kind == .recording { (systems, states, names) = ([:], [:], [:]) }
        let known = fact.kind == .system ? [fact.fields] : fact["systems"]?.array ?? []
        for system in known.compactMap({ RecordedSystem($0) }) {
            systems[system.number] = system
            if hasStates, states[system.number] == nil { states[system.number] = .absent(fact) }
        }
        // Before the state changes, which then needs no copy.
        let number = fact["s"]?.int ?? 0
        var lines: [String] = []
        if fact.kind.concernsStates, case .value(let old)? = states[number] { lines = changes(fact, of: old) }
        for system in Array(states.keys) { states[system]?.apply(fact, system: system) }
        switch states[number] {
        case .text(let text) where fact["x"] != nil: return [text]
        case .unknown(fact.line, let reason): return ["the state is unknown: \(reason)"]
        default: return lines
        }
    }

    private func changes(_ fact: RecordedFact, of old: JSONValue) -> [String] {
        let patch =
            fact["c"].map { try? ValuePatch(json: $0) } ?? fact["v"].map { ValuePatch(from: old, to: $0) }
        let lines = patch?.lines(from: old) ?? []
        let rest = lines.count - Self.maximumChanges
        return lines.prefix(Self.maximumChanges) + (rest > 0 ? ["… and \(rest) more changes"] : [])
    }

    // MARK: Text

    /// An event as in Swift, such as `.add("tea", count: 2)`.
    func event(_ fact: RecordedFact) -> String {
        let isExact = fact["s"]?.int.flatMap { systems[$0] }?.canBeRunAgain ?? true
        guard let event = fact["e"] ?? fact["event"] else {
            return fact["property"]?.string.map { "\(fact["place"]?.string ?? "").\($0)" } ?? "?"
        }
        return isExact ? event.swiftText : event.string ?? event.swiftText
    }

    private mutating func text(of fact: RecordedFact) -> String? {
        func field(_ key: String) -> String { fact[key].map { $0.string ?? $0.swiftText } ?? "" }
        func by(_ word: String) -> String { fact["by"] == nil ? "" : " \(word) \(field("by"))" }
        let isEvent = fact.kind == .send || fact.kind == .drop
        let name = FactName(isEvent: isEvent, system: fact["s"]?.int ?? 0, number: field("id"))
        let run = "run \(field("run"))" + (fact["key"] == nil ? "" : " '\(field("key"))'")
        let failure = fact["error"] == nil ? "" : " with \(errorText(fact))"
        switch fact.kind {
        case .key: return nil
        case .place:
            fact["at"]?.int.map { places[$0] = "\(field("file")):\(field("line"))" }
            return nil
        case .system: return "system '\(field("name"))' of \(field("state"))"
        case .send:
            names[name] = event(fact)
            return "\(event(fact)) is sent\(by("by")), \(field("p"))"
        case .drop: return "\(names[name] ?? "an event") is dropped: \(field("why"))"
        case .begin: return "\(event(fact)) begins\(by("sent by"))"
        case .turn where fact["turn"] != nil: return "turn \(field("turn")) ends: \(field("o"))\(failure)"
        case .turn:
            return event(fact) + by("sent by") + (field("o") == "settled" ? "" : ": \(field("o"))\(failure)")
        case .shown: return fact["r"] == .bool(true) ? "the state is reverted" : "an interim state is shown"
        case .call:
            names[name] = field("name")
            return "\(field("name"))(\(fact["in"]?.argumentText ?? "")) is called\(by("by"))"
        case .answer: return "\(names[name] ?? "a call") \(answer(fact))"
        case .run: return "\(run) starts"
        case .ran: return "\(run) ends\(failure)"
        case .cancel: return "\(run) is cancelled"
        case .write: return "\(event(fact)) of \(field("model")) is written\(by("by"))"
        case .damaged: return "line \(fact.line) cannot be read: \(fact.reason)"
        default:
            let hidden: Set = ["at", "c", "format", "s", "t", "v", "version", "x"]
            let others = (fact.fields.object ?? []).filter { !hidden.contains($0.key) }
            return fact.kind.rawValue + others.map { " \($0.key): \(field($0.key))" }.joined(separator: ",")
        }
    }

    private func answer(_ fact: RecordedFact) -> String {
        if let value = fact["interim"] { return "reports \(value.swiftText)" }
        if fact["error"] != nil { return "fails with \(errorText(fact))" }
        return fact["cancelled"] == nil ? "answers \(fact["out"]?.swiftText ?? "")" : "is cancelled"
    }

    private func errorText(_ fact: RecordedFact) -> String {
        let error = fact["error"]
        return error?["text"]?.string ?? error?.string ?? error?.swiftText ?? ""
    }
}

extension Recording {
    /// Calls `body` with each fact and a writer that knows those before; it is to write the fact.
    ///
    /// - Parameters:
    ///   - first: The first turn of interest. Facts before it come as well, from the last full states on: then the
    ///     second argument of `body` is false.
    ///   - writer: What it knows after the last fact.
    func forEachFact(
        from first: Int, _ writer: inout FactWriter,
        _ body: (RecordedFact, _ isWanted: Bool, inout FactWriter) -> Void
    ) throws(RecordingError) {
        // Before the first turn of a ring, there is its header.
        let isWhole = first <= turns.lowerBound
        let offset = isWhole ? 0 : try segment(at: first).start
        let before = try file.lineNumber(at: offset) - 1
        try file.forEachFact(from: offset, limits) { fact in
            let fact = RecordedFact(turn: fact.turn, fact.kind, fact.fields, line: before + fact.line)
            body(fact, isWhole || fact.turn >= first, &writer)
            return true
        }
    }
}
