internal import Promise

// The steps of a turn, performed by the owner. Those of a synchronous turn are inlined into one function, so that the
// turn stays in registers: as an argument it would be copied in memory by each.
extension Loop {
    @inlinable
    func start(_ entry: Entry) {
        if let run = entry.run { eventProcessed(run) }
        start(machine.makeTurn(entry))
    }

    /// Runs a turn: middleware, the reducer and, if the transition is synchronous, everything that follows from the new
    /// state. Otherwise the turn goes on when its promise settles.
    @inlinable @inline(__always)
    func start(_ newTurn: Machine.Turn) {
        var turn = newTurn
        (progress.cascadeDepth, progress.idleCountAtStart) = (turn.cascadeDepth, progress.idleCount)
        if isObserved { turn.start(at: now) }
        if turn.startedAt != nil || !middleware.layers.isEmpty {
            guard passMiddleware(&turn) else { return stop(turn) }
            announce(turn)
            if isOver { return }
        }
        // Records and changes need the state before, so only a turn that nothing observes changes it in place.
        if reduceInPlace != nil, turn.startedAt == nil, progress.replaced == nil {
            changeInPlace(turn)
        } else {
            makeTransition(turn)
        }
    }

    @inlinable
    func announce(_ turn: Machine.Turn) {
        guard turn.startedAt != nil, !isOver else { return }
        probe?.begins(turn.event, ownerState)
        observers.turns.call((turn.event, turn.origin))
    }

    /// Applies an in-place reducer. A large state is taken out of the store meanwhile, so that nothing is copied.
    @inlinable @inline(__always)
    func changeInPlace(_ turn: Machine.Turn) {
        let isTaken = store.canBeTaken
        // Marked before the state is taken: a reader that must wait for it looks up this thread.
        beginReducing(turn.origin)
        guard var state = isTaken ? store.take() : ownerState else { return endReducing() }
        state.change { reduceInPlace?(&$0, turn.event) }
        if isTaken {
            let (subscribers, shared) = store.put(&state, wantsState: effects != nil)
            endReducing()
            if let shared {
                store.notify(subscribers, StateChange(shared, .committed))
                evaluateFeedbacks(turn.event, shared)
            }
        } else {
            endReducing()
            commit(state, turn)
            evaluateFeedbacks(turn.event, state)
        }
        endTurn(turn)
    }

    /// Calls the reducer, and finishes the turn if the promise is fulfilled already.
    @inlinable @inline(__always)
    func makeTransition(_ turn: Machine.Turn) {
        let promise = reduce(turn.event, turn.origin, isObserved: turn.startedAt != nil)
        // An event that arrived meanwhile may replace this one.
        if ownership.hasPending { drainInbox() }
        if let state = promise.fulfilledValue?.shared, machine.arrived.admissionCount == 0 {
            finishReplaced(isFollowedByInterim: false)
            commit(state, turn)
            evaluateFeedbacks(turn.event, state)
            endTurn(turn)
        } else {
            begin(turn, promise)
        }
    }

    // A separate function, so that the previous state is off the stack while the next one is shown.
    @inlinable
    func reduce(_ event: Event, _ origin: Origin, isObserved: Bool) -> Promise<State> {
        let state = ownerState
        if isObserved { progress.before = state }
        beginReducing(origin)
        defer {
            endReducing()
            if isObserved, let probe {
                store.watchReads()
                probe.observer.hasReduced()
            }
        }
        if case .promise(let reduce) = reducer.step { return reduce(state.value, event) }
        return reducer(state.value, event)
    }

    @inlinable
    func beginReducing(_ origin: Origin) {
        store.beginReducing(on: drainingThread, origin)
        if reducer.mayMissPart { progress.missedBefore = missedParts }
        if reduceInPlace != nil { thread?.enterReducer() }
    }

    @inlinable
    func endReducing() {
        store.endReducing()
        if reducer.mayMissPart { progress.hasMissedPart = hasMissedPart(since: progress.missedBefore) }
        if reduceInPlace != nil { thread?.leaveReducer() }
    }

    /// Makes the loop busy with a turn whose promise has not settled, or has interim values.
    @inlinable
    func begin(_ turn: Machine.Turn, _ promise: Promise<State>) {
        isIdle = false
        var turn = turn
        if turn.startedAt == nil {
            turn.start(at: now)
            progress.before = ownerState
        }
        machine.begin(turn)
        let interims = promise.leadingBoxes
        finishReplaced(isFollowedByInterim: !interims.isEmpty)
        for interim in interims { showInterim(interim, turn) }
        guard !isOver else { return }
        guard let outcome = promise.settledOutcome else { return run(promise, turn) }
        if case .rejected(let failure) = outcome { failure.markReportable() }
        drainInbox()
        if case .finish(let turn, let ending)? = machine.settle(turn, outcome) { finish(turn, ending) }
    }

