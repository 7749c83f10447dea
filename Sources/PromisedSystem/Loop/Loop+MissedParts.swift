public import Promise

// Events for a part of the state that is not there.
extension Loop {
    /// How often events on this thread were for parts that are not there, where the reducer may miss one.
    @inlinable var missedParts: Int { reducer.mayMissPart ? ReducerScope.missedParts : 0 }

    /// Does a part of the running turn's work, and notices whether it was for a part that is not there.
    @inlinable
    func noticingMissedParts<Result>(_ work: () -> Result) -> Result {
        let before = missedParts
        let result = work()
        if hasMissedPart(since: before) { progress.hasMissedPart = true }
        return result
    }

    /// Whether there was one since then. It counts once: the turn of another system, inside of which this one was, has
    /// not missed it.
    @inlinable
    func hasMissedPart(since before: Int) -> Bool {
        guard missedParts != before else { return false }
        ReducerScope.missedParts = before
        return true
    }

    /// For those who look at no records, which say so.
    @usableFromInline
    func reportMissedPart(_ event: Event, _ origin: Origin) {
        guard PromiseDiagnostics.reportsMissedParts, !listeners.wantsRecords, probe == nil else { return }
        PromiseDiagnostics.report(
            .init(problem: .missedPart(event: String(describing: event)), origin: origin))
    }
}
