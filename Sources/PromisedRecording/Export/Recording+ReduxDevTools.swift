internal import Foundation

extension Recording {
    /// The turns of a system as a file that Redux DevTools imports: an action for each state that was shown.
    ///
    /// ```swift
    /// func export(_ path: String) throws {
    ///     let text = try Recording(contentsOf: path).reduxDevTools(of: "page")
    ///     try text.write(toFile: "page.json", atomically: true, encoding: .utf8)
    /// }
    /// ```
    ///
    /// An interim state is an action of its own, such as `load (interim)`. The payload of an action has the event, the
    /// outcome and the error of its turn. A state that is not known is `null`.
    ///
    /// - Parameters:
    ///   - name: The name of the system.
    ///   - count: How many turns of the recording, the last ones. Redux DevTools becomes slow with more than about
    ///     1,000.
    /// - Throws: A ``RecordingError`` if there is no such system, or the file cannot be read any more.
    public func reduxDevTools(of name: String, last count: Int = 1_000) throws(RecordingError) -> String {
        guard systems.contains(where: { $0.name == name }) else {
            throw .unknownSystem(path: file.path, name: name, known: systems.map(\.name))
        }
        var export = ReduxExport(
            name, start: header.started, from: max(turns.lowerBound, turns.upperBound - max(0, count)))
        let offset = export.first == turns.lowerBound ? 0 : try segment(at: export.first).start
        try file.forEachFact(from: offset, limits) { fact in
            export.add(fact)
            return true
        }
        export.addStart()
        return export.json.text
    }
}

/// The lifted state of Redux DevTools: actions, and the state after each.
private struct ReduxExport {
    let first: Int
    private let name: String
    /// In milliseconds since 1970.
    private let start: Int
    private var actions: [JSONValue] = []
    private var states: [JSONValue] = []
    private var writer = FactWriter()
    /// The events of turns in flight, by their number.
    private var open: [JSONValue: RecordedFact] = [:]

    init(_ name: String, start: String, from first: Int) {
        (self.name, self.first) = (name, first)
        self.start = (try? Int(Date(start, strategy: .iso8601).timeIntervalSince1970 * 1_000)) ?? 0
    }

    mutating func add(_ fact: RecordedFact) {
        if fact.turn > first { addStart() }
        _ = writer.write(fact)
        guard fact.turn > first, let number = fact["s"]?.int, writer.systems[number]?.name == name else {
            return
        }
        let turn = fact["turn"] ?? .null
        switch fact.kind {
        case .begin: open[turn] = fact
        case .shown:
            add(writer.event(open[turn] ?? fact) + (fact["r"] == nil ? " (interim)" : " (reverted)"), fact)
        case .turn, .write: add(writer.event(open.removeValue(forKey: turn) ?? fact), fact)
        default: break
        }
    }

    /// Adds the action that has made the first state.
    mutating func addStart() {
        if actions.isEmpty { add("@@INIT", .init(turn: first, .key, .null)) }
    }

    private mutating func add(_ type: String, _ fact: RecordedFact) {
        let payload = fact.fields.object?.filter { ["e", "error", "o"].contains($0.key) } ?? []
        let action: JSONValue = .object([
            "type": .string(type.hasPrefix(".") ? String(type.dropFirst()) : type),
            "payload": .object(payload),
        ])
        let time = start + (fact["t"]?.int ?? 0) / 1_000_000
        actions.append(
            .object([
                "type": .string("PERFORM_ACTION"), "action": action.withoutReferences,
                "timestamp": .number(time),
            ]))
        let number = writer.systems.values.first { $0.name == name }?.number ?? -1
        switch writer.states[number] {
        case .value(let value): states.append(.object(["state": value.withoutReferences]))
        case .text(let text): states.append(.object(["state": .string(text)]))
        default: states.append(.object(["state": .null]))
        }
    }

    var json: JSONValue {
        let ids = actions.indices.map { JSONValue.number($0) }
        return .object([
            "monitorState": .object([]), "nextActionId": .number(actions.count),
            "stagedActionIds": .array(ids),
            "actionsById": .object(
                actions.enumerated().reduce(into: []) { $0.set("\($1.offset)", to: $1.element) }),
            "skippedActionIds": .array([]), "committedState": states.first?["state"] ?? .null,
            "currentStateIndex": .number(max(0, actions.count - 1)), "computedStates": .array(states),
            "isLocked": .bool(false), "isPaused": .bool(false),
        ])
    }
}

extension JSONValue {
    /// The value without keys that Redux DevTools would take as a reference to another part of the file.
    fileprivate var withoutReferences: JSONValue {
        switch self {
        case .array(let elements): .array(elements.map(\.withoutReferences))
        case .object(let members):
            .object(
                members.reduce(into: []) {
                    $0.set($1.key == "$jsan" ? "$$jsan" : $1.key, to: $1.value.withoutReferences)
                })
        default: self
        }
    }
}
