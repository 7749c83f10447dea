/// Counts of a search so far.
struct SearchStatistics: Sendable {
    var steps = 0
    var transitions = 0
    var inferred = 0
    var paths = 0
    /// What has ended the search before it was done; nil if nothing has.
    var limit: Limit?

    enum Limit: String, Sendable {
        case stepLimit, timeLimit, memoryLimit

        var name: String {
            switch self {
            case .stepLimit: "step limit"
            case .timeLimit: "time limit"
            case .memoryLimit: "memory limit"
            }
        }

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

/// What a search has found, as far as another one needs it to continue.
struct SearchMemory: Sendable {
    let graph: StateGraph
    let known: FingerprintTable
    let rests: RestTable
    let demands: FairnessDemands?
    let statistics: SearchStatistics
    /// nil where it is not known, or configurations are not compared.
    let log: NumberingLog?
}
