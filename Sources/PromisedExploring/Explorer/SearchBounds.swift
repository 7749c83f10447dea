/// How far a search goes, and what it merges.
struct SearchBounds: Sendable {
    var depth: Int
    private(set) var options: ExplorationOptions
    /// Whether the time is part of a configuration, and the history of a system.
    var isClockRead = false
    var isHistoryRead = false

    init(depth: Int, _ options: ExplorationOptions) { (self.depth, self.options) = (depth, options) }

    /// Takes over the limits of other options.
    mutating func limit(by other: ExplorationOptions) {
        (options.stepLimit, options.timeLimit) = (other.stepLimit, other.timeLimit)
        options.memoryLimit = other.memoryLimit
    }

    mutating func includeWhatIsRead(_ knowledge: Knowledge) {
        (isClockRead, isHistoryRead) = (knowledge.isClockRead, knowledge.isHistoryRead)
    }
}
