internal import Promise

// The records of turns and of dropped events, and reports about them.
extension Loop {
    @inlinable
    func record(_ turn: Machine.Turn, _ outcome: LoopRecord<State, Event>.Outcome) {
        let wantsRecord = !isOver && observers.wantsRecords
        // An exploration does not look for unhandled events.
        let isUnhandled =
            if case .settled = outcome, wantsRecord || isRecorded { self.isUnhandled(turn) } else { false }
        if wantsRecord {
            let (after, now) = (ownerState, self.now)
            let startedAt = turn.startedAt ?? now
            observers.records.call(
                LoopRecord(
                    number: turn.number, event: turn.event, origin: turn.origin,
                    before: progress.before ?? after, after: after, shown: progress.shown, outcome: outcome,
                    isUnhandled: isUnhandled, queueWait: turn.sent.map { startedAt - $0.at } ?? .zero,
                    duration: now - startedAt))
        }
        probe?.note(.ends(turn, outcome, isUnhandled: isUnhandled))
    }

    @usableFromInline
    func drop(_ entry: PendingEvent, _ reason: Machine.DropReason) {
        if let run = entry.run { eventDequeued(run) }
        probe?.note(.dropped(entry, reason))
        if case .runaway = reason { reportRunaway(entry) }
        guard !isOver, observers.wantsRecords else { return }
        observers.records.call(
            LoopRecord(
                number: machine.lastNumber, event: entry.event, origin: entry.origin,
                before: ownerState,
                after: ownerState, shown: [], outcome: .dropped(reason),
                queueWait: entry.sent.map { max(now - $0.at, .zero) } ?? .zero, duration: .zero))
    }

    private func reportRunaway(_ entry: PendingEvent) {
        if isExplored { return }
        PromiseDiagnostics.report(
            .init(
                problem: SystemProblem.runaway(
                    event: ValueText(event: entry.event).description, after: machine.cascadeLimit),
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
                origin: turn.origin, notes: otherWork))
    }

    /// The work beside the transition and its time limit, a line each.
    private var otherWork: [String] {
        let others = runningNow.filter { $0.kind != .transition && $0.kind != .timeLimit }
        let rest = others.dropFirst(20)
        return others.prefix(20).map(\.description) + (rest.isEmpty ? [] : ["and \(rest.count) more"])
    }
}
