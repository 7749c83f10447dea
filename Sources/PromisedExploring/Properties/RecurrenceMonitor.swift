/// Expects that a state comes again and again on every fair path.
struct RecurrenceMonitor<State: Sendable>: Monitor {
    let property: String
    let holds: @Sendable (State) -> Bool
    /// Whether the shown state satisfies it, and whether one that was shown during the last step did.
    private var holdsNow = false
    private var hasHeld = false

    init(_ property: String, holds: @escaping @Sendable (State) -> Bool) {
        (self.property, self.holds) = (property, holds)
    }

    mutating func stepBegins() { hasHeld = false }

    mutating func notices(_ happening: MonitoredEvent, at now: Duration) -> Violation.Breach? {
        guard case .shows(let shown, _) = happening, let state = shown as? State else { return nil }
        holdsNow = holds(state)
        hasHeld = hasHeld || holdsNow
        return nil
    }

    func words(at now: Duration) -> [Int] { [hasHeld ? 1 : 0, holdsNow ? 1 : 0] }

    var countsSteps: Bool { true }
    var isOwed: Bool? { !hasHeld && !holdsNow }
    var isOwedAtRest: Bool { !holdsNow }
}
