internal import Promise

// The records of turns and of dropped events, and reports about them.
extension Loop {
    @inlinable
    func record(_ turn: Machine.Turn, _ outcome: LoopRecord<State, Event>.Outcome) {
        defer { probe?.observer.endsTurn() }
        guard !isOver, observers.wantsRecords else { return }
        let (after, now) = (ownerState, self.now)
        let startedAt = turn.startedAt ?? now
        let isUnhandled = if case .settled = outcome { self.isUnhandled(turn) } else { false }
        observers.records.call(
            LoopRecord(
                number: turn.number, event: turn.event, origin: turn.origin,
                before: progress.before ?? after, after: after, shown: progress.shown, outcome: outcome,
                isUnhandled: isUnhandled, queueWait: turn.sentAt.map { startedAt - $0 } ?? .zero,
                duration: now - startedAt))
    }

    @usableFromInline
    func drop(_ entry: PendingEvent, _ reason: Machine.DropReason) {
        if let run = entry.run { eventDequeued(run) }
        if case .runaway = reason { reportRunaway(entry) }
        guard !isOver, observers.wantsRecords else { return }
        observers.records.call(
            LoopRecord(
                number: machine.lastNumber, event: entry.event, origin: entry.origin,
                before: ownerState,
                after: ownerState, shown: [], outcome: .dropped(reason),
                queueWait: entry.sentAt.map { max(now - $0, .zero) } ?? .zero, duration: .zero))
    }

    private func reportRunaway(_ entry: PendingEvent) {
        if let probe { return probe.cascadeExceeded(entry.event) }
        PromiseDiagnostics.report(
            .init(
                problem: SystemProblem.runaway(
                    event: ValueText(event: entry.event).description, after: configuration.cascadeLimit),
                origin: entry.origin))
    }

    /// Called by the watchdog while a transition runs.
    @usableFromInline
    func checkDuration(of turn: Machine.Turn) {
        let duration = now - (turn.startedAt ?? .zero)
        guard duration >= longestTransition else { return watch(after: longestTransition - duration) }
        PromiseDiagnostics.report(
            .init(
                problem: SystemProblem.longTransition(
                    duration, event: ValueText(event: turn.event).description),
                origin: turn.origin))
    }
}
