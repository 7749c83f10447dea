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
    public var description: String { lines.joined(separator: "\n    ") }

    fileprivate var lines: [String] {
        ["\(step)"] + shown.prefix(Self.most).map { "\(StateText($0.state, isLoading: $0.isLoading))" }
            + (shown.count > Self.most ? ["… and \(shown.count - Self.most) more states"] : [])
            + errors.map { "error: \($0)" }
    }

    /// As many states as are told of a step; an endless chain shows a hundred thousand.
    private static var most: Int { 20 }
}

extension Sequence {
    /// The steps by their numbers, each with what was seen of it.
    func story<State, Event>() -> String where Element == TraceEntry<State, Event> {
        enumerated().map { number, entry in
            let lines = entry.lines
            return (["    \(number + 1). \(lines[0])"] + lines.dropFirst().map { "        \($0)" })
                .joined(separator: "\n")
        }
        .joined(separator: "\n")
    }
}
