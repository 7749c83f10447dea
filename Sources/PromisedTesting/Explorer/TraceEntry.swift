public import PromisedSystem

/// One step of a path, and what was seen of it.
public struct TraceEntry<State: Sendable, Event: Sendable>: Sendable {
    /// What happened.
    public let step: Step<Event>
    /// What was shown then, in order.
    public let shown: [Shown<State>]
    /// The errors that transitions and effects have ended with then.
    public let errors: [String]
}

extension Sequence {
    /// The steps by their numbers, each with what was seen of it.
    func story<State, Event>() -> String where Element == TraceEntry<State, Event> {
        enumerated().map { number, entry in
            let seen =
                entry.shown.map { "\(StateText($0.state, isLoading: $0.isLoading))" }
                + entry.errors.map { "error: \($0)" }
            return (["    \(number + 1). \(entry.step)"] + seen.map { "        \($0)" }).joined(
                separator: "\n")
        }
        .joined(separator: "\n")
    }
}
