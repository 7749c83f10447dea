internal import Promise
internal import PromisedTesting
internal import Synchronization

/// The properties of one world with a memory.
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
    /// - Returns: The violations.
    func update(_ change: (inout any Monitor) -> Violation.Breach?) -> [Violation] {
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
