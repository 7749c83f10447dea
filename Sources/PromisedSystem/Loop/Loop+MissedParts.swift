internal import Promise

// Events that address a part of the state that doesn't exist, such as a removed element, and those that nothing takes.
extension Loop {
    /// Runs `work`, a part of the running turn, and sets `hasMissedPart` if a reducer missed its part.
    @inlinable
    func trackingMissedParts<Result>(_ work: () -> Result) -> Result {
        guard reducer.mayMissPart else { return work() }
        let scope = ReducerScope(isInPlace: false, on: drainingThread)
        let before = scope.missedParts
        let result = work()
        if scope.hasMissedPart(since: before) { progress.hasMissedPart = true }
        return result
    }

    /// Whether nothing took the event of a turn whose transition was fulfilled.
    @inlinable
    func isUnhandled(_ turn: Machine.Turn) -> Bool {
        guard let isFor = reducer.isFor, !progress.isAnswered, progress.sent == nil else { return false }
        return !isFor(turn.event)
    }

    /// Reports an event that was lost to `PromiseDiagnostics`, unless an observer of records sees its outcome.
    @usableFromInline
    func reportLostEvent(_ turn: Machine.Turn) {
        guard progress.hasMissedPart || isUnhandled(turn), PromiseDiagnostics.reportsMissedParts,
            !observers.wantsRecords, !isExplored
        else { return }
        let event = ValueText(event: turn.event).description
        let problem: SystemProblem =
            progress.hasMissedPart ? .missedPart(event: event) : .unhandledEvent(event: event)
        PromiseDiagnostics.report(.init(problem: problem, origin: turn.origin))
    }

    /// Whether unhandled events are reported although nobody observes them.
    @inlinable var findsUnhandledEvents: Bool {
        #if DEBUG
            reducer.isFor != nil
        #else
            false
        #endif
    }
}
