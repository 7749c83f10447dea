/// A reason why an exploration is not complete.
public enum Gap: Sendable, Hashable, CustomStringConvertible {
    /// Configurations at this distance from the start have further steps.
    case depth(Int)
    /// The exploration stopped at its step limit.
    case stepLimit
    /// The exploration stopped at its time limit.
    case timeLimit
    /// The exploration stopped at its memory limit.
    case memoryLimit
    /// A violation was found; longer paths were not explored. With a limit beside it, the violation may not be the
    /// shortest, nor the only one.
    case violation
    /// The system depends on something outside of the world.
    case outside(String)
    /// Values of this type are not `Hashable`, or one is not equal to itself, as NaN is not, so no two configurations
    /// with one are known to be equal.
    case incomparable(String)
    /// This property is declared for the state at rest, but in every configuration a call could be answered or a timer
    /// was running.
    case neverAtRest(String)
    /// A state that satisfies this property, declared with ``World/sometimes(_:_:)``, was not shown.
    case neverSeen(String)
    /// The trigger of this property did not occur, so that nothing was demanded.
    case neverTriggered(String)
    /// Configurations that do not satisfy this bound were not expanded.
    case bound(String)
    /// Events were not sent in some states.
    case events
    /// States were compared by a view, which may hide a difference that matters later.
    case view

    /// The reason in a few words.
    public var description: String {
        switch self {
        case .depth(let depth): "configurations beyond depth \(depth) were not visited"
        case .stepLimit: "the step limit was reached"
        case .timeLimit: "the time limit was reached"
        case .memoryLimit: "the memory limit was reached"
        case .violation: "a property was violated"
        case .outside(let what): "\(what), outside of the world"
        case .incomparable(let type):
            "values of \(type) cannot be compared: it is not Hashable, or one is not equal to itself"
        case .neverAtRest(let property):
            "\"\(property)\" was never checked: there was always an open call or a running timer"
        case .neverSeen(let property): "\"\(property)\" was never seen"
        case .neverTriggered(let property):
            "\"\(property)\" was never checked: what it refers to did not happen"
        case .bound(let bound): "configurations beyond the bound \"\(bound)\" were not visited"
        case .events: "events were left out in some states"
        case .view: "states were compared by a view"
        }
    }
}
