internal import Promise

// What the owner does in a turn.
extension Loop {
    @inlinable
    func start(_ entry: Entry) {
        if let run = entry.run { eventHasTurn(run) }
        progress.cascadeDepth = entry.cascadeDepth
        progress.restsAtStart = progress.rests
        guard isBrief, !listeners.isAnyPresent, progress.replaced == nil else {
            return startWithEveryone(entry)
        }
        if let promise = takeBriefTurn(entry.event, entry.origin) { goOn(with: promise, entry) }
    }

    /// The turn of an event when nobody wants more of it than the state and the work that follows.
    ///
    /// - Returns: The promise to be waited for; nil when the turn is over.
    @inlinable
    func takeBriefTurn(_ event: Event, _ origin: Origin) -> Promise<State>? {
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
            askFeedbacks(event, state)
        case .promise, .several:
            let promise = reduce(event)
            progress.hasMissedPart = hasMissedPart(since: missed)
            // What came meanwhile may be to replace it.
            drainInbox()
            guard let state = promise.fulfilledValue?.shared, machine.arrived.urgentCount == 0 else {
                return promise
            }
            store.show(StateChange(state, .committed))
            if progress.hasMissedPart { reportMissedPart(event, origin) }
            probe?.shows(state)
            askFeedbacks(event, state)
        }
        return nil
    }

    // A function of its own, so that the state does not lie on the stack while the next one is shown.
    @inlinable
    func reduce(_ event: Event) -> Promise<State> {
        let state = store.ownerState
        if case .promise(let reduce) = reducer.step { return reduce(state.value, event) }
        return reducer(state.value, event)
    }

    /// What work follows, now that the state is there?
    @inlinable
    func askFeedbacks(_ event: Event, _ state: ValueBox<State>) {
        guard let effects else { return }
        if !isOver { effects.ask(.state(state, after: event), self) }
        if !isOver { effects.ask(.event(event, state), self) }
    }

    @inlinable
    func eventHasTurn(_ run: EffectRun) { if run.eventHasTurn() { effects?.forget(run) } }

    /// A brief turn that turned out to take its time.
    @inlinable
    func goOn(with promise: Promise<State>, _ entry: Entry) {
        isIdle = false
        let turn = machine.begin(entry, before: store.ownerState, now: scheduler.now)
        progress.restsAtStart = progress.rests
        (progress.shown, progress.hasShownInterim, progress.event) = ([], false, entry.event)
        proceed(turn, promise)
    }

    /// A turn of which middleware or listeners want to know.
    @inlinable
    func startWithEveryone(_ entry: Entry) {
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
        proceed(turn, noticingMissedParts { reducer(turn.before.value, event) })
    }

    @inlinable
    func proceed(_ turn: Machine.Turn, _ promise: Promise<State>) {
        let leads = promise.leadingBoxes
        withdrawReplaced(isFollowedByInterim: !leads.isEmpty)
        for lead in leads { showInterim(lead, turn) }
        guard !isOver else { return }
        guard let outcome = promise.settledOutcome else { return run(promise, turn) }
        if case .rejected(let failure) = outcome { failure.markReportable() }
        drainInbox()
        if case .finish(let turn, let ending)? = machine.settle(turn, outcome) { finish(turn, ending) }
    }

    @inlinable
    func run(_ promise: Promise<State>, _ turn: Machine.Turn) {
        let number = turn.number
        // A work list of its own: what can settle at once has settled when this returns, even if the event
        // was sent from inside some other promise's handler.
        let observation = noticingMissedParts {
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
        // Stopped by another thread in between: then nobody else has seen them.
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
        // Somebody may yet ask for the record of this turn; nobody needs all the progress of a long one for that.
        if listeners.wantsRecords || moment.kind == .interim && progress.shown.count < 64 {
            progress.shown.append(moment)
        }
    }

    @inlinable
    func finish(_ turn: Machine.Turn, _ ending: Machine.Ending) {
        endWork()
        progress.cascadeDepth = progress.rests == progress.restsAtStart ? turn.entry.cascadeDepth : 0
        let event = progress.event ?? turn.entry.event
        switch ending {
        case .outcome(.fulfilled(let state)):
            commit(state, turn.before)
            askFeedbacks(event, state)
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
        // What the turn captured ends with it.
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
        withdrawInterim(turn.before)
        // Stopped just now: nobody looks at the error, and so it is reported as any other that nobody saw.
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
                    problem: .failedTransition(error, event: String(describing: event)),
                    origin: turn.entry.origin), isHandled: isHandled)
        }
        leaveMiddleware()
        record(turn, event, isCancellation ? .cancelled : .failed(error))
    }

    /// Shows the settled state again if the turn has shown another: no screen is left on its spinner.
    @inlinable
    func withdrawInterim(_ settled: ValueBox<State>) {
        guard progress.hasShownInterim else { return }
        progress.hasShownInterim = false
        show(StateChange(settled, .reverted))
    }

    /// Ends the turn that this one replaces, now that it is known whether this one shows something instead.
    @inlinable
    func withdrawReplaced(isFollowedByInterim: Bool) {
        guard let replaced = progress.replaced.take() else { return }
        if !isFollowedByInterim { withdrawInterim(replaced.turn.before) }
        record(replaced.turn, replaced.event, .cancelled)
        (progress.shown, progress.hasShownInterim) = ([], false)
    }

    // MARK: Telling

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
        if let run = entry.run { eventHasTurn(run) }
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
        if let probe { return probe.ranAway(entry.event) }
        PromiseDiagnostics.report(
            .init(
                problem: .runaway(event: String(describing: entry.event), after: configuration.runawayLimit),
                origin: entry.origin))
    }

    @usableFromInline
    func reportLongRun(_ turn: Machine.Turn) {
        PromiseDiagnostics.report(
            .init(
                problem: .longTransition(
                    scheduler.now - turn.startedAt, event: String(describing: turn.entry.event)),
                origin: turn.entry.origin))
    }
}
