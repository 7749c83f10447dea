internal import Promise

// The steps of a turn, performed by the owner.
extension Loop {
    @inlinable
    func start(_ entry: Entry) {
        if let run = entry.run { eventProcessed(run) }
        progress.cascadeDepth = entry.cascadeDepth
        progress.idleCountAtStart = progress.idleCount
        guard usesFastPath, !listeners.isAnyPresent, progress.replaced == nil else {
            return runFullTurn(entry)
        }
        if let promise = runFastPath(entry.event, entry.origin) { goOn(with: promise, entry) }
    }

    /// The fast path of a turn: no middleware, event policy, records or change observers.
    ///
    /// - Returns: The promise to observe; nil if the turn is over.
    @inlinable
    func runFastPath(_ event: Event, _ origin: Origin) -> Promise<State>? {
        machine.countTurn()
        probe?.turn(event)
        let missed = missedParts
        switch reducer.step {
        case .inPlace(let reduce):
            let isWanted = effects != nil || probe != nil
            let state = store.change(by: event, sentAt: origin, wantsState: isWanted, reduce)
            if hasMissedPart(since: missed) { reportMissedPart(event, origin) }
            guard let state else { return nil }
            probe?.shows(state)
            evaluateFeedbacks(event, state)
        case .promise, .several:
            let promise = reduce(event)
            progress.hasMissedPart = hasMissedPart(since: missed)
            // An event that arrived meanwhile may replace this one.
            drainInbox()
            guard let state = promise.fulfilledValue?.shared, machine.arrived.urgentCount == 0 else {
                return promise
            }
            store.show(StateChange(state, .committed))
            if progress.hasMissedPart { reportMissedPart(event, origin) }
            probe?.shows(state)
            evaluateFeedbacks(event, state)
        }
        return nil
    }

    // A separate function, so that the previous state is off the stack while the next one is shown.
    @inlinable
    func reduce(_ event: Event) -> Promise<State> {
        let state = store.ownerState
        if case .promise(let reduce) = reducer.step { return reduce(state.value, event) }
        return reducer(state.value, event)
    }

    /// Evaluates the feedbacks for the new state and for the event, which may start and cancel effects.
    @inlinable
    func evaluateFeedbacks(_ event: Event, _ state: ValueBox<State>) {
        guard let effects else { return }
        if !isOver { effects.ask(.state(state, after: event), self) }
        if !isOver { effects.ask(.event(event, state), self) }
    }

    @inlinable
    func eventProcessed(_ run: EffectRun) { if run.eventProcessed() { effects?.forget(run) } }

    /// Continues a turn of the fast path whose promise was not settled.
    @inlinable
    func goOn(with promise: Promise<State>, _ entry: Entry) {
        isIdle = false
        let turn = machine.begin(entry, before: store.ownerState, now: scheduler.now)
        progress.idleCountAtStart = progress.idleCount
        (progress.shown, progress.hasShownInterim, progress.event) = ([], false, entry.event)
        proceed(turn, promise)
    }

    /// The full turn: with middleware, observers, or a replaced turn to finish.
    @inlinable
    func runFullTurn(_ entry: Entry) {
        machine.countTurn()
        let turn = machine.begin(entry, before: store.ownerState, now: scheduler.now)
        if progress.replaced == nil { (progress.shown, progress.hasShownInterim) = ([], false) }
        guard let event = passMiddleware(entry.event) else { return stop(turn) }
        guard !isOver else { return }
        progress.event = event
        probe?.turn(event)
        if listeners.isAnyPresent { listeners.turns.call((event, entry.origin)) }
        guard !isOver else { return }
        progress.hasMissedPart = false
        proceed(turn, trackingMissedParts { reducer(turn.before.value, event) })
    }

    @inlinable
    func proceed(_ turn: Machine.Turn, _ promise: Promise<State>) {
        let interims = promise.leadingBoxes
        finishReplaced(isFollowedByInterim: !interims.isEmpty)
        for interim in interims { showInterim(interim, turn) }
        guard !isOver else { return }
        guard let outcome = promise.settledOutcome else { return run(promise, turn) }
        if case .rejected(let failure) = outcome { failure.markReportable() }
        drainInbox()
        if case .finish(let turn, let ending)? = machine.settle(turn, outcome) { finish(turn, ending) }
    }

    @inlinable
    func run(_ promise: Promise<State>, _ turn: Machine.Turn) {
        let number = turn.number
        // A nested trampoline: callbacks that can run now have run when this returns, even if the event was sent
        // from a handler of another promise.
        let observation = trackingMissedParts {
            withNestedTrampoline { [self] in
                promise.observe(on: scheduler) { self.receive(.update(turn: number, $0)) }
            }
        }
        var timers = [
            scheduler.schedule(after: .seconds(30)) { [weak self] in self?.receive(.longRun(turn: number)) }
                .serves(.report)
        ]
        if let limit = configuration.timeLimit(turn.entry.event) {
            timers.append(
                scheduler.schedule(after: limit) { [weak self] in
                    self?.receive(.timeLimit(turn: number, limit))
                }.serves(.loop))
        }
        work.withLock { $0 = Work(observation: observation, timers: timers) }
        // Another thread may have stopped the loop before they were stored, and so did not cancel them.
        if isOver { endWork() }
    }

