/// The runs that something outside of a store has begun, which a replay cannot begin: their writes and events are those of
/// the outside, and the rest of them is left out.
struct OutsideWork: Sendable {
    private var runs: Set<Int> = []
    /// The open calls and `async` work of these.
    private var calls: Set<Int> = []
    /// The owners of runs that were cancelled: when their `async` work ends, is up to the runtime.
    private var cancelled: Set<String> = []

    /// Whether a line is left out.
    mutating func contains(_ fact: RecordedFact, _ numbers: inout ReplayNumbers) -> Bool {
        if fact.kind == .run, let run = fact["run"]?.int, fact["by"]?.string == "outside" || owns(fact) {
            runs.insert(run)
            numbers.skip(run: run)
            return true
        }
        if fact.kind == .cancel, let run = fact["run"]?.int { cancelled.insert("run \(run)") }
        if fact.kind == .asyncEnd, let owner = fact["by"]?.string, cancelled.contains(owner) { return true }
        if runs.isEmpty { return false }
        switch fact.kind {
        case .ran, .cancel: return fact["run"]?.int.map(runs.contains) ?? false
        case .call, .async:
            if owns(fact), let id = fact["id"]?.int { calls.insert(id) }
            return owns(fact)
        case .answer, .asyncEnd:
            guard let id = fact["id"]?.int, calls.contains(id) else { return false }
            if !fact.isInterim { calls.remove(id) }
            return true
        case .timer, .fire: return owns(fact)
        default: return false
        }
    }

    /// Whether one of the runs has caused it.
    func owns(_ fact: RecordedFact) -> Bool {
        guard !runs.isEmpty, let owner = fact["by"]?.string, owner.hasPrefix("run ") else { return false }
        return Int(owner.dropFirst(4)).map(runs.contains) ?? false
    }
}
