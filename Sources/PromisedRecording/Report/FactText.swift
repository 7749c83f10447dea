/// A fact of a recording as text, for people: in a terminal, in a log, on a page.
struct FactText: Sendable, Hashable {
    /// A line, such as `find("tea") is called by turn 2`.
    var text: String
    /// A line for each part of the state that it changes.
    var changes: [String] = []
}

/// Writes facts, in their order, as text. It keeps the names from earlier facts, and the states.
struct FactWriter {
    /// The number of a turn, a call or a sent event in the lines of a system.
    private struct FactName: Hashable {
        let kind: RecordedFact.Kind, system: Int, number: String

        init(_ kind: RecordedFact.Kind, _ fact: RecordedFact, number: String) {
            (self.kind, system, self.number) = (kind, fact["s"]?.int ?? 0, number)
        }

        init(_ kind: RecordedFact.Kind, _ fact: RecordedFact, _ member: String) {
            self.init(kind, fact, number: fact[member].map { $0.string ?? $0.text } ?? "")
        }
    }

    /// By the number of their system.
    private(set) var states: [Int: RecordedState] = [:]
    private(set) var systems: [Int: RecordedSystem] = [:]
    private(set) var timeline = Timeline()
    private let hasStates: Bool
    private var places: [Int: String] = [:]
    /// The turns and calls in flight, and the events that are enqueued.
    private var names: [FactName: (text: String, turn: Int)] = [:]
    /// The events of the last turns, by system.
    private var events: [Int: String] = [:]

    /// More changes of one fact are counted.
    private static let maximumChanges = 50

    /// - Parameter hasStates: Whether it follows the states.
    init(hasStates: Bool = true) { self.hasStates = hasStates }

    /// Inserts the time before the first turn.
    mutating func addStart(_ turn: Int) { timeline.addStart(turn) }

    /// - Returns: Nil for a fact that only later ones refer to.
    mutating func write(_ fact: RecordedFact) -> FactText? {
        let changes = apply(fact)
        if fact.kind.countsTurn { events[fact["s"]?.int ?? 0] = eventText(fact) }
        timeline.add(fact, event: event(of: fact))
        guard let text = text(of: fact) else { return nil }
        let place = fact["at"]?.int.flatMap { places[$0] }.map { " (\($0))" } ?? ""
        return FactText(text: text + place, changes: changes)
    }

    // MARK: States

