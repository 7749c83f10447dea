extension PromiseStorage {
    /// Publishes the outcome, which the thread that claimed it has written, and delivers it.
    @usableFromInline
    func publish() { if let waiters = settle() { Trampoline.current.deliver(self, waiters) } }

    func publish(_ trampoline: Trampoline) {
        if let waiters = settle() { trampoline.add(self, .deliver, waiters) }
    }

    /// Rejects with an error; a no-op that returns false if the outcome was claimed before.
    @usableFromInline
    @discardableResult
    func reject(_ rejection: Rejection, as kind: UInt64 = 0) -> Bool {
        guard let before = claim(Flags.rejected | kind) else { return false }
        write(rejection, reportable: before & Flags.started != 0)
        publish()
        // A concurrent starter may have looked before the error was published.
        if has(Flags.started) { rejection.markReportable() }
        return true
    }

    /// Settles a handler that has fired: like `fulfill(())`, but without atomic read-modify-write if it is uniquely
    /// referenced.
    @usableFromInline
    func end() {
        guard isUniquelyReferenced, hasNoWaiters, !isClaimed else { return _ = fulfill(()) }
        setFlagsUnshared(Flags.claimed)
    }

    func write(_ rejection: Rejection, reportable: Bool) {
        if reportable { rejection.markReportable() }
        put(work: rejection)
    }

    /// Whether the promise has settled with a value.
    @usableFromInline var isFulfilled: Bool { isSettled && !isRejected }

    /// Whether the outcome is an error; meaningful once the promise has settled.
    @usableFromInline var isRejected: Bool { has(Flags.rejected) }

    /// Whether the right to write the outcome has been acquired; the outcome may not be readable yet.
    @usableFromInline var isClaimed: Bool { has(Flags.claimed) }

    /// Whether the promise was rejected by a cancellation, as opposed to its work.
    @usableFromInline var isCancelled: Bool { has(Flags.cancelled) }

    /// The error of a rejected promise, in its shared object.
    @usableFromInline var rejection: Rejection {
        isCancelled ? .cancellation : borrowedWork(as: Rejection.self)
    }
}
