// Delivery: the owner of a waiter list delivers to its entries, in the order of arrival.

extension PromiseStorage {
    /// Attaches a handler, to be run when the promise settles. If it has settled, the handler is enqueued on this
    /// thread's trampoline and does not wait for handlers that another thread is still running.
    func attach(_ handler: PromiseStorage, _ trampoline: Trampoline) {
        if !list(handler) { trampoline.add(handler, .fire()) }
    }

    /// Delivers an interim value to the handlers that are attached now, before the outcome. Returns false, and discards
    /// the value, if the promise has settled.
    @discardableResult
    func report(_ interim: PromiseStorage) -> Bool {
        guard !has(.claimed), let isOwned = enqueue(interim) else { return false }
        Trampoline.finishing { if !isOwned { $0.add(self, .deliver()) } }
        return true
    }

    /// Delivers each interim value to the handlers enqueued before it and then, if the promise has settled, the outcome
    /// to all handlers. If it has not, puts the handlers back and releases the ownership.
    ///
    /// - Parameter waiters: The word that ``settle()`` took, with the entries; 0 if they are still in the waiter list.
    func deliver(_ waiters: UInt64, on trampoline: Trampoline) {
        let state = state
        if state.contains(.resolvable) {
            // An entry of the list may be what sets the scheduler.
            let outer = trampoline.scheduler
            deliverInherited(waiters, on: trampoline)
            trampoline.scheduler = outer
        } else if !trampoline.inheritsScheduler(of: self, state), let scheduler = knownScheduler(state) {
            trampoline.inherit(scheduler) { deliverInherited(waiters, on: trampoline) }
        } else {
            deliverInherited(waiters, on: trampoline)
        }
    }

    private func deliverInherited(_ waiters: UInt64, on trampoline: Trampoline) {
        var handlers = WaiterQueue(waiters)
        var foundCancelled = false
        if handlers.flags.contains(.claimed) {
            let entries = handlers
            handlers = WaiterQueue(0)
            foundCancelled = !partition(entries, into: &handlers, trampoline)
        }
        while waiters == 0 {
            let (rest, isSettled) = take()
            if !partition(rest, into: &handlers, trampoline) { foundCancelled = true }
            if isSettled { break }
            if restore(&handlers) { return }
        }
        while let handler = handlers.popFirst() {
            if !trampoline.fire(handler) { foundCancelled = true }
        }
        if foundCancelled { forgetUnwantedError() }
    }

    /// Delivers the interim values and appends the live handlers to `handlers`; returns false if it removed cancelled
    /// ones.
    private func partition(_ waiters: WaiterQueue, into handlers: inout WaiterQueue, _ trampoline: Trampoline)
        -> Bool
    {
        var waiters = waiters
        var isComplete = true
        while let entry = waiters.popFirst() {
            if entry.isInterim {
                let interim = entry.takeRetainedValue()
                handlers.forEach { $0.pass(on: interim, trampoline) }
            } else if !entry.isCancelled {
                handlers.append(entry)
            } else {
                count(cancelledHandlers: -1)
                isComplete = false
                entry.release()
            }
        }
        return isComplete
    }

    private func pass(on interim: PromiseStorage, _ trampoline: Trampoline) {
        guard has(.wantsInterims) else { return }
        borrowing(trampoline) {
            trampoline.inherit(scheduler) { headerPointer.pointee.step(self, interim, .interim) }
        }
    }

    /// Runs the step, as the upstream has settled or the work is to begin; returns false if it was settled before, by a
    /// cancellation.
    ///
    /// - Parameter isDelivered: Whether the upstream is delivering, so that this thread has inherited its scheduler. A
    ///   handler that was attached later inherits it here.
    @discardableResult
    func fire(on trampoline: Trampoline, isDelivered: Bool = true) -> Bool {
        let before = isUniquelyReferenced ? insertUnshared(.fired) : insert(.fired)
        guard !before.contains(.claimed) else { return false }
        if trampoline.inheritsScheduler(of: self, before) {
            runStep()
        } else if before.contains(.hasScheduler), let scheduler = schedulerSlot.pointee {
            trampoline.inherit(scheduler) { runStep() }
        } else if !isDelivered, !trampoline.hasScheduler, let upstream {
            trampoline.inherit(upstream.knownScheduler(upstream.state)) { runStep() }
        } else {
            runStep()
        }
        return true
    }

    /// The scheduler of the chain, for any thread: nil until the starter has recorded it.
    ///
    /// - Parameter state: The state of the storage, loaded acquiring.
    func knownScheduler(_ state: State) -> (any SerialScheduler)? {
        guard state.contains(.hasScheduler), state.contains(any: .waiting | .fired) else { return nil }
        return schedulerSlot.pointee
    }

    private func runStep() {
        if let upstream = takeUpstream() {
            headerPointer.pointee.step(self, upstream, .fire)
        } else {
            headerPointer.pointee.step(self, self, .fire)
        }
    }
}
