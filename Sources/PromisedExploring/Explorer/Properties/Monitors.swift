internal import Promise
internal import PromisedTesting
internal import Synchronization

/// The properties of one world that remember what has happened.
final class Monitors: Sendable {
    private let all = Lock<[any Monitor]>([])
    private let isUsed = Atomic(false)

    func add(_ monitor: any Monitor) {
        all.withLock { $0.append(monitor) }
        isUsed.store(true, ordering: .relaxed)
    }

    func removeAll() {
        isUsed.store(false, ordering: .relaxed)
        let removed = all.exchange(for: [])
        withExtendedLifetime(removed) {}
    }

    var isEmpty: Bool { !isUsed.load(ordering: .relaxed) }

    var properties: [String] { all.withLock { $0.map(\.property) } }

    /// Whether the target of a step that only enqueues an event differs in more than the queue.
    var countSteps: Bool { all.withLock { $0.contains { $0.countsSteps } } }
    /// The properties that demand something only after something has happened, and those of them for which it has.
    var conditional: [String] { all.withLock { $0.filter { $0.isTriggered != nil }.map(\.property) } }
    var triggered: [String] { all.withLock { $0.filter { $0.isTriggered == true }.map(\.property) } }
    /// The earliest deadline of a property.
    var deadline: Duration? { isEmpty ? nil : all.withLock { $0.compactMap(\.deadline).min() } }
    /// The properties that demand something of every fair path, each with whether it has still to happen.
    var demands: [(property: String, isOwed: Bool)] {
        all.withLock { $0.compactMap { monitor in monitor.isOwed.map { (monitor.property, $0) } } }
    }

    func words(at now: Duration) -> [Int] { all.withLock { $0.flatMap { $0.words(at: now) } } }

    /// The properties that are violated if nothing more happens.
    var owedAtRest: [String] { isEmpty ? [] : all.withLock { $0.filter(\.isOwedAtRest).map(\.property) } }

    /// Passes something to each property, outside the lock, as it calls closures of the user.
    ///
    /// - Returns: What was violated.
    func update(_ change: (inout any Monitor) -> Violation.Kind?) -> [Violation] {
        var monitors = all.withLock { $0 }
        var violations: [Violation] = []
        for index in monitors.indices {
            if let kind = change(&monitors[index]) {
                violations.append(Violation(property: monitors[index].property, kind: kind))
            }
        }
        _ = all.exchange(for: monitors)
        return violations
    }
}

extension WorldCore {
    /// Whether every step changes a configuration in more than the queue, so that no target is inferred.
    @usableFromInline var countsSteps: Bool { monitors.countSteps || record.knowledge.preemptions != nil }

    @usableFromInline var hasMonitors: Bool { !monitors.isEmpty }

    @usableFromInline
    func notices(processed event: any Sendable) { notices(.processes(event)) }

    @usableFromInline
    func notices(shown state: any Sendable, isLoading: Bool) { notices(.shows(state, isLoading: isLoading)) }

    /// Passes what happens to the properties that remember it.
    func notices(_ happening: @autoclosure () -> Happening) {
        if monitors.isEmpty { return }
        record.acts()
        let (happening, now) = (happening(), scheduler.unobservedNow)
        let violations = record.inspecting { monitors.update { $0.notices(happening, at: now) } }
        for violation in violations { record.add(violation) }
    }

    func stepBegins() {
        if monitors.isEmpty { return }
        _ = monitors.update { monitor in
            monitor.stepBegins()
            return nil
        }
    }

    func stepEnds() {
        if monitors.isEmpty { return }
        let now = scheduler.unobservedNow
        for violation in monitors.update({ $0.stepEnds(at: now) }) { record.add(violation) }
        for property in monitors.triggered { record.knowledge.meets(.neverTriggered(property)) }
    }
}
