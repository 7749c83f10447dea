public import Promise
public import Synchronization

// Changes without events: for the owner of a private system that is sent none, and whose state many threads write to.
extension System {
    /// Changes the settled state in place, from any thread. The callers must exclude each other.
    ///
    /// - Parameters:
    ///   - before: Set to the state before, if there is to be a record of the write.
    ///   - change: Called under the lock of the state, so it must not call user code, nor release a user's value.
    /// - Returns: Whether there are observers to notify; nil after the end, when nothing is changed.
    @inlinable
    package func write(_ before: inout ValueBox<State>?, _ change: (inout State) -> Void) -> Bool? {
        let isObserved = loop.isObserved
        return loop.store.contents.withLock { contents in
            guard !contents.isOver else { return nil }
            if isObserved { before = contents.settled.shared }
            contents.settled.change(change)
            return isObserved || !contents.subscribers.isEmpty
        }
    }

    /// Passes the address of the settled state to `body`, under the lock of the state: `body` must not call user code.
    @inlinable
    package func look<Result>(_ body: (UnsafePointer<State>) -> Result) -> Result {
        loop.store.noteRead(ofHistory: false)
        return loop.store.contents.withLock { contents in contents.settled.withAddress(body) }
    }

    /// Called by a writer after a write that observers are to be notified of.
    ///
    /// - Parameters:
    ///   - event: Describes the write in its record.
    ///   - before: The state before, if there is to be a record.
    /// - Returns: Notifies them; to be performed by the owner of the loop, in the order of the writes.
    @usableFromInline
    package func notice(
        of event: Event, at origin: Origin, from before: ValueBox<State>?
    ) -> @Sendable () -> Void {
        let (subscribers, after) = loop.store.contents.withLock { contents in
            (contents.subscribersToNotify(loop.store.isNotifying), contents.settled.shared)
        }
        let cause = loop.cause
        return { [loop] in loop.showWritten(event, origin, cause, before, after, subscribers) }
    }

    /// Called by the sender of an event that is none of the system, such as that of a model.
    ///
    /// - Parameter sender: Called before this returns.
    /// - Returns: Notes the event; to be performed by the owner of the loop, in the order of the writes and events. Nil
    ///   if nothing observes the system.
    @usableFromInline
    package func notice(
        ofEvent event: any Sendable, from sender: () -> EventPlace
    ) -> (@Sendable () -> Void)? {
        guard loop.sharedProbe.load() != nil else { return nil }
        let (sender, cause) = (sender(), loop.cause)
        return { [loop] in loop.probe?.observer.posts(event, from: sender, by: cause) }
    }

    /// Who the caller is; nil unless the system is observed.
    @usableFromInline
    package var cause: WriteCause? { loop.sharedProbe.load() == nil ? nil : loop.cause }

    /// Runs `action` as the owner of the loop, after everything that arrived before: before this returns, if the caller
    /// is on the scheduler and nothing else is running.
    @inlinable
    package func perform(_ action: @escaping @Sendable () -> Void) { loop.performDirectly(action) }

    /// Starts an effect that no feedback has requested. Called by the owner of the loop. The system must have been
    /// created with ``Feedback/none``.
    ///
    /// - Parameter cause: Who has it started, where that is noted.
    @usableFromInline
    package func begin(
        _ effect: Effect<Event>, _ key: EffectKey, at origin: Origin, by cause: WriteCause? = nil
    ) {
        if let cause { loop.probe?.observer.begins(by: cause) }
        let context = EffectContext(loop, origin)
        loop.effects?.begin(
            EffectPlan(key, policy: .concurrent) { run in context.begin(effect, run) }, 0, loop)
    }

    /// Cancels the effects under a key. Called by the owner of the loop.
    @usableFromInline
    package func cancel(_ key: EffectKey) { loop.effects?.cancel(key, loop) }
}

extension Feedback {
    /// Requests nothing: for a system whose effects are started by ``System/begin(_:_:at:)``.
    @usableFromInline
    package static func none(file: StaticString = #fileID, line: UInt = #line) -> Feedback {
        Feedback(Origin(file, line), accepts: .events) { _ in { _ in .unchanged } }
    }
}

extension RunningEffects {
    fileprivate final func cancel(_ key: EffectKey, _ host: any EffectHost) {
        var steps = Registry.Steps()
        registry.cancel(key, requestedBefore: .max, &steps) { _ in true }
        perform(&steps, host)
    }
}

extension Loop {
    /// Performs an action of an idle loop without the detour by its inbox, if the caller is on the scheduler.
    @inlinable
    func performDirectly(_ action: @escaping @Sendable () -> Void) {
        guard scheduler.isCurrent, ownership.tryAcquire() else { return receive(.perform(action)) }
        let scope = SchedulerScope(on: scheduler)
        owner.store(scope.thread, ordering: .relaxed)
        if isIdle, !isObserved {
            action()
        } else {
            isIdle = false
            machine.arrive(.perform(action))
        }
        if isIdle, !isObserved {
            owner.store(0, ordering: .relaxed)
            if ownership.release() { return }
            owner.store(scope.thread, ordering: .relaxed)
        }
        drain()
    }

    /// Who the caller is, while the loop is observed.
    fileprivate var cause: WriteCause {
        guard sharedProbe.load() != nil else { return .outside }
        // What a task has written is delivered on its thread.
        if isOwner { return .observer }
        return (workOfCaller as? any RunScheduler).map { .work($0) } ?? .outside
    }

    fileprivate func showWritten(
        _ event: Event, _ origin: Origin, _ cause: WriteCause, _ before: ValueBox<State>?,
        _ after: ValueBox<State>, _ subscribers: StateStore<State>.Listeners
    ) {
        guard !isOver else { return }
        let change = StateChange(after, .committed)
        store.notify(subscribers, change)
        machine.lastNumber &+= 1
        probe?.note(
            .written(turn: machine.lastNumber, event, origin, by: cause, before: before, after: after))
        guard let before, observers.wantsRecords else { return }
        observers.records.call(
            LoopRecord(
                number: machine.lastNumber, event: event, origin: origin, before: before, after: after,
                shown: [change], outcome: .settled, queueWait: .zero, duration: .zero))
    }
}
