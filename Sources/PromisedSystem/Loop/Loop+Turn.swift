public import Promise
public import Synchronization

// The way of an event through an idle loop, from its arrival to the end of its turn. A turn whose transition is
// asynchronous goes on in Loop+Transition.swift. The steps of a synchronous turn are inlined into one function, so that
// the turn stays in registers: as an argument it would be copied in memory by each.

extension Loop {
    // MARK: Arrival

    /// Receives an event from any thread. Its turn is over before this returns if the caller is on the scheduler, no
    /// transition is in flight, no thread is draining, and the transition is synchronous.
    @inlinable
    func receive(
        _ event: Event, _ policy: EventPolicy?, _ origin: Origin, from run: EffectRun? = nil
    ) {
        guard policy == nil, eventPolicy == nil, scheduler.isCurrent, ownership.tryAcquire()
        else {
            return send(event, policy: policy, origin: origin, run: run)
        }
        let scope = SchedulerScope(on: scheduler)
        owner.store(scope.thread, ordering: .relaxed)
        if isIdle, run == nil {
            let sent = isObserved ? firstEntry(event, origin).sent : nil
            start(machine.makeTurn(event, origin.place, sent), at: sent?.at)
        } else {
            isIdle = false
            machine.arrive(firstEntry(event, origin, run))
        }
        if isIdle {
            progress.idleCount &+= 1
            owner.store(0, ordering: .relaxed)
            if ownership.release() { return }
            owner.store(scope.thread, ordering: .relaxed)
        }
        drain()
    }

    /// Whether there are observers of turns, records or changes.
    @inlinable var isObserved: Bool { !observers.counter.isZero }

    /// The entry of an event that is sent now, as the first one of a cascade.
    @inlinable
    func firstEntry(_ event: Event, _ origin: Origin, _ run: EffectRun? = nil) -> PendingEvent {
        var entry = PendingEvent(event: event, policy: .queue, origin: origin, run: run)
        if isObserved { noteSending(&entry) }
        return entry
    }

    // MARK: The turn

    /// Runs a turn: middleware, the reducer and, if the transition is synchronous, everything that follows from the new
    /// state. Otherwise the turn goes on when its promise settles.
    ///
    /// - Parameter time: The time, if it was read just before.
    @inlinable @inline(__always)
    func start(_ newTurn: Machine.Turn, at time: Duration? = nil) {
        var turn = newTurn
        (progress.cascadeDepth, progress.idleCountAtTurn) = (turn.cascadeDepth, progress.idleCount)
        progress.isAnswered = false
        if isObserved { turn.start(at: time ?? now) }
        if turn.startedAt != nil || !middleware.layers.isEmpty {
            guard passMiddleware(&turn) else { return stop(turn) }
            announce(turn)
            if isOver { return }
        }
        // Records and changes need the state before, so only a turn that nothing observes changes it in place. Nor does
        // one that follows a replaced turn, which may still show an interim state: `put` does not remove that.
        if reduceInPlace != nil, turn.startedAt == nil, progress.replaced == nil {
            changeInPlace(turn)
        } else {
            makeTransition(turn)
        }
    }

    @inlinable
    func announce(_ turn: Machine.Turn) {
        guard turn.startedAt != nil, !isOver else { return }
        probe?.note(.begins(turn, ownerState))
        if observers.counter.hasSubscribers { observers.turns.call((turn.event, turn.origin)) }
    }

