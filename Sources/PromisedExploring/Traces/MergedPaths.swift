/// Two paths that were taken to lead to one configuration, although the same step behind them leads to different ones.
///
/// So something has an influence that no configuration contains. See ``ExplorationOptions/audit``.
public struct MergedPaths<State: Sendable, Event: Sendable>: Sendable, CustomStringConvertible {
    /// A part in which the configurations at the ends of the paths differ.
    public struct Difference: Sendable, Hashable, CustomStringConvertible {
        /// The state, the queue, the work under a key, a call, a timer, a variable of the world.
        public let name: String
        /// The value in words; nil where there is no such part. What work has learned has no words.
        public let first: String?
        /// The same at the end of the other path.
        public let second: String?

        /// The name with both values.
        public var description: String {
            if first == second { return "\(name), in what it has learned" }
            return "\(name): " + [first, second].map { $0 ?? "none" }.joined(separator: " or ")
        }
    }

    /// The steps of one path.
    public let first: [TraceEntry<State, Event>]
    /// The steps of the other one. The last is the same.
    public let second: [TraceEntry<State, Event>]
    /// The parts that differ after the last step.
    public let differences: [Difference]
    /// Whether it is one path, which was executed twice.
    let isSame: Bool

    /// What differs, and both paths step by step.
    public var description: String {
        let stories = differences.isEmpty ? [first] : [first, second]
        let parts = differences.map { "\n    \($0)" }.joined()
        return
            ([headline] + (parts.isEmpty ? [] : ["Different after the last step:\n\(parts)"])
            + zip(isSame ? ["The path:", "The same again:"] : ["One path:", "The other path:"], stories)
            .map { "\($0)\n\n\($1.story())" }
            + (isSame ? [] : [Self.remedy])).joined(separator: "\n\n")
    }

    var headline: String {
        isSame
            ? "A path was executed again and led elsewhere: what happens does not follow from the steps alone. Look for "
                + "state shared between paths, or for randomness."
            : "Two paths were taken to be equal but for their last step, and the last step, the same on both, leads to "
                + "different configurations."
    }

    private static var remedy: String {
        "So something differs before it that the exploration does not see. Have state that is kept beside the systems in "
            + "a variable of the world, or in the state of a system."
    }
}
