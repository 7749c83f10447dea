public import PromisedSystem

/// One step of a path, and what was seen of it.
public struct TraceEntry<State: Sendable, Event: Sendable>: Sendable, CustomStringConvertible {
    /// What happened.
    public let step: Step<Event>
    /// What was shown then, in order.
    public let shown: [Shown<State>]
    /// The errors that transitions and effects have ended with then.
    public let errors: [String]

    /// The step, and in the lines below what was seen of it.
    public var description: String {
        var last: State?
        return lines(after: &last).joined(separator: "\n    ")
    }

    /// - Parameter last: The state that was shown last, if one was: of one too wide for a line, what has changed is told.
    fileprivate func lines(after last: inout State?) -> [String] {
        var lines = ["\(step)"]
        for state in shown.prefix(Self.most) {
            lines += Self.lines(state, after: last)
            last = state.state
        }
        last = shown.last?.state ?? last
        if shown.count > Self.most { lines.append("… and \(shown.count - Self.most) more states") }
        return lines + errors.map { "error: \($0)" }
    }

    private static func lines(_ shown: Shown<State>, after last: State?) -> [String] {
        let text = StateText(shown.state, isLoading: shown.isLoading)
        guard text.full != nil, let last else { return [text.description] }
        let diff = StateDiff(from: last, to: shown.state, limits: .init(changes: 10, values: 10_000))
        let kind = shown.isLoading ? "loading, " : ""
        if diff.changes.isEmpty { return diff.isComplete ? [kind + "the same"] : [text.description] }
        return [kind + "changed:"] + diff.description.split(separator: "\n").map { "    \($0)" }
    }

    /// As many states as are told of a step; an endless chain shows a hundred thousand.
    private static var most: Int { 20 }
}

extension Sequence {
    /// The steps by their numbers, each with what was seen of it.
    func story<State, Event>() -> String where Element == TraceEntry<State, Event> {
        var last: State?
        return enumerated().map { number, entry in
            let lines = entry.lines(after: &last)
            return (["    \(number + 1). \(lines[0])"] + lines.dropFirst().map { "        \($0)" })
                .joined(separator: "\n")
        }
        .joined(separator: "\n")
    }
}
