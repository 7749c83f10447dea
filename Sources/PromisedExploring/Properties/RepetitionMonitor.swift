/// Expects that something does not happen a second time.
struct RepetitionMonitor<State: Sendable>: Monitor {
    let property: String
    let trigger: Trigger<State>
    let reset: Trigger<State>?
    private var hasHappened = false
    private(set) var isTriggered: Bool? = false
    /// Whether the last state satisfied the trigger: a state that is shown again has not been entered again.
    private var stillHolds = false

    init(_ property: String, _ trigger: Trigger<State>, until reset: Trigger<State>?) {
        (self.property, self.trigger, self.reset) = (property, trigger, reset)
    }

    mutating func notices(_ happening: MonitoredEvent, at now: Duration) -> Violation.Breach? {
        if let reset, reset.matches(happening) { hasHappened = false }
        guard begins(happening) else { return nil }
        if hasHappened { return .reason("it happened a second time") }
        (hasHappened, isTriggered) = (true, true)
        return nil
    }

    private mutating func begins(_ happening: MonitoredEvent) -> Bool {
        guard trigger.lasts else { return trigger.matches(happening) }
        guard case .shows = happening else { return false }
        let held = stillHolds
        stillHolds = trigger.matches(happening)
        return stillHolds && !held
    }

    func words(at now: Duration) -> [Int] { [hasHappened ? 1 : 0, stillHolds ? 1 : 0] }
}