    /// The end of a turn that has committed a state.
    @inlinable @inline(__always)
    func endTurn(_ turn: Machine.Turn) {
        if !middleware.layers.isEmpty { leaveMiddleware() }
        if progress.hasMissedPart { reportMissedPart(turn.event, turn.origin) }
        guard turn.startedAt != nil else { return }
        record(turn, progress.hasMissedPart ? .missed : .settled)
        // Released here, so that nothing of the turn outlives it.
        (progress.before, progress.shown, progress.hasShownInterim) = (nil, [], false)
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

    @inlinable
    func run(_ promise: Promise<State>, _ turn: Machine.Turn) {
        let number = turn.number
        // A nested trampoline: callbacks that can run now have run when this returns, even if the event was sent
        // from a handler of another promise.
        let observation = trackingMissedParts {
            withNestedTrampoline { [self] in
                promise.observe(on: probe?.observer.transitionScheduler ?? scheduler) {
                    self.receive(.update(turn: number, $0))
                }
            }
        }
        var timers = [
            scheduler.schedule(after: .seconds(30)) { [weak self] in self?.receive(.longRun(turn: number)) }
                .serves(.report)
        ]
        if let limit = configuration.timeLimit(progress.sent ?? turn.event) {
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
    func show(_ change: StateChange<State>) {
        guard !isOver else { return }
        if ValueBox<State>.isInline, change.kind == .committed { _ = inlineState.exchange(for: change.box) }
        store.show(change)
        probe?.shows(change.box, isLoading: change.kind == .interim)
        // An observer of records may be added during this turn. For it, up to 64 interim states are kept.
        if observers.wantsRecords || change.kind == .interim && progress.shown.count < 64 {
            progress.shown.append(change)
        }
    }

    /// Finishes a turn whose transition was in flight.
    @inlinable
    func finish(_ turn: Machine.Turn, _ ending: Machine.Ending) {
        endWork()
        progress.cascadeDepth = progress.idleCount == progress.idleCountAtStart ? turn.cascadeDepth : 0
        switch ending {
        case .outcome(.fulfilled(let state)):
            commit(state, turn)
            evaluateFeedbacks(turn.event, state)
            endTurn(turn)
        case .outcome(.rejected(let failure)): fail(turn, failure.error)
        case .timedOut(let limit): fail(turn, PromiseError.timedOut(limit))
        case .replaced:
            progress.replaced = turn
            leaveMiddleware()
        }
    }

    @inlinable @inline(__always)
    func commit(_ state: ValueBox<State>, _ turn: Machine.Turn) {
        guard turn.startedAt != nil else {
            if ValueBox<State>.isInline { _ = inlineState.exchange(for: state) }
            return store.show(StateChange(state, .committed))
        }
        guard observers.wantsNotices, !isOver, let before = progress.before else {
            return show(StateChange(state, .committed))
        }
        observers.willChange.call((before, state))
        show(StateChange(state, .committed))
        observers.didChange.call((before, state))
    }

    @usableFromInline
    func fail(_ turn: Machine.Turn, _ reason: @autoclosure () -> any Error) {
        revertInterim()
        // If the loop was stopped meanwhile, the error is not read, so that the promise reports it as unhandled.
        guard !isOver else { return }
        let error = reason()
        let isCancellation = error is CancellationError
        probe?.observer.fails(error)
        let isHandled = observers.wantsErrors
        if isHandled {
            observers.errors.call(error)
            observers.eventErrors.call((error, turn.event))
        }
        if !isCancellation, probe == nil, !isHandled || !observers.failures.isEmpty {
            observers.report(
                .init(
                    problem: SystemProblem.failedTransition(error, event: String(describing: turn.event)),
                    origin: turn.origin), isHandled: isHandled)
        }
        leaveMiddleware()
        record(turn, isCancellation ? .cancelled : .failed(error))
        (progress.before, progress.shown) = (nil, [])
    }

    /// Shows the settled state again if the turn has shown an interim one, so that no loading state stays visible.
    @inlinable
    func revertInterim() {
        guard progress.hasShownInterim else { return }
        progress.hasShownInterim = false
        show(StateChange(ownerState, .reverted))
    }

    /// Finishes the replaced turn: reverts its interim state, unless the next turn shows one, and records the turn.
    @inlinable
    func finishReplaced(isFollowedByInterim: Bool) {
        guard let replaced = progress.replaced.take() else { return }
        if !isFollowedByInterim { revertInterim() }
        record(replaced, .cancelled)
        (progress.shown, progress.hasShownInterim) = ([], false)
    }
}
