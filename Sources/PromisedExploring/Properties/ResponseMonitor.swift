/// Expects a state after something has happened: within a number of steps, within a time, or on every fair path.
struct ResponseMonitor<State: Sendable>: Monitor {
    enum ResponseLimit: Sendable {
        case steps(Int)
        case time(Duration)
        case fairness
    }

    let property: String
    let trigger: Trigger<State>
    let limit: ResponseLimit
    let holds: @Sendable (State) -> Bool
    /// Whether the response is missing, and for how long it may still be.
    private var isMissing = false
    private var stepsLeft = 0
    private(set) var deadline: Duration?
    private(set) var isTriggered: Bool? = false

    init(
        _ property: String, to trigger: Trigger<State>, within limit: ResponseLimit,
        holds: @escaping @Sendable (State) -> Bool
    ) {
        (self.property, self.trigger, self.limit, self.holds) = (property, trigger, limit, holds)
    }

    mutating func notices(_ happening: MonitoredEvent, at now: Duration) -> Violation.Breach? {
        if !isMissing, trigger.matches(happening) {
            (isMissing, isTriggered) = (true, true)
            switch limit {
            case .steps(let count): stepsLeft = count
            case .time(let duration): deadline = now + duration
            case .fairness: break
            }
        }
        guard isMissing, case .shows(let shown, _) = happening, let state = shown as? State, holds(state)
        else { return nil }
        let isLate = deadline.map { now > $0 } ?? false
        forget()
        return isLate ? tooLate : nil
    }

    private mutating func forget() { (isMissing, stepsLeft, deadline) = (false, 0, nil) }

    mutating func stepEnds(at now: Duration) -> Violation.Breach? {
        guard isMissing else { return nil }
        switch limit {
        case .steps where stepsLeft > 0:
            stepsLeft -= 1
            return nil
        case .time where deadline.map { now < $0 } == true, .fairness: return nil
        case .steps, .time:
            forget()
            return tooLate
        }
    }

    private var tooLate: Violation.Breach {
        switch limit {
        case .steps(0): .reason("there was no response in the same step")
        case .steps(let count): .reason("there was no response within \(count) step\(count == 1 ? "" : "s")")
        case .time(let duration): .reason("there was no response within \(duration)")
        case .fairness: .reason("there was no response")
        }
    }

    func words(at now: Duration) -> [Int] {
        isMissing ? [1, stepsLeft] + (deadline.map { ($0 - now).words } ?? []) : [0]
    }

    // Demands on fair paths are noted for each executed step.
    var countsSteps: Bool { if case .time = limit { false } else { true } }
    var isOwed: Bool? { if case .fairness = limit { isMissing } else { nil } }
}
