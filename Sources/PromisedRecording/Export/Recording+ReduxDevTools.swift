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
    ///   - count: The number of turns, the last ones of the recording. Redux DevTools becomes slow with more than about
    ///     1,000.
    /// - Throws: A ``RecordingError`` if there is no such system, or the file cannot be read any more.
    public func reduxDevTools(of name: String, last count: Int = 1_000) throws(RecordingError) -> String {
        _ = try system(name)
        let first = max(turns.lowerBound, turns.upperBound - max(0, count))
        var (writer, export) = (FactWriter(), ReduxExport(name, start: header.started))
        try forEachFact(from: first, &writer) { fact, _, writer in
            _ = writer.write(fact)
            export.add(fact, writer, isShown: fact.turn > first)
        }
        return export.json.text
    }
}

/// The lifted state of Redux DevTools: actions, and the state after each.
private struct ReduxExport {
    private let name: String
    /// In milliseconds since 1970.
    private let start: Int
    /// That of the first action is the one before all others.
    private var states: [JSONValue] = [.null]
    private var actions: [JSONValue] = []

    init(_ name: String, start: String) {
        self.name = name
        self.start = (try? Int(Date(start, strategy: .iso8601).timeIntervalSince1970 * 1_000)) ?? 0
        addAction("@@INIT", nil)
    }

    mutating func add(_ fact: RecordedFact, _ writer: FactWriter, isShown: Bool) {
        let system = writer.systems.values.first { $0.name == name }?.number
        let state = system.flatMap { writer.states[$0] }.map { ReduxExport.value(of: $0) } ?? .null
        guard isShown else { return states = [state] }
        guard let number = fact["s"]?.int, number == system else { return }
        switch fact.kind {
        case .shown:
            addAction(writer.event(of: fact) + (fact["r"] == nil ? " (interim)" : " (reverted)"), fact)
        case .turn, .write: addAction(writer.event(of: fact), fact)
        default: return
        }
        states.append(state)
    }

    private mutating func addAction(_ type: String, _ fact: RecordedFact?) {
        let payload = fact?.fields.object?.filter { ["e", "error", "o"].contains($0.key) } ?? []
        let action: JSONValue = .object([
            "type": .string(type.hasPrefix(".") ? String(type.dropFirst()) : type),
            "payload": JSONValue.object(payload).withoutReferences,
        ])
        let time = start + max(0, fact?["t"]?.int ?? 0) / 1_000_000
        actions.append(
            .object(["type": .string("PERFORM_ACTION"), "action": action, "timestamp": .number(time)]))
    }

    private static func value(of state: RecordedState) -> JSONValue {
        switch state {
        case .value(let value): value.withoutReferences
        case .text(let text): .string(text)
        case .unknown: .null
        }
    }

    var json: JSONValue {
        .object([
            "monitorState": .object([]), "nextActionId": .number(actions.count),
            // Sorted at once: to insert each one in its place would take long.
            "actionsById": .object(
                actions.enumerated().map { JSONMember("\($0)", $1) }.sorted { $0.key < $1.key }),
            "stagedActionIds": .array(actions.indices.map { .number($0) }), "skippedActionIds": .array([]),
            "committedState": states[0], "currentStateIndex": .number(actions.count - 1),
            "computedStates": .array(states.map { .object(["state": $0]) }),
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
