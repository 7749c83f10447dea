internal import Promise

/// A transition that takes longer is reported.
@usableFromInline let longestTransition = Duration.seconds(30)

// A turn whose transition is asynchronous: it is in flight until its promise settles, another event replaces it, it
// times out, or the loop stops.
extension Loop {
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

    @inlinable
    func run(_ promise: Promise<State>, _ turn: Machine.Turn) {
        let number = turn.number
        probe?.note(.pends(turn))
        // A nested trampoline: callbacks that can run now have run when this returns, even if the event was sent
        // from a handler of another promise.
        let observation = trackingMissedParts {
            withNestedTrampoline { [self] in
                promise.observe(inheriting: probe?.observer.transitionScheduler ?? scheduler) {
                    self.receive(.update(turn: number, $0))
                }
            }
        }
        watch()
        var timers: [ScheduledWork] = []
        if let limit = timeLimit(progress.sent ?? turn.event) {
            timers.append(
                scheduler.schedule(after: limit) { [weak self] in
                    self?.receive(.timeLimit(turn: number, limit))
                }.serves(.loop))
        }
        work.withLock { $0 = LoopWork(observation: observation, timers: timers) }
        // Another thread may have stopped the loop before they were stored, and so did not cancel them.
        if isOver { endWork() }
    }

    /// Starts the watchdog, unless it runs: it reports transitions that take too long.
    @usableFromInline
    func watch(after delay: Duration = longestTransition) {
        guard watchdog.withLock({ $0 })?.isPending != true else { return }
        let timer = scheduler.schedule(after: delay) { [weak self] in self?.receive(.watchdog) }
        watchdog.exchange(for: timer.serves(.report))
        // Another thread may have stopped the loop meanwhile.
        if isOver { timer.cancel() }
    }

    @inlinable
    func endWork() {
        let work = work.withLock { work in
            defer { work = LoopWork() }
            return work
        }
        for timer in work.timers { timer.cancel() }
        if let observation = work.observation { withNestedTrampoline { observation.cancel() } }
    }

    @inlinable
    func showInterim(_ state: ValueBox<State>, _ turn: Machine.Turn) {
        progress.hasShownInterim = true
        show(StateChange(state, .interim))
    }

    /// Finishes a turn whose transition was in flight.
    @inlinable
    func finish(_ turn: Machine.Turn, _ ending: Machine.Ending) {
        // The limit is the cause of the cancellations.
        if let probe, case .timedOut = ending { probe.note(.timedOut(turn)) }
        endWork()
        progress.cascadeDepth = followsTurn ? turn.cascadeDepth : 0
        if case .replaced = ending {} else { progress.idleCountAtTurn = progress.idleCount }
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

    @usableFromInline
    func fail(_ turn: Machine.Turn, _ reason: @autoclosure () -> any Error) {
        revertInterim()
        // If the loop was stopped meanwhile, the error is not read, so that the promise reports it as unhandled.
        guard !isOver else { return }
        let error = reason()
        probe?.note(.failed(error, turn.origin))
        let isHandled = observers.wantsErrors
        if isHandled {
            observers.errors.call(error)
            observers.eventErrors.call((error, turn.event))
        }
        if !isExplored, !isHandled || !observers.failures.isEmpty {
            observers.report(
                .init(
                    problem: SystemProblem.failedTransition(
                        error, event: ValueText(event: turn.event).description),
                    origin: turn.origin), isHandled: isHandled)
        }
        leaveMiddleware()
        record(turn, .failed(error))
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
