// Delivering: the owner of a mailbox passes on what lies in it, in the order in which it came.

extension Cell {
    /// Adds a handler. It runs when the promise is settled; in this thread's turn when that has been done, without
    /// waiting for handlers that another thread is still running.
    func attach(_ handler: Cell, _ turn: Turn) {
        if !list(handler) { turn.add(handler, .fire) }
    }

    /// Passes an interim value on to the handlers of this moment, before the outcome or not at all.
    @usableFromInline
    @discardableResult
    func report(_ interim: Cell) -> Bool {
        guard !has(Flags.claimed), let isOwned = leave(interim) else { return false }
        let turn = Turn.current
        if !isOwned { turn.add(self, .deliver) }
        turn.finish()
        return true
    }

    /// Delivers what lies in the mailbox: interim values to the handlers that came before them, then, once
    /// settled, the outcome to all. Gives the mailbox back where it is not settled yet.
    ///
    /// - Parameter mail: What the mailbox held when it was settled; 0 when that is still in there.
    func deliver(_ mail: UInt, on turn: Turn) {
        var handlers = Entries(mail)
        var isPartial = false
        if handlers.flags & Flags.claimed != 0 {
            let entries = handlers
            handlers = Entries(0)
            isPartial = !sort(entries, into: &handlers, turn)
        }
        while mail == 0 {
            let (rest, isSettled) = take()
            if !sort(rest, into: &handlers, turn) { isPartial = true }
            if isSettled { break }
            if putBack(&handlers) { return }
        }
        while let handler = handlers.popFirst() {
            if !turn.fire(handler) { isPartial = true }
        }
        if isPartial { forgetUnwantedError() }
    }

    /// Passes the interim values on and lists the handlers; false when it left out cancelled ones.
    private func sort(_ mail: Entries, into handlers: inout Entries, _ turn: Turn) -> Bool {
        var mail = mail
        var isComplete = true
        while let entry = mail.popFirst() {
            if entry.isInterim {
                let interim = entry.takeRetainedValue()
                handlers.forEach { $0.pass(on: interim, turn) }
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

    private func pass(on interim: Cell, _ turn: Turn) {
        guard has(Flags.listens) else { return }
        borrowing(turn) { turn.inherit(scheduler) { head.pointee.step(self, interim, .interim) } }
    }

    /// The outcome of the upstream has come, or the work shall begin: acts on it; false when
    /// cancelled before.
    @discardableResult
    func fire(on turn: Turn) -> Bool {
        let before = isAlone ? markAlone(Flags.fired) : mark(Flags.fired)
        guard before & Flags.claimed == 0 else { return false }
        if before & Flags.timed != 0 { turn.inherit(scheduler, act) } else { act() }
        return true
    }

    private func act() {
        if let upstream = takeUpstream() {
            head.pointee.step(self, upstream, .fire)
        } else {
            head.pointee.step(self, self, .fire)
        }
    }
}
