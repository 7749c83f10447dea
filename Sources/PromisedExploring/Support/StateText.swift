/// A state in a report: its own description, or else its source text.
@usableFromInline
struct StateText: Sendable, CustomStringConvertible {
    /// The state in one line; cut where it is long.
    @usableFromInline let description: String
    /// The state in up to 4,000 characters, with a line for each property; nil where the line is not cut.
    let full: String?
    /// Whether the state consists of properties, so that its changes say more than the whole.
    let hasProperties: Bool

    @usableFromInline
    init(_ state: Any, isLoading: Bool = false) {
        hasProperties = Self.hasProperties(state)
        let text = state is any CustomStringConvertible ? "\(state)" : SourceText(state).description
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        let short = Self.cut(line, 160)
        description = isLoading ? "loading \(short)" : short
        full = short == line ? nil : Self.cut(hasProperties ? Self.lines(line, state) : line, 4_000)
    }

    /// Whether a value is a struct without a description of its own.
    static func hasProperties(_ value: Any) -> Bool {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .struct && !mirror.children.isEmpty
            && !(value is any CustomStringConvertible)
    }

    private static func lines(_ line: String, _ state: Any) -> String {
        let parts = Mirror(reflecting: state).children.map {
            "    \($0.label ?? ""): \(SourceText($0.value))"
        }
        return line.prefix { $0 != "(" } + "(\n" + parts.joined(separator: ",\n") + ")"
    }

    private static func cut(_ line: String, _ bound: Int) -> String {
        line.count > bound ? line.prefix(bound) + "…" : line
    }
}
