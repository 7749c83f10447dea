/// A state in a line of a report: its own description, or else its source text, cut to 160 characters.
@usableFromInline
struct StateText: Sendable, CustomStringConvertible {
    @usableFromInline let description: String
    /// The state in up to 4,000 characters; nil where the line is not cut.
    let full: String?

    @usableFromInline
    init(_ state: Any, isLoading: Bool = false) {
        let text = state is any CustomStringConvertible ? "\(state)" : SourceText(state).description
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        let short = Self.cut(line, 160)
        description = isLoading ? "loading \(short)" : short
        full = short == line ? nil : Self.cut(line, 4_000)
    }

    private static func cut(_ line: String, _ bound: Int) -> String {
        line.count > bound ? line.prefix(bound) + "…" : line
    }
}
