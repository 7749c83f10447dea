/// How far a search goes, and what it merges.
struct SearchBounds: Sendable {
    var depth: Int
    private(set) var options: ExplorationOptions
    /// The dependencies that are taken into account from the start.
    var dependencies: Dependencies = []

    init(depth: Int, _ options: ExplorationOptions) { (self.depth, self.options) = (depth, options) }

    /// Takes over the limits of other options, and how much of the merging is audited.
    mutating func limit(by other: ExplorationOptions) {
        (options.stepLimit, options.timeLimit) = (other.stepLimit, other.timeLimit)
        (options.memoryLimit, options.audit) = (other.memoryLimit, other.audit)
    }

    /// Allows as many steps more as an earlier search has taken.
    mutating func allow(_ steps: Int) {
        let (sum, isTooLarge) = options.stepLimit.addingReportingOverflow(steps)
        options.stepLimit = isTooLarge ? .max : sum
    }
}
