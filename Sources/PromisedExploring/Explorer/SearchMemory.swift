/// Counts of a search so far.
struct Statistics: Sendable {
    var steps = 0
    var transitions = 0
    var inferred = 0
    var paths = 0
    var reachedStepLimit = false
    var reachedTimeLimit = false

    /// Whether a limit of steps or of time has ended the search.
    var isCut: Bool { reachedStepLimit || reachedTimeLimit }
    /// The steps that count towards a step limit.
    var counted: Int { steps + inferred }
}

/// What a search has found, as far as another one needs it to continue.
struct SearchMemory: Sendable {
    let graph: StateGraph
    let known: FingerprintTable
    let rests: [Int: [Int]]
    let demands: Demands?
    let statistics: Statistics
}
