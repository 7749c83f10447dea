/// What a system turned out to depend on that few systems do: what costs configurations is taken into account from then on.
struct Dependencies: OptionSet, Sendable {
    let rawValue: UInt8

    /// The clock is read, other than by the library: then the time is part of a configuration.
    static let clock = Self(rawValue: 1)
    /// The history of a system is read: then the states that are kept are part of a configuration.
    static let history = Self(rawValue: 2)
    /// Something waits for a promise that it has not started and no other work has: what settles it is not recorded.
    static let otherPromises = Self(rawValue: 4)
}
