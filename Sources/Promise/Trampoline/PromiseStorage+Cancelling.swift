extension PromiseStorage {
    /// Rejects with `CancellationError` and withdraws the interest in what it waits for; whatever nobody is
    /// interested in any more is cancelled as well, and so on upwards.
    @usableFromInline
    func cancel() {
        let trampoline = Trampoline.current
        trampoline.deferringDelivery { cancelUpwards(trampoline) }
    }

    func cancelUpwards(_ trampoline: Trampoline) {
        var storage = self
        while true {
            guard let before = storage.claim(Flags.rejected | Flags.cancelled) else {
                if storage !== self { storage.forgetError() }
                return
            }
            // Its work runs an interim value, or is being exchanged: the borrower does the rest.
            guard before & Flags.borrowed == 0 else { return }
            guard let upstream = storage.settleCancelled(before, trampoline),
                upstream.lostLastInterest(trampoline)
            else {
                return
            }
            storage = upstream
        }
    }

    /// Publishes the cancellation, for the one that claimed it; returns the upstream whose interest goes with it.
    ///
    /// Nothing is written to `payload`: whoever fired the cell may be taking the work out of it right now.
    func settleCancelled(_ before: UInt64, _ trampoline: Trampoline) -> PromiseStorage? {
        var upstream: PromiseStorage?
        if before & Flags.fired == 0 {
            dropWork(before, trampoline)
            // Between started and waiting the upstream belongs to the starter.
            if before & Flags.started == 0 || before & Flags.waiting != 0 {
                upstream = takeUpstream()
            }
        }
        publish(trampoline)
        return before & Flags.started != 0 ? upstream : nil
    }

    /// The second half of a cancellation that came while the payload was borrowed.
    func finishCancelling(_ before: UInt64, _ trampoline: Trampoline) {
        if let upstream = settleCancelled(before & ~(Flags.borrowed | Flags.fired), trampoline) {
            upstream.loseInterest(trampoline)
        }
    }

    func loseInterest(_ trampoline: Trampoline, isListed: Bool = true) {
        guard lostLastInterest(trampoline, isListed: isListed) else { return }
        // What nobody ever started stays as it is.
        if has(Flags.started) { cancelUpwards(trampoline) }
        forgetError()
    }

    /// An error that was on its way when the last one that wanted it was cancelled is no more worth a
    /// report than the cancellation that it forestalled.
    func forgetError() {
        if isSettled, isRejected { _ = rejection.markHandled() }
    }

    /// As `forgetError`, unless somebody still wants it: after a delivery that found cancelled handlers.
    func forgetUnwantedError() {
        if Flags.interest(present) == 0 { forgetError() }
    }

    /// One handler less that wants this cell's outcome; true when that was the last.
    func lostLastInterest(_ trampoline: Trampoline, isListed: Bool = true) -> Bool {
        let change = (isListed ? Flags.withdrawn : 0) &- Flags.interest
        let now = count(change)
        guard Flags.interest(now) > 0 else { return true }
        // What was cancelled still lies in the mailbox. Swept when it outweighs the living, its cost is
        // shared out evenly and a promise that lives long does not collect the dead. Of very many it is swept before
        // the count of them is full.
        let withdrawn = Flags.withdrawn(now)
        if withdrawn >= 16, withdrawn > Flags.interest(now) || withdrawn & 0x3FFFF == 0, acquireOwnership() {
            trampoline.add(self, .deliver)
        }
        return false
    }
}
