extension PromiseStorage {
    /// Makes the outcome, already written by the one that claimed it, visible, and has it delivered.
    @usableFromInline
    func publish() { if let waiters = settle() { Trampoline.current.deliver(self, waiters) } }

    func publish(_ trampoline: Trampoline) {
        if let waiters = settle() { trampoline.add(self, .deliver, waiters) }
    }

    /// Settles with an error unless that was done already.
    @usableFromInline
    @discardableResult
    func reject(_ rejection: Rejection, as kind: UInt64 = 0) -> Bool {
        guard let before = claim(Flags.rejected | kind) else { return false }
        write(rejection, reportable: before & Flags.started != 0)
        publish()
        // Started meanwhile, by one that may have looked before the error was there.
        if has(Flags.started) { rejection.markReportable() }
        return true
    }

    /// Settles a handler that has fired, with nothing: as `fulfill(())`, and without an atomic step when
    /// nobody else knows it any more.
    @usableFromInline
    func end() {
        guard isUniquelyReferenced, hasNoWaiters, !isClaimed else { return _ = fulfill(()) }
        markUnshared(Flags.claimed)
    }

    func write(_ rejection: Rejection, reportable: Bool) {
        if reportable { rejection.markReportable() }
        put(work: rejection)
    }

    /// Whether it is settled with a value.
    @usableFromInline var isFulfilled: Bool { isSettled && !isRejected }

    /// Whether the outcome is an error; of a settled cell.
    @usableFromInline var isRejected: Bool { has(Flags.rejected) }

    /// Whether somebody has the right to write the outcome already.
    @usableFromInline var isClaimed: Bool { has(Flags.claimed) }

    /// Whether it was cancelled, as opposed to rejected by its work.
    @usableFromInline var isCancelled: Bool { has(Flags.cancelled) }

    /// The rejection of a cell that settled with one.
    @usableFromInline var rejection: Rejection {
        isCancelled ? .cancellation : borrowedWork(as: Rejection.self)
    }
}
