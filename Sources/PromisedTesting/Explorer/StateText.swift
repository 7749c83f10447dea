/// A state in a line of a report: as it describes itself, or else as one would write it, and not too long.
@usableFromInline
struct StateText: Sendable, CustomStringConvertible {
    @usableFromInline let description: String
    /// All of it, as far as that may be told; nil where the line says all.
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
