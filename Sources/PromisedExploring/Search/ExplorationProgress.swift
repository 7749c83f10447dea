/// The progress of a running exploration.
public struct ExplorationProgress: Sendable, Hashable, CustomStringConvertible {
    /// The length of the path that was executed last.
    public let depth: Int
    /// The transitions so far, executed or inferred.
    public let transitions: Int
    /// The distinct configurations found so far.
    public let configurations: Int

    /// A summary in one line.
    public var description: String {
        "depth \(depth), \(transitions) transitions, \(configurations) configurations"
    }
}
