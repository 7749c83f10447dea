/// A state in a line of a report: as it describes itself, or else as one would write it, and not too long.
@usableFromInline
struct StateText: Sendable, CustomStringConvertible {
    @usableFromInline let description: String

    @usableFromInline
    init(_ state: Any, isLoading: Bool = false) {
        let text = state is any CustomStringConvertible ? "\(state)" : SourceText(state).description
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        let bound = 160
        let short = line.count > bound ? line.prefix(bound) + "…" : Substring(line)
        description = isLoading ? "loading \(short)" : String(short)
    }
}
