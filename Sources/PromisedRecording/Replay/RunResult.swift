/// The result of running a recorded system again.
public struct RunResult: Sendable, Hashable, CustomStringConvertible {
    /// The first step of today's program that is not the recorded one.
    public struct Difference: Sendable, Hashable, CustomStringConvertible {
        /// The turn of the recording in which it is noticed.
        public let turn: Int
        /// The number of the line of the recording, from 1.
        public let line: Int
        /// The event of that turn; nil before the first one.
        public let event: String?
        /// The step of the recorded program, or its state.
        public let expected: String
        /// The step of today's program, or its state.
        public let actual: String
        /// The differences from the recorded state, a line for each; empty if no states are compared.
        public let changes: [String]

        /// The turn, the event and the difference.
        public var description: String {
            let place = "turn \(turn) (line \(line))" + (event.map { ", event \($0)" } ?? "")
            let details =
                changes.isEmpty
                ? ["recorded: \(expected)", "today: \(actual)"] : ["from recorded to today:"] + changes
            return ([place + ":"] + details.map { "  \($0)" }).map(\.escapedForTerminal).joined(
                separator: "\n")
        }
    }

    /// The path of the recording, as it was given.
    public let path: String
    /// The name of the system.
    public let system: String
    /// How many turns were run and are as recorded.
    public internal(set) var turns = 0
    /// How many turns could not be run again, as they depend on missing facts or on earlier work: see ``notes``.
    public internal(set) var skippedTurns = 0
    /// The first difference; nil if everything is as recorded.
    public internal(set) var difference: Difference?
    /// Tolerated differences, and the parts that could not be run again.
    public internal(set) var notes: [String] = []

    init(path: String, system: String) { (self.path, self.system) = (path, system) }

    /// Whether everything that could be run again is as recorded; false if there are turns and none of them could be.
    public var isSame: Bool { difference == nil && (turns > 0 || skippedTurns == 0) }

    /// The result, and the notes. Control characters of the recording are escaped.
    public var description: String {
        let result =
            difference.map { "differs at \($0)" }
            ?? (isSame ? "\(turns) turn\(turns == 1 ? " is" : "s are") as recorded." : "cannot be run again.")
        return (["\(path): '\(system)' \(result)"] + notes.map { "  note: \($0.escapedForTerminal)" })
            .joined(separator: "\n")
    }
}
