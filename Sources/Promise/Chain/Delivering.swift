// Delivering: the owner of a mailbox passes on what lies in it, in the order in which it came.

extension Cell {
    /// Adds a handler. It runs when the outcome is delivered; at once, in this thread's turn, when that has
    /// been done.
    func attach(_ handler: Cell, _ turn: Turn) {
        guard !turn.delivery.isSuspended(of: self), let isSettled = list(handler) else {
            return turn.add(handler, .fire)
        }
        if isSettled, turn.delivery.isJoined(by: self) { turn.add(self, .deliver) }
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
    /// settled, the outcome to all. Lets go of the mailbox, or leaves itself on the thread's list.
    ///
    /// Returns whether all have been told, so that the mailbox may be closed.
    ///
    /// - Parameter mail: What the mailbox held when it was settled; 0 when that is still in there.
    func deliver(_ mail: UInt, on turn: Turn) -> Bool {
        var handlers = Entries(mail)
        var isPartial = false
        if handlers.flags & Flags.claimed != 0 {
            let entries = handlers
            handlers = Entries(0)
            isPartial = !sort(entries, into: &handlers, turn)
        }
        while mail == 0 || !isEmpty {
            let (rest, isSettled) = take()
            if !sort(rest, into: &handlers, turn) { isPartial = true }
            if isSettled { break }
            if putBack(&handlers) { return false }
        }
        turn.delivery.begin(of: self)
        while let handler = handlers.popFirst() {
            if !turn.fire(handler) { isPartial = true }
        }
        let isListedAgain = turn.delivery.end()
        if isPartial { forgetUnwantedError() }
        return !isListedAgain
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
        borrowing(turn) { head.pointee.step(self, interim, .interim) }
    }

    /// The outcome of the upstream has come, or the work shall begin: acts on it; false when
    /// cancelled before.
    @discardableResult
    func fire(on turn: Turn) -> Bool {
        let before = isAlone ? markAlone(Flags.fired) : mark(Flags.fired)
        guard before & Flags.claimed == 0 else { return false }
        guard before & Flags.timed != 0, let scheduler else {
            act()
            return true
        }
        let outer = turn.scheduler
        turn.scheduler = scheduler
        act()
        turn.scheduler = outer
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

/// Which cell's outcome is being delivered on this thread.
struct Delivery {
    private var cell: ObjectIdentifier?
    private var isListedAgain = false
    /// Those that wait for a delivery further in to end, outermost first.
    private var suspended: [ObjectIdentifier] = []

    mutating func begin(of cell: Cell) { (self.cell, isListedAgain) = (ObjectIdentifier(cell), false) }

    /// Whether the cell was put on the list again meanwhile.
    mutating func end() -> Bool {
        cell = nil
        return isListedAgain
    }

    /// Whether `cell` is delivering its outcome further out, so that its mailbox waits.
    func isSuspended(of cell: Cell) -> Bool {
        !suspended.isEmpty && suspended.contains(ObjectIdentifier(cell))
    }

    /// A handler joined `cell` while its outcome is being delivered. If that happens in one of its own
    /// handlers, and for the first time, the place in the list is taken now, by the caller: first in, first
    /// out holds across promises too.
    mutating func isJoined(by cell: Cell) -> Bool {
        guard self.cell == ObjectIdentifier(cell), !isListedAgain else { return false }
        isListedAgain = true
        return true
    }

    /// The state of a delivery inside this one.
    func inside() -> Delivery {
        var inner = Delivery()
        inner.suspended = suspended + (cell.map { [$0] } ?? [])
        return inner
    }
}
