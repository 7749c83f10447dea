/// What `--events` can send, one word each.
enum ScriptEvent: String, CaseIterable, Sendable {
    case load, add, remove, refresh, next, previous, cancel
    /// Waits until the system is at rest.
    case wait
}

extension ScriptEvent {
    /// Reads `load,add wait`: words between commas, spaces or line breaks, in any case.
    ///
    /// - Throws: `PageError.usage` naming the first word that is no event.
    static func list(_ text: String) throws(PageError) -> [ScriptEvent] {
        var events: [ScriptEvent] = []
        for word in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
            guard let event = ScriptEvent(rawValue: word.lowercased()) else {
                let names = allCases.map(\.rawValue)
                let hint =
                    NearMiss.suggestion(for: word.lowercased(), among: names)
                    .map { "did you mean \($0)?" } ?? "the events are \(names.joined(separator: ", "))"
                throw .usage("unknown event '\(String(word).shortened(to: 40))'; \(hint)")
            }
            events.append(event)
        }
        return events
    }
}
