internal import Foundation

/// How much an exploration does: its limits, what it merges, and which violations it finds.
///
/// ```swift
/// import PromisedExploring
/// import PromisedSystem
///
/// let explorer = Explorer<Int, Int>(events: [1, 2]) { world in
///     System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = ($0 + $1) % 100 })
/// }
/// let exploration = explorer.check(depth: 100, .init(timeLimit: .seconds(60), memoryLimit: 500_000_000))
/// print(exploration.isComplete)
/// // true
/// ```
public struct ExplorationOptions: Sendable, Hashable {
    /// Stops the exploration after this many steps, repeated and inferred ones included.
    public var stepLimit: Int
    /// Stops the exploration after this time, on a real clock; nil for any time. Where it stops differs between
    /// machines.
    public var timeLimit: Duration?
    /// Two minutes, or the seconds in the environment's `PROMISED_TIME_LIMIT`, where 0 is no limit. What is not a whole
    /// number from 0 on is ignored.
    public static let defaultTimeLimit: Duration? = {
        let seconds = environment("PROMISED_TIME_LIMIT") ?? 120
        return seconds > 0 ? .seconds(seconds) : nil
    }()
    /// Stops the exploration as soon as its tables hold this many bytes.
    ///
    /// Counted are the entries of the graph, of the fingerprints, of the configurations at rest, of the demands on
    /// fair paths, of the steps that gave values their numbers, and of the states, events and other values that have
    /// numbers, by their strides. Not counted are the storage of values on the heap, such as the elements of an array
    /// in a state, what tables have reserved to grow, which is at most as much again, and the system that runs at the
    /// moment. The same exploration stops at the same place on every machine of the same word size.
    public var memoryLimit: Int?
    /// Whether the steps of equal configurations are executed once.
    public var merging: Merging
    /// Whether to end with the first violation, or to go on and find the shortest of each property.
    public var violations: Violations
    /// Of how many paths that lead to a known configuration the steps are executed on one, too: 1 for all of them, 0 for
    /// none.
    ///
    /// Each step must lead to the same configuration as on the path on which it was executed before; otherwise the
    /// exploration ends with both paths (``Counterexample/merged``). Fewer paths are audited where that would execute
    /// more than `10 / audit` times the steps of the exploration: a tenth by default. With 1, up to 10,000 steps are
    /// executed in any case.
    public var audit: Int
    /// 100, or the environment's `PROMISED_AUDIT`, a whole number from 0 on.
    public static let defaultAudit = environment("PROMISED_AUDIT") ?? 100

    private static func environment(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
    }

    /// Creates options. By default, the depth and the time of an exploration are limited.
    ///
    /// - Parameters:
    ///   - stepLimit: Stops the exploration after this many steps. See ``stepLimit``.
    ///   - timeLimit: Stops the exploration after this time. See ``timeLimit``.
    ///   - memoryLimit: Stops the exploration when its tables hold this many bytes. See ``memoryLimit``.
    ///   - merging: Whether the steps of equal configurations are executed once.
    ///   - violations: Whether to end with the first violation, or to find the shortest of each property.
    ///   - audit: Of how many paths to a known configuration the steps are executed on one, too. See ``audit``.
    public init(
        stepLimit: Int = .max, timeLimit: Duration? = ExplorationOptions.defaultTimeLimit,
        memoryLimit: Int? = nil,
        merging: Merging = .equalConfigurations, violations: Violations = .first,
        audit: Int = ExplorationOptions.defaultAudit
    ) {
        (self.stepLimit, self.timeLimit, self.memoryLimit) = (stepLimit, timeLimit, memoryLimit)
        (self.merging, self.violations, self.audit) = (merging, violations, max(audit, 0))
    }
}

/// Which violations an exploration finds.
public enum Violations: Sendable, Hashable {
    /// The shortest of all.
    case first
    /// The shortest of each declared property. A property whose violation is known is not checked any more, and the
    /// exploration is repeated, so that the paths behind it are explored. It ends with the first violation of a
    /// rule for every system, such as a queue that does not drain.
    case all
}

/// Which steps an exploration executes once for all paths that lead to them.
public enum Merging: Sendable, Hashable {
    /// The steps of equal configurations: those that agree in everything that a later step can depend on.
    case equalConfigurations
    /// None: every path is executed. This takes many more steps, and is a check of the other way.
    case none
}
