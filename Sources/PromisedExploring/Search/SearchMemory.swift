/// Counts of a search so far.
struct SearchStatistics: Sendable {
    var steps = 0
    var transitions = 0
    var inferred = 0
    var paths = 0
    /// The steps that were executed to audit merging. They count towards nothing else.
    var audited = 0
    /// The limit that ended the search early; nil if none has.
    var limit: Limit?

    enum Limit: String, Sendable {
        case stepLimit, timeLimit, memoryLimit

        var name: String { rawValue.replacing("Limit", with: " limit") }

        var gap: Gap {
            switch self {
            case .stepLimit: .stepLimit
            case .timeLimit: .timeLimit
            case .memoryLimit: .memoryLimit
            }
        }
    }

    var isCut: Bool { limit != nil }
    /// The steps that count towards a step limit.
    var counted: Int { steps + inferred }
}

/// The results of a search from which another one continues.
struct SearchMemory: Sendable {
    let graph: StateGraph
    let known: FingerprintTable
    let rests: RestTable
    let demands: FairnessDemands?
    let statistics: SearchStatistics
    /// nil where it is not known, or configurations are not compared.
    let log: NumberingLog?
}
