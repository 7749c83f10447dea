/// The state of a system at a line of a recording.
package enum RecordedState: Sendable, Hashable {
    /// It is known exactly.
    case value(JSONValue)
    /// Its type was not `Codable`: a description.
    case text(String)
    /// It is not known since a line, whose number counts from where reading began.
    case unknown(line: Int, reason: String)

    /// The state after another line.
    ///
    /// - Parameter system: The number of the system.
    package mutating func apply(_ fact: RecordedFact, system: Int) {
        switch fact.kind {
        case .turn, .shown, .write, .system:
            if fact["s"]?.int == system { change(fact) }
        case .key:
            self = Self.full(fact["states"]?["\(system)"], fact["texts"]?["\(system)"]) ?? .absent(fact)
        case .recording: self = .absent(fact)
        case .lost, .resume: self = .unknown(line: fact.line, reason: "facts before it are missing")
        case .damaged:
            if Self.mayConcernStates(fact) { self = .unknown(line: fact.line, reason: fact.reason) }
        case .unknown:
            if fact["v"] ?? fact["c"] ?? fact["x"] != nil {
                self = .unknown(line: fact.line, reason: "its kind is unknown")
            }
        default: break
        }
    }

    static func absent(_ fact: RecordedFact) -> Self {
        .unknown(line: fact.line, reason: "the system is not recorded from there on")
    }

    /// In place: a copy of a large state for each line would take long.
    private mutating func change(_ fact: RecordedFact) {
        if let full = Self.full(fact["v"], fact["x"]) { return self = full }
        guard let changes = fact["c"] else {
            if fact.kind == .system { self = .unknown(line: fact.line, reason: "its first state is missing") }
            return
        }
        if changes == .null {
            return self = .unknown(line: fact.line, reason: "it was recorded without its state")
        }
        guard case .value(var value) = self else { return }
        self = .unknown(line: fact.line, reason: "")
        do {
            try ValuePatch(json: changes).apply(to: &value)
            self = .value(value)
        } catch {
            self = .unknown(line: fact.line, reason: "its difference does not fit the state: \(error.reason)")
        }
    }

    private static func full(_ value: JSONValue?, _ text: JSONValue?) -> Self? {
        value.map { .value($0) } ?? text?.string.map { .text($0) }
    }

    /// A damaged `key` line says nothing that is not known already; a line that was no line may have been anything.
    private static func mayConcernStates(_ fact: RecordedFact) -> Bool {
        guard let kind = fact["kind"]?.string.flatMap(RecordedFact.Kind.init(rawValue:)) else { return true }
        return kind != .key && kind.concernsStates
    }
}

extension RecordedFact {
    /// Why the line cannot be read.
    var reason: String { fields["reason"]?.string ?? "" }
}
