public import Promise

// Events that address a part of the state that doesn't exist, such as a removed element.
extension Loop {
    /// The number of missed parts counted on this thread.
    @inlinable var missedParts: Int { nesting?.pointee.missedParts ?? 0 }

    /// Runs `work`, a part of the running turn, and sets `hasMissedPart` if a reducer missed its part.
    @inlinable
    func trackingMissedParts<Result>(_ work: () -> Result) -> Result {
        guard reducer.mayMissPart else { return work() }
        let before = missedParts
        let result = work()
        if hasMissedPart(since: before) { progress.hasMissedPart = true }
        return result
    }

    /// Whether a part was missed since the count was `before`. Resets the count, so that a turn of another system,
    /// from inside which this event was sent, doesn't count it as well.
    @inlinable
    func hasMissedPart(since before: Int) -> Bool {
        guard missedParts != before else { return false }
        nesting?.pointee.missedParts = before
        return true
    }

    /// Reports a missed part to `PromiseDiagnostics`, unless an observer of records sees the outcome `missed`.
    @usableFromInline
    func reportMissedPart(_ event: Event, _ origin: Origin) {
        guard PromiseDiagnostics.reportsMissedParts, !observers.wantsRecords, probe == nil else { return }
        PromiseDiagnostics.report(
            .init(problem: SystemProblem.missedPart(event: String(describing: event)), origin: origin))
    }
}
