// Delivering: the owner of a mailbox passes on what lies in it, in the order in which it came.

extension PromiseStorage {
    /// Adds a handler. It runs when the promise is settled; in this thread's turn when that has been done, without
    /// waiting for handlers that another thread is still running.
    func attach(_ handler: PromiseStorage, _ trampoline: Trampoline) {
        if !list(handler) { trampoline.add(handler, .fire) }
    }

    /// Passes an interim value on to the handlers of this moment, before the outcome or not at all.
    @usableFromInline
    @discardableResult
    func report(_ interim: PromiseStorage) -> Bool {
        guard !has(Flags.claimed), let isOwned = enqueue(interim) else { return false }
        let trampoline = Trampoline.current
        if !isOwned { trampoline.add(self, .deliver) }
        trampoline.finish()
        return true
    }

    /// Delivers what lies in the mailbox: interim values to the handlers that came before them, then, once
    /// settled, the outcome to all. Gives the mailbox back where it is not settled yet.
    ///
    /// - Parameter mail: What the mailbox held when it was settled; 0 when that is still in there.
    func deliver(_ waiters: UInt, on trampoline: Trampoline) {
        var handlers = WaiterQueue(waiters)
        var isPartial = false
        if handlers.flags & Flags.claimed != 0 {
            let entries = handlers
            handlers = WaiterQueue(0)
            isPartial = !partition(entries, into: &handlers, trampoline)
        }
        while waiters == 0 {
            let (rest, isSettled) = take()
            if !partition(rest, into: &handlers, trampoline) { isPartial = true }
            if isSettled { break }
            if restore(&handlers) { return }
        }
        while let handler = handlers.popFirst() {
            if !trampoline.fire(handler) { isPartial = true }
        }
        if isPartial { forgetUnwantedError() }
    }

    /// Passes the interim values on and lists the handlers; false when it left out cancelled ones.
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
                count(0 &- Flags.withdrawn)
                isComplete = false
                entry.release()
            }
        }
        return isComplete
    }

    private func pass(on interim: PromiseStorage, _ trampoline: Trampoline) {
        guard has(Flags.wantsInterims) else { return }
        borrowing(trampoline) {
            trampoline.inherit(scheduler) { headerPointer.pointee.step(self, interim, .interim) }
        }
    }

    /// The outcome of the upstream has come, or the work shall begin: acts on it; false when
    /// cancelled before.
    @discardableResult
    func fire(on trampoline: Trampoline) -> Bool {
        let before = isUniquelyReferenced ? markUnshared(Flags.fired) : mark(Flags.fired)
        guard before & Flags.claimed == 0 else { return false }
        if before & Flags.hasScheduler != 0 { trampoline.inherit(scheduler, runStep) } else { runStep() }
        return true
    }

    private func runStep() {
        if let upstream = takeUpstream() {
            headerPointer.pointee.step(self, upstream, .fire)
        } else {
            headerPointer.pointee.step(self, self, .fire)
        }
    }
}