    /// - Returns: The changes of the state.
    private mutating func apply(_ fact: RecordedFact) -> [String] {
        if fact.kind == .recording { (systems, states, names) = ([:], [:], [:]) }
        for system in fact.systems {
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

    /// The event of the turn to which a fact belongs that was just written.
    func event(of fact: RecordedFact) -> String { events[fact["s"]?.int ?? 0] ?? "" }

    /// An event as in Swift, such as `.add("tea", count: 2)`; that of the event's `send` line or of the turn's
    /// beginning if the fact refers to one.
    private func eventText(_ fact: RecordedFact) -> String {
        fact.writtenProperty ?? fact.text("as") ?? fact.text("e") ?? fact.text("event") ?? names[
            FactName(.begin, fact, "turn")]?.text
            ?? names[FactName(.send, fact, "id")]?.text ?? "an event"
    }

    private mutating func text(of fact: RecordedFact) -> String? {
        func field(_ key: String) -> String { fact[key]?.string ?? fact.text(key) ?? "" }
        func by(_ word: String) -> String { fact["by"] == nil ? "" : " \(word) \(owner(of: fact))" }
        let (send, call, turn) = (
            FactName(.send, fact, "id"), FactName(.call, fact, "id"), FactName(.begin, fact, "turn")
        )
        let event = event(of: fact)
        let run = "run \(field("run"))" + ((fact["key"] ?? .null) == .null ? "" : " '\(field("key"))'")
        let failure = fact["error"] == nil ? "" : " with \(errorText(fact))"
        let isUnhandled = fact["u"] == .bool(true)
        let outcome =
            field("o") == "settled" ? isUnhandled ? ": nothing takes it" : "" : ": \(field("o"))\(failure)"
        switch fact.kind {
        case .key:
            for began in fact.openWork where began.kind == .call { _ = self.text(of: began) }
            return nil
        case .place:
            // A write to a property does not know its place.
            if fact["line"]?.int != 0 {
                fact["at"]?.int.map { places[$0] = "\(field("file")):\(field("line"))" }
            }
            return nil
        case .system: return "system '\(field("name"))' of \(field("state"))"
        case .send:
            let sent = eventText(fact)
            names[send] = (sent, fact.turn)
            return "\(sent) is sent\(by("by"))" + (fact["p"] == nil ? "" : ", \(field("p"))")
        case .drop:
            return "\(names.removeValue(forKey: send)?.text ?? "an event") is dropped: \(field("why"))"
        case .begin:
            names[send] = nil
            names[turn] = (event, fact.turn)
            return "\(event) begins\(by("sent by"))"
        case .turn:
            names[send] = nil
            guard let begun = names.removeValue(forKey: turn) else { return event + by("sent by") + outcome }
            return
                "\(begun.text) of turn \(begun.turn) ends: \(field("o"))\(failure)\(isUnhandled ? ", nothing takes it" : "")"
        case .shown: return fact["r"] == .bool(true) ? "the state is reverted" : "an interim state is shown"
        case .call:
            names[call] = (field("name"), fact.turn)
            return "\(field("name"))(\(fact.arguments)) is called\(by("by"))"
        case .answer:
            let name = names[call]?.text ?? "a call"
            if !fact.isInterim { names[call] = nil }
            return "\(name) \(answer(fact))"
        case .run: return "\(run) starts\(by("for"))"
        case .ran: return "\(run) ends\(failure)"
        case .held: return "time travel controls the system"
        case .released: return "the system continues by itself"
        case .failed: return "an effect fails\(failure)"
        case .cancel: return "\(run) is cancelled"
        case .write:
            return event + " is written\(by("by"))"
        case .post: return "\(eventText(fact)) of \(field("model")) is sent\(by("by"))"
        case .damaged: return "line \(fact.line) cannot be read: \(fact.reason)"
        default:
            let hidden: Set = [
                "at", "c", "ended", "follows", "format", "reduced", "s", "t", "v", "version", "x",
            ]
            let others = (fact.fields.object ?? []).filter { !hidden.contains($0.key) }
            let texts = others.map { " \($0.key): \($0.key == "by" ? owner(of: fact) : field($0.key))" }
            return fact.kind.rawValue + texts.joined(separator: ",")
        }
    }

    /// The cause of a fact; a turn has its number in the recording, which is not that in the system.
    private func owner(of fact: RecordedFact) -> String {
        let owner = fact["by"]?.string ?? ""
        guard owner.hasPrefix("turn ") else { return owner }
        let begun = names[FactName(.begin, fact, number: String(owner.dropFirst(5)))]
        return begun.map { "turn \($0.turn)" } ?? owner
    }

    private func answer(_ fact: RecordedFact) -> String {
        if let value = fact.text("interim") { return "reports \(value)" }
        if fact["error"] != nil { return "fails with \(errorText(fact))" }
        return fact["cancelled"] == nil ? "answers \(fact.text("out") ?? "")" : "is cancelled"
    }

    private func errorText(_ fact: RecordedFact) -> String {
        let error = fact["error"]
        return error?["text"]?.string ?? error?.string ?? error?.swiftText ?? ""
    }
}

extension RecordedFact {
    /// A value as text; the member has an `x` behind its name if it could not be encoded.
    fileprivate func text(_ key: String) -> String? { fields[key]?.swiftText ?? fields["\(key)x"]?.string }

    /// The property of a model that a line writes, such as `rows[2].count of Row`; nil for any other line.
    fileprivate var writtenProperty: String? {
        let change = self["e"] ?? fields
        guard kind == .write, let model = change["model"]?.string else { return nil }
        let parts = [change["place"]?.string ?? "", change["property"]?.string ?? ""].filter { !$0.isEmpty }
        return parts.isEmpty ? model : "\(parts.joined(separator: ".")) of \(model)"
    }

    /// The input of a call.
    var arguments: String { fields["in"]?.argumentText ?? fields["inx"]?.string ?? "" }
}

extension Recording {
    /// Calls `body` with each fact and a writer that knows those before; it is to write the fact.
    ///
    /// - Parameters:
    ///   - first: The first turn of interest. Facts before it come as well, from the last full states on: then the
    ///     second argument of `body` is false.
    ///   - writer: Has all names and states of the last fact in the end.
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
