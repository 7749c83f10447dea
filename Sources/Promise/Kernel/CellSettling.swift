internal import Synchronization

extension Cell {
    /// Makes the outcome, already written by the one that claimed it, visible, and has it delivered.
    @usableFromInline
    func publish() {
        let turn = Turn.current
        publish(turn)
        turn.finish()
    }

    func publish(_ turn: Turn) {
        var word = mailbox.pointee.load(ordering: .relaxed)
        while true {
            let desired =
                if word & Mail.owned != 0 { word | Mail.settled }  // the owner will see it
                else if word == 0 { Mail.closed } else { word | Mail.settled | Mail.owned }
            let (exchanged, seen) = mailbox.pointee.weakCompareExchange(
                expected: word, desired: desired, successOrdering: .acquiringAndReleasing,
                failureOrdering: .relaxed)
            if exchanged { break }
            word = seen
        }
        if word & Mail.owned == 0, word != 0 { turn.add(self, .deliver) }
    }

    /// Settles with an error unless that was done already.
    @usableFromInline
    @discardableResult
    func reject(_ rejection: Rejection, as kind: UInt64 = 0) -> Bool {
        guard let before = claim(Flags.rejected | kind) else { return false }
        write(rejection, armed: before & Flags.started != 0)
        publish()
        // Started meanwhile, by one that may have looked before the error was there.
        if flags.pointee.load(ordering: .acquiring) & Flags.started != 0 { rejection.arm() }
        return true
    }

    func write(_ rejection: Rejection, armed: Bool) {
        if armed { rejection.arm() }
        payload.initializeMemory(as: Rejection.self, to: rejection)
    }

    /// The reference upwards, for its owner of the moment.
    func takeUpstream() -> Cell? {
        defer { head.pointee.upstream = nil }
        return head.pointee.upstream?.takeRetainedValue()
    }

    /// The outcome of the upstream has come, or the work shall begin: acts on it; false when
    /// cancelled before.
    @discardableResult
    func fire(on turn: Turn) -> Bool {
        let before = mark(Flags.fired)
        guard before & Flags.claimed == 0 else { return false }
        let source = takeUpstream() ?? self
        guard before & Flags.timed != 0, let scheduler = head.pointee.scheduler else {
            head.pointee.step(self, source, .fire)
            return true
        }
        let outer = turn.scheduler
        turn.scheduler = scheduler
        head.pointee.step(self, source, .fire)
        turn.scheduler = outer
        return true
    }
}
