/// Rare dependencies of systems. As each costs configurations, it is taken into account only when a system was seen to
/// have it; then the exploration is restarted.
struct Dependencies: OptionSet, Sendable {
    let rawValue: UInt8

    /// The clock is read, other than by the library: then the time is part of a configuration.
    static let clock = Self(rawValue: 1)
    /// The history of a system is read: then the states that are kept are part of a configuration.
    static let history = Self(rawValue: 2)
    /// Work waits for a promise that no work has started. What settles it is not recorded: then an event is enqueued
    /// where it would be processed in the same step.
    static let otherPromises = Self(rawValue: 4)
}