    @inlinable
    func showInterim(_ state: ValueBox<State>, _ turn: Machine.Turn) {
        progress.hasShownInterim = true
        show(StateChange(state, .interim))
    }

    @inlinable
    func show(_ moment: StateChange<State>) {
        guard !isOver else { return }
        store.show(moment)
        probe?.shows(moment.box, isLoading: moment.kind == .interim)
        // An observer of records may be added during this turn. For it, up to 64 interim states are kept.
        if listeners.wantsRecords || moment.kind == .interim && progress.shown.count < 64 {
            progress.shown.append(moment)
        }
    }

    @inlinable
    func finish(_ turn: Machine.Turn, _ ending: Machine.Ending) {
        endWork()
        progress.cascadeDepth = progress.idleCount == progress.idleCountAtStart ? turn.entry.cascadeDepth : 0
        let event = progress.event ?? turn.entry.event
        switch ending {
        case .outcome(.fulfilled(let state)):
            commit(state, turn.before)
            evaluateFeedbacks(event, state)
            leaveMiddleware()
            if progress.hasMissedPart { reportMissedPart(event, turn.entry.origin) }
            record(turn, event, progress.hasMissedPart ? .missed : .settled)
        case .outcome(.rejected(let failure)):
            fail(turn, event, failure.error)
        case .timedOut(let limit):
            fail(turn, event, PromiseError.timedOut(limit))
        case .replaced:
            progress.replaced = (turn, event)
            leaveMiddleware()
        }
        // Released here, so that nothing of the turn outlives it.
        progress.event = nil
        if progress.replaced == nil { progress.shown = [] }
    }

    @inlinable
    func commit(_ state: ValueBox<State>, _ before: ValueBox<State>) {
        guard listeners.wantsNotices, !isOver else { return show(StateChange(state, .committed)) }
        listeners.willChange.call((before, state))
        show(StateChange(state, .committed))
        listeners.didChange.call((before, state))
    }

    @usableFromInline
    func fail(_ turn: Machine.Turn, _ event: Event, _ reason: @autoclosure () -> any Error) {
        revertInterim(turn.before)
        // If the loop was stopped meanwhile, the error is not read, so that the promise reports it as unhandled.
        guard !isOver else { return }
        let error = reason()
        let isCancellation = error is CancellationError
        probe?.failed(error)
        let isHandled = listeners.wantsErrors
        if isHandled {
            listeners.errors.call(error)
            listeners.eventErrors.call((error, event))
        }
        if !isCancellation, probe == nil, !isHandled || !listeners.failures.isEmpty {
            listeners.report(
                .init(
                    problem: SystemProblem.failedTransition(error, event: String(describing: event)),
                    origin: turn.entry.origin), isHandled: isHandled)
        }
        leaveMiddleware()
        record(turn, event, isCancellation ? .cancelled : .failed(error))
    }

    /// Shows the settled state again if the turn has shown an interim one, so that no loading state stays visible.
    @inlinable
    func revertInterim(_ settled: ValueBox<State>) {
        guard progress.hasShownInterim else { return }
        progress.hasShownInterim = false
        show(StateChange(settled, .reverted))
    }

    /// Finishes the replaced turn: reverts its interim state, unless the next turn shows one, and records the turn.
    @inlinable
    func finishReplaced(isFollowedByInterim: Bool) {
        guard let replaced = progress.replaced.take() else { return }
        if !isFollowedByInterim { revertInterim(replaced.turn.before) }
        record(replaced.turn, replaced.event, .cancelled)
        (progress.shown, progress.hasShownInterim) = ([], false)
    }

    // MARK: Records and reports

    @inlinable
    func record(
        _ turn: Machine.Turn, _ event: Event, _ outcome: LoopRecord<State, Event>.Outcome
    ) {
        guard !isOver, listeners.wantsRecords else { return }
        let now = scheduler.now
        listeners.records.call(
            LoopRecord(
                number: turn.number, event: event, origin: turn.entry.origin, before: turn.before,
                after: store.ownerState, shown: progress.shown, outcome: outcome,
                queueWait: turn.entry.sentAt.map { turn.startedAt - $0 } ?? .zero,
                duration: now - turn.startedAt))
    }

    @usableFromInline
    func drop(_ entry: Entry, _ reason: Machine.DropReason) {
        if let run = entry.run { eventProcessed(run) }
        if case .runaway = reason { reportRunaway(entry) }
        guard !isOver, listeners.wantsRecords else { return }
        listeners.records.call(
            LoopRecord(
                number: machine.lastNumber, event: entry.event, origin: entry.origin,
                before: store.ownerState,
                after: store.ownerState, shown: [], outcome: .dropped(reason),
                queueWait: entry.sentAt.map { max(scheduler.now - $0, .zero) } ?? .zero, duration: .zero))
    }

    private func reportRunaway(_ entry: Entry) {
        if let probe { return probe.cascadeExceeded(entry.event) }
        PromiseDiagnostics.report(
            .init(
                problem: SystemProblem.runaway(
                    event: String(describing: entry.event), after: configuration.runawayLimit),
                origin: entry.origin))
    }

    @usableFromInline
    func reportLongRun(_ turn: Machine.Turn) {
        PromiseDiagnostics.report(
            .init(
                problem: SystemProblem.longTransition(
                    scheduler.now - turn.startedAt, event: String(describing: turn.entry.event)),
                origin: turn.entry.origin))
    }
}
