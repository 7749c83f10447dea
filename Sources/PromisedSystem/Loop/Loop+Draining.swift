internal import Promise
public import Synchronization

// The work of the owner of the loop until nothing is pending.
extension Loop {
    @inlinable
    func begin() {
        // It cannot be copied, so it lives until this returns.
        let scope = SchedulerScope(on: scheduler)
        owner.store(scope.thread, ordering: .relaxed)
        drain()
    }

    /// For the owner: performs all pending actions, then releases ownership.
    @inlinable
    func drain() {
        isIdle = false
        while true {
            if ownership.isInterrupted, !drainInterrupted() { return }
            drainInbox()
            if let action = machine.next(now: now) {
                perform(action)
                continue
            }
            if let entry = machine.nextEvent() {
                if let reason = machine.dropReason(of: entry) { drop(entry, reason) } else { start(entry) }
                continue
            }
            // The event that was to replace it was dropped.
            if progress.replaced != nil, machine.turn == nil {
                finishReplaced(isFollowedByInterim: false)
                progress.before = nil
                continue
            }
            progress.idleCount &+= 1
            progress.cascadeDepth = 0
            if observers.counter.hasSubscribers, notifyWaiters() { continue }
            isIdle = machine.turn == nil && machine.rateLimiter.orderedCount == 0
            owner.store(0, ordering: .relaxed)
            if ownership.release() { return }
            isIdle = false
            owner.store(currentThread, ordering: .relaxed)
        }
    }

    /// Whether a turn has begun or ended since the loop was idle.
    @inlinable var followsTurn: Bool { progress.idleCount == progress.idleCountAtTurn }

    @inlinable
    func start(_ entry: PendingEvent) {
        if let run = entry.run { eventDequeued(run) }
        start(machine.makeTurn(entry))
    }

    @inlinable
    func eventDequeued(_ run: EffectRun) { if run.eventDequeued() { effects?.forget(run) } }

    /// Moves the inbox to the machine, if the machine has handled everything before or the inbox holds anything but
    /// events that are only to be enqueued: these stay there meanwhile, so that the lock is not taken for each of them.
    @inlinable
    func drainInbox() {
        guard machine.arrived.isEmpty ? ownership.hasPending : ownership.hasAdmission else { return }
        // In a step, what arrives is for the hold: it does not interrupt the turn.
        if ownership.isHeld { return }
        // A turn calls this as well, and ownership must not be released while messages are pending.
        isIdle = false
        ownership.drainInbox(to: &machine.arrived)
    }

    @inlinable
    func perform(_ action: Machine.LoopAction) {
        if case .endEffect(let run, let error, let last, let origin) = action {
            last?(.inPlaceOfTheEnd)
            if let error { report(error, origin, isApart: false) }
            effects?.ended(run, error, self)
        } else {
            performSeldom(action)
        }
    }

    @inlinable
    func performSeldom(_ action: Machine.LoopAction) {
        switch action {
        case .showInterim(let state, let turn): showInterim(state, turn)
        case .finish(let turn, let ending): finish(turn, ending)
        case .drop(let entry, let reason): drop(entry, reason)
        case .checkDuration(let turn): checkDuration(of: turn)
        case .perform(let body): body()
        case .delay(let key, let number, let delay, let superseded):
            if let superseded { drop(superseded, superseded.supersededReason) }
            schedule(key, number, after: delay)
        case .endDelay(let keys, let end):
            probe?.note(.delayEnded(keys, end, followsTurn: followsTurn))
            for key in keys { progress.delayTimers.removeValue(forKey: key)?.cancel() }
        case .note(var entry):
            noteArrival(&entry)
            if machine.rateLimiter.orderedCount == 0, machine.isPlain(entry) {
                machine.waiting.append(entry)
            } else if let action = machine.admit(entry, { now }) {
                performSeldom(action)
            }
        case .endEffect, .forget: break
        }
    }

    /// Starts the timer of a delayed event.
    @usableFromInline
    func schedule(_ key: EffectKey, _ number: Int, after delay: Duration) {
        progress.delayTimers[key]?.cancel()
        progress.delayTimers[key] = DebounceTimer(delay, on: scheduler) { [weak self] in
            self?.receive(.delayEnded(key, number: number))
        }
    }
}
