public import PromisedSystem

/// One executed step, with the states and errors that followed from it.
public struct TraceEntry<State: Sendable, Event: Sendable>: Sendable, CustomStringConvertible {
    /// The step that was executed.
    public let step: Step<Event>
    /// The states that were shown during the step, in order.
    public let shown: [Shown<State>]
    /// The errors with which transitions and effects failed during the step, as text.
    public let errors: [String]

    /// The state that was shown before the step; nil if it is unknown.
    let before: State?

    /// The step, followed by the states and errors in one line each. A state that consists of properties is described
    /// by its difference from the previous one.
    public var description: String { (["\(step)"] + reactions).joined(separator: "\n    ") }

    /// The states and errors that followed from the step.
    var reactions: [String] {
        var lines: [String] = []
        var last = before
        for state in shown.prefix(Self.most) {
            lines += Self.lines(state, after: last)
            last = state.state
        }
        if shown.count > Self.most { lines.append("… and \(shown.count - Self.most) more states") }
        return lines + errors.map { "error: \($0)" }
    }

    private static func lines(_ shown: Shown<State>, after last: State?) -> [String] {
        let text = StateText(shown.state, isLoading: shown.isLoading)
        guard let last, text.hasProperties || text.full != nil else { return [text.description] }
        let diff = StateDiff(from: last, to: shown.state, limits: .init(changes: 10, values: 10_000))
        let kind = shown.isLoading ? "loading, " : ""
        if diff.changes.isEmpty { return diff.isComplete ? [kind + "the same"] : [text.description] }
        let line = kind + diff.changes.map(\.description).joined(separator: ", ")
        if diff.isComplete, line.count <= 100 { return [line] }
        return [kind + "changed:"] + diff.description.split(separator: "\n").map { "    \($0)" }
    }

    /// The maximum number of states listed for one step: an endless cascade shows a hundred thousand.
    private static var most: Int { 20 }
}

extension Sequence {
    /// The numbered steps, each with the states and errors that followed from it.
    func story<State, Event>() -> String where Element == TraceEntry<State, Event> {
        enumerated().map { number, entry in
            (["    \(number + 1). \(entry.step)"] + entry.reactions.map { "        \($0)" })
                .joined(separator: "\n")
        }
        .joined(separator: "\n")
    }
}