    /// Applies an in-place reducer. A large state is taken out of the store meanwhile, so that nothing is copied.
    @inlinable @inline(__always)
    func changeInPlace(_ turn: Machine.Turn) {
        let isTaken = store.canBeTaken
        // Marked before the state is taken: a reader that must wait for it looks up this thread.
        let scope = beginReducing(turn.origin)
        guard var state = isTaken ? store.take() : ownerState else { return endReducing(scope) }
        state.change { reduceInPlace?(&$0, turn.event) }
        if isTaken {
            let (subscribers, shared) = store.put(&state, wantsState: effects != nil)
            endReducing(scope)
            if let shared {
                store.notify(subscribers, StateChange(shared, .committed))
                evaluateFeedbacks(turn.event, shared)
            }
        } else {
            endReducing(scope)
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
        drainInbox()
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
        let scope = beginReducing(origin)
        defer {
            endReducing(scope)
            if isObserved, let probe {
                if probe.numbers != nil { store.watchReads() }
                probe.note(.hasReduced)
            }
        }
        if case .promise(let reduce) = reducer.step { return reduce(state.value, event) }
        return reducer(state.value, event)
    }

    @inlinable
    func beginReducing(_ origin: Origin) -> ReducerScope? {
        store.beginReducing(on: drainingThread, origin)
        guard reduceInPlace != nil || reducer.mayMissPart else { return nil }
        let scope = ReducerScope(isInPlace: reduceInPlace != nil, on: drainingThread)
        if reducer.mayMissPart { progress.missedBefore = scope.missedParts }
        return scope
    }

    @inlinable
    func endReducing(_ scope: ReducerScope?) {
        store.endReducing()
        guard let scope else { return }
        if reducer.mayMissPart { progress.hasMissedPart = scope.hasMissedPart(since: progress.missedBefore) }
        if reduceInPlace != nil { scope.end() }
    }

    /// The end of a turn that has committed a state.
    @inlinable @inline(__always)
    func endTurn(_ turn: Machine.Turn) {
        if !middleware.layers.isEmpty { leaveMiddleware() }
        if progress.hasMissedPart || findsUnhandledEvents { reportLostEvent(turn) }
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
        if !isOver, effects.ask(.event(event, state), self) { progress.isAnswered = true }
    }

    @inlinable
    func show(_ change: StateChange<State>) {
        guard !isOver else { return }
        if ValueBox<State>.isInline, change.kind == .committed { _ = inlineState.exchange(for: change.box) }
        store.show(change)
        probe?.note(.shows(change.box, change.kind))
        // An observer of records may be added during this turn. For it, up to 64 interim states are kept.
        if observers.wantsRecords || change.kind == .interim && progress.shown.count < 64 {
            progress.shown.append(change)
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

    // MARK: What the owner reads

    @inlinable var isOver: Bool { ownership.isStopped }

    /// The settled state, for the owner.
    @inlinable var ownerState: ValueBox<State> {
        ValueBox<State>.isInline ? inlineState.shared : store.ownerState
    }

    @inlinable var drainingThread: UInt { owner.load(ordering: .relaxed) }
}

extension LoopMachine {
    /// One run of the loop for one event.
    @usableFromInline
    package struct Turn: Sendable {
        @usableFromInline package let number: Int
        /// The event as middleware passed it on.
        @usableFromInline package internal(set) var event: Event
        @usableFromInline let place: UInt64
        @usableFromInline package let sent: SendMark?
        @usableFromInline let cascadeDepth: Int
        /// When it started; nil if nothing observes it and its transition is not in flight.
        @usableFromInline package internal(set) var startedAt: Duration?

        @inlinable
        init(number: Int, event: Event, place: UInt64, sent: SendMark?, cascadeDepth: Int) {
            (self.number, self.event, self.place) = (number, event, place)
            (self.sent, self.cascadeDepth) = (sent, cascadeDepth)
        }

        /// Where the event was sent.
        @inlinable package var origin: Origin { Origin(place: place) }

        // The event may have been sent after `now` was read: then it did not wait.
        @inlinable
        mutating func start(at now: Duration) { startedAt = max(now, sent?.at ?? now) }
    }

    /// The turn of an event. If its transition is asynchronous, ``begin(_:)`` follows.
    @inlinable
    mutating func makeTurn(_ entry: PendingEvent) -> Turn {
        makeTurn(entry.event, entry.place, entry.sent, cascadeDepth: entry.cascadeDepth)
    }

    @inlinable
    mutating func makeTurn(
        _ event: Event, _ place: UInt64, _ sent: SendMark?, cascadeDepth: Int = 0
    ) -> Turn {
        lastNumber &+= 1
        return Turn(number: lastNumber, event: event, place: place, sent: sent, cascadeDepth: cascadeDepth)
    }
}
