/// A property that depends on earlier steps. Its memory is part of every configuration.
protocol Monitor: Sendable {
    var property: String { get }

    mutating func stepBegins()
    /// - Returns: The violation if the property is violated by this.
    mutating func notices(_ happening: MonitoredEvent, at now: Duration) -> Violation.Breach?
    /// Called when everything has run that is due.
    mutating func stepEnds(at now: Duration) -> Violation.Breach?

    /// Its memory.
    func words(at now: Duration) -> [Int]
    /// Whether every step changes the memory, even one that only enqueues an event.
    var countsSteps: Bool { get }
    /// Whether that which it refers to has happened on the path; nil if it always demands something.
    var isTriggered: Bool? { get }
    /// When it is violated at the latest unless something happens.
    var deadline: Duration? { get }

    /// Whether something has still to happen, on every fair path; nil if it does not demand such a thing.
    var isOwed: Bool? { get }
    /// The same, if nothing more happens.
    var isOwedAtRest: Bool { get }
}

extension Monitor {
    mutating func stepBegins() {}
    mutating func stepEnds(at now: Duration) -> Violation.Breach? { nil }
    var countsSteps: Bool { false }
    var isTriggered: Bool? { nil }
    var deadline: Duration? { nil }
    var isOwed: Bool? { nil }
    var isOwedAtRest: Bool { isOwed == true }
}

extension Duration {
    /// The duration as numbers of a configuration.
    var words: [Int] { [Int(components.seconds), Int(components.attoseconds)] }
}
