/// One line of the table: an operation, its contenders, and its targets.
struct Line: Sendable {
    let id: String
    let what: String
    /// The number of operations of one run, and the fewest that make sense.
    let operations: Int
    var smallest = 1
    let ours: Contender
    var peers: [Contender] = []
    let reach: [Goal]
    /// Targets beyond the required ones.
    var stretch: [Goal] = []
    /// A note printed under the table.
    var note: String?

    var contenders: [Contender] { [ours] + peers }
}

/// A target of a line.
enum Goal: Sendable {
    case allocations(Double)
    /// At least this many times faster than the peer.
    case faster(Double)
    /// At most this many times as slow as the peer.
    case within(Double)
    case nanoseconds(Double)
    case bytes(Double)
    case growth(mebibytes: Double)
    /// The task that does this is not suspended.
    case noSuspension(@Sendable () async throws -> Void)

    var text: String {
        switch self {
        case .allocations(let most): "≤ \(most.short) allocations"
        case .faster(let times): times == 1 ? "no slower" : "\(times.short) times faster"
        case .within(let times): "within \(times.short) times"
        case .nanoseconds(let most): "< \(most.short) ns"
        case .bytes(let most): "≤ \(most.short) B"
        case .growth(let most): "< \(most.short) MiB more"
        case .noSuspension: "no suspension"
        }
    }

    /// Whether the target is reached, against one peer.
    func isReached(_ ours: Summary, _ peer: Comparison?) -> Bool {
        switch self {
        // Allocations that happen once per run do not count for the operation.
        case .allocations(let most): ours.allocations <= most + 0.01
        case .faster(let times): peer.map { $0.ratio >= times } ?? true
        case .within(let times): peer.map { $0.ratio >= 1 / times } ?? true
        case .nanoseconds(let most): ours.median < most
        // In whole bytes, as printed: memory that other threads of the process free meanwhile is a fraction of one.
        case .bytes(let most): ours.median.rounded() <= most
        case .growth(let most): ours.growth < most
        case .noSuspension(let work): DrivenExecutor.suspensions(of: work) == 0
        }
    }
}

extension Double {
    /// With one decimal, unless that is a zero.
    var short: String {
        let tenths = (self * 10).rounded() / 10
        return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
    }
}
