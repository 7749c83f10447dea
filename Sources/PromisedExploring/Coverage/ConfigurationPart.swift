/// A part of configurations: the state, the queue, the work under a key, a call, a timer, a variable of the world.
public struct ConfigurationPart: Sendable, Hashable, CustomStringConvertible {
    /// The name of the part, as in ``MergedPaths``.
    public let name: String
    /// The number of different values that the part has; its absence counts as one.
    public let values: Int
    /// The number of configurations that were compared.
    public let configurations: Int

    /// The name with both numbers.
    public var description: String { "\(name): \(values) values in \(configurations) configurations" }
}
