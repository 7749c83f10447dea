public import Promise
internal import Synchronization

extension System {
    /// Returns a promise that is fulfilled when no transition is in flight and no event is queued or delayed, at once if
    /// that is so already.
    ///
    /// For a command-line tool or a test that has sent its events and waits for what comes of them:
    ///
    /// ```swift
    /// let total = System<Int, Int>(initialState: 0, scheduler: .serial("total")) { state, number in
    ///     Promise.value(state + number).delay(.milliseconds(1))
    /// }
    /// for number in 1...3 { total.sendEvent(number) }
    /// try await total.whenIdle().value
    /// print(total.state)
    /// ```
    ///
    /// Events that were sent before the promise was started count, by any sender. Effects that run do not: they may run
    /// for ever, and the events that they send later come too late. It is also fulfilled when the system ends, and does
    /// not retain the system.
    ///
    /// - Returns: A promise that is fulfilled on the system's scheduler, or at once, and rejected only if it is cancelled.
    public func whenIdle(file: StaticString = #fileID, line: UInt = #line) -> Promise<Void> {
        Promise<Void>(
            { [loop] resolver in
                guard !loop.isAtRest else {
                    loop.noteQueue(.access)
                    resolver.fulfill(())
                    return
                }
                loop.noteQueue(.wait)
                loop.receive(.perform { loop.observers.addWaiter { resolver.fulfill(()) } })
            }, file: file, line: line
        )
        // The end of the system releases the resolver.
        .mapErrorRecover({ do { throw $0 } catch PromiseError.abandoned {} }, file: file, line: line)
    }

    /// Drops every event that is queued or delayed, as if its sender had withdrawn it
    /// (``LoopRecord/DropReason/withdrawn``).
    ///
    /// For a key or a button that stops everything. The running transition goes on; an event with the
    /// policy ``EventPolicy/replace``, sent next, ends that as well:
    ///
    /// ```swift
    /// enum Order: Sendable { case add, stop }
    ///
    /// let cart = System<Int, Order>(
    ///     initialState: 0, scheduler: .serial("cart"),
    ///     configuration: .init(eventPolicy: { $0 == .stop ? .replace : .queue })
    /// ) { count, order in
    ///     order == .stop ? .value(count) : Promise.value(count + 1).delay(.seconds(5))
    /// }
    /// for _ in 1...5 { cart.sendEvent(.add) }
    /// cart.dropQueuedEvents()
    /// cart.sendEvent(.stop)
    /// ```
    ///
    /// It may be called from any thread; events that the same thread sends after the call are not dropped. Events of
    /// effects are dropped like others, while the effects go on.
    public func dropQueuedEvents() {
        loop.noteQueue(.access)
        loop.receive(.perform { [loop] in loop.dropQueuedEvents() })
    }
}

extension Loop {
    /// Notes a use of the queue, if the system is explored. From any thread.
    func noteQueue(_ use: LoopFact<State, Event>.QueueUse) {
        if let probe = sharedProbe.load(), probe.numbers != nil { probe.note(.queue(use)) }
    }

    /// For an owner that finds nothing to do: whether no transition and no delayed event is awaited either.
    private var isNothingLeft: Bool { machine.turn == nil && machine.rateLimiter.all.isEmpty }

    /// Whether nothing is in flight, queued or delayed; false as well while a thread drains. From any thread.
    fileprivate var isAtRest: Bool {
        guard ownership.tryAcquire() else { return false }
        let isAtRest = isNothingLeft
        // Messages that have arrived meanwhile are for the scheduler, which gets the ownership with them.
        if !ownership.release() { scheduler.schedule { [self] in begin() } }
        return isAtRest
    }

    /// For the owner.
    func dropQueuedEvents() {
        let delayed = machine.rateLimiter.takeAll(of: nil)
        for (key, _) in delayed { progress.delayTimers.removeValue(forKey: key)?.cancel() }
        for entry in machine.takeQueued() + delayed.map({ $0.entry }) { drop(entry, .withdrawn) }
    }

    /// For the owner, when nothing is to be done: calls those that wait for that.
    ///
    /// - Returns: Whether there were any, so that there may be something to be done again.
    @usableFromInline
    func notifyWaiters() -> Bool {
        guard isNothingLeft else { return false }
        let waiters = observers.takeWaiters()
        if !waiters.isEmpty { noteQueue(.end) }
        for waiter in waiters { waiter() }
        return !waiters.isEmpty
    }
}

extension LoopMachine {
    /// Removes and returns the queued events, in the order of their turns.
    mutating func takeQueued() -> [PendingEvent] {
        let entries = replacing.all + behindTurn + behind.reversed() + waiting.all
        replacing.removeAll()
        behindTurn.removeAll()
        behind.removeAll()
        waiting.removeAll()
        waitingUnlessBusy = 0
        return entries
    }
}
