extension PromiseStorage {
    /// Rejects with `CancellationError` and withdraws the interest in the upstream. An upstream that loses its last
    /// interested handler is cancelled as well, and so on up the chain. A no-op if the promise has settled.
    func cancel() {
        let trampoline = Trampoline.current
        trampoline.deferringDelivery { cancelUpwards(trampoline) }
    }

    /// Cancels a handler; returns false if it has fired.
    func withdraw(_ trampoline: Trampoline) -> Bool {
        guard let before = claim(.rejected | .cancelled), !before.contains(.fired) else { return false }
        if !before.contains(.borrowed) { settleCancelled(before, trampoline)?.loseInterest(trampoline) }
        return true
    }

    func cancelUpwards(_ trampoline: Trampoline) {
        var storage = self
        while true {
            guard let before = storage.claim(.rejected | .cancelled) else {
                if storage !== self { storage.forgetError() }
                return
            }
            // An interim value is being delivered, or the work is being replaced: the borrower completes the
            // cancellation.
            guard !before.contains(.borrowed) else { return }
            guard let upstream = storage.settleCancelled(before, trampoline),
                upstream.lostLastInterest(trampoline)
            else {
                return
            }
            storage = upstream
        }
    }

    /// Publishes the cancellation, for the thread that claimed it; returns the upstream whose interest is to be
    /// withdrawn.
    ///
    /// Nothing is written to `payload`: the thread that fired the storage may be taking the work out of it
    /// concurrently.
    func settleCancelled(_ before: State, _ trampoline: Trampoline) -> PromiseStorage? {
        var upstream: PromiseStorage?
        if !before.contains(.fired) {
            dropWork(before, trampoline)
            // Between started and waiting the upstream belongs to the starter.
            if !before.contains(.started) || before.contains(.waiting) {
                upstream = takeUpstream()
            }
        }
        publish(trampoline)
        return before.contains(.started) ? upstream : nil
    }

    /// Completes a cancellation that was requested while the payload was borrowed.
    func finishCancelling(_ before: State, _ trampoline: Trampoline) {
        if let upstream = settleCancelled(before.subtracting(.borrowed | .fired), trampoline) {
            upstream.loseInterest(trampoline)
        }
    }

    func loseInterest(_ trampoline: Trampoline, isListed: Bool = true) {
        guard lostLastInterest(trampoline, isListed: isListed) else { return }
        // A promise that was never started is not cancelled.
        if has(.started) { cancelUpwards(trampoline) }
        forgetError()
    }

    /// Marks the error as handled, so that it is not reported: an error that was in flight when the last interested
    /// handler was cancelled is reported as little as the cancellation would have been.
    func forgetError() {
        if isSettled, isRejected { _ = rejection.markHandled() }
    }

    /// Like `forgetError`, unless a handler is still interested; called after a delivery that met cancelled handlers.
    func forgetUnwantedError() {
        if state.interest == 0 { forgetError() }
    }

    /// Counts one interested handler less; returns true if it was the last.
    ///
    /// - Parameter isListed: Whether the cancelled handler is still an entry of the waiter list.
    func lostLastInterest(_ trampoline: Trampoline, isListed: Bool = true) -> Bool {
        let now = count(interest: -1, cancelledHandlers: isListed ? 1 : 0)
        guard now.interest > 0 else { return true }
        // Cancelled handlers remain in the waiter list. They are swept when they outnumber the live ones, at amortised
        // constant cost, so that a long-lived promise does not accumulate them; with very many live handlers they are
        // swept before their counter overflows.
        let cancelledHandlers = now.cancelledHandlers
        if cancelledHandlers >= 16,
            cancelledHandlers > now.interest || cancelledHandlers & 0x3FFFF == 0, acquireOwnership()
        {
            trampoline.add(self, .deliver())
        }
        return false
    }

    /// Releases the work, which will never run, and a held resource.
    func dropWork(_ flags: PromiseStorage.State, _ trampoline: Trampoline) {
        if flags.contains(.held), flags.contains(.started) {
            headerPointer.pointee.step(self, self, .release)
        }
        if flags.contains(.work) {
            trampoline.deferRelease(.work(payload.load(as: Trampoline.DeferredRelease.Closure.self)))
        }
    }
}
