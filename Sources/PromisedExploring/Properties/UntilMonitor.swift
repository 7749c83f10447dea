/// Expects something of each state between two things that happen.
struct UntilMonitor<State: Sendable>: Monitor {
    let property: String
    let begin: Trigger<State>?
    let end: Trigger<State>
    let holds: @Sendable (State) -> Bool
    private var isActive: Bool
    private(set) var isTriggered: Bool?

    /// - Parameter begin: nil if the property is expected from the start, and after `end` not again.
    init(
        _ property: String, from begin: Trigger<State>?, until end: Trigger<State>,
        holds: @escaping @Sendable (State) -> Bool
    ) {
        (self.property, self.begin, self.end, self.holds) = (property, begin, end, holds)
        isActive = begin == nil
        isTriggered = begin.map { _ in false }
    }

    mutating func notices(_ happening: MonitoredEvent, at now: Duration) -> Violation.Breach? {
        if !isActive, let begin, begin.matches(happening) { (isActive, isTriggered) = (true, true) }
        if isActive, end.matches(happening) { isActive = false }
        guard isActive, case .shows(let shown, let isLoading) = happening, let state = shown as? State,
            !holds(state)
        else { return nil }
        return .state(StateText(state, isLoading: isLoading), isAtRest: false)
    }

    func words(at now: Duration) -> [Int] { [isActive ? 1 : 0] }
}
