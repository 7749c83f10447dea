package import Promise

// What a replay has the loop do, as the outside has done it in the recording.
extension System {
    /// Called by a probe in its note of a fact.
    ///
    /// - Parameter isInTurn: Whether a turn is running that is not in flight.
    /// - Returns: Whether the caller drains the loop, and that does not become idle next.
    @inlinable
    package func isDraining(isInTurn: Bool) -> Bool {
        loop.isOwner && (isInTurn || loop.ownership.hasPending || loop.machine.hasNext)
    }

    /// Lets an event of the outside arrive, for the owner of the loop: before it goes on.
    ///
    /// - Parameter isNoted: Whether the event is noted at once, as one that is sent in a turn, rather than when the loop
    ///   handles what has arrived.
    @usableFromInline
    package func arrive(_ event: Event, policy: EventPolicy?, at origin: Origin, isNoted: Bool) {
        var entry = LoopMachine<State, Event>.PendingEvent(
            event: event, policy: policy ?? self.policy(of: event) ?? .queue, origin: origin)
        if isNoted {
            loop.noteSending(&entry)
            loop.enqueue(entry)
        } else {
            entry.sent = SendMark(at: loop.now)
            loop.machine.arrive(.event(entry))
        }
    }

    /// Drops a pending event by its number, as if its sender had withdrawn it; a no-op if it is not pending.
    @usableFromInline
    package func drop(_ number: UInt32) {
        loop.receive(.perform { [loop] in loop.drop(number) })
    }
}

extension Loop {
    fileprivate func drop(_ number: UInt32) {
        if let (key, _, _) = machine.rateLimiter.all.first(where: { $0.entry.sent?.number == number }) {
            progress.delayTimers.removeValue(forKey: key)?.cancel()
            for (_, entry) in machine.rateLimiter.takeAll(of: key) { drop(entry, .withdrawn) }
        } else if let entry = machine.takeQueued(number) {
            drop(entry, .withdrawn)
        }
    }
}

extension LoopMachine {
    @inlinable var hasNext: Bool {
        !arrived.isEmpty
            || turn == nil && !(replacing.isEmpty && behind.isEmpty && behindTurn.isEmpty && waiting.isEmpty)
    }

    /// Removes and returns the queued event of a number.
    fileprivate mutating func takeQueued(_ number: UInt32) -> PendingEvent? {
        // The first one, as a rule.
        if waiting.first?.sent?.number == number { return popWaiting() }
        func takes(_ entry: PendingEvent) -> Bool { entry.sent?.number == number }
        if let index = behind.firstIndex(where: takes) { return behind.remove(at: index) }
        if let index = behindTurn.firstIndex(where: takes) { return behindTurn.remove(at: index) }
        if let entry = replacing.takeFirst(where: takes) { return entry }
        let entry = waiting.takeFirst(where: takes)
        if case .dropWhileBusy? = entry?.policy { waitingUnlessBusy -= 1 }
        return entry
    }
}

extension Deque {
    /// Removes and returns an element. It takes as long as to remove all.
    fileprivate mutating func takeFirst(where isMeant: (Element) -> Bool) -> Element? {
        var (rest, found): (Deque, Element?) = (Deque(), nil)
        while let element = popFirst() {
            if found == nil, isMeant(element) { found = element } else { rest.append(element) }
        }
        self = rest
        return found
    }
}
