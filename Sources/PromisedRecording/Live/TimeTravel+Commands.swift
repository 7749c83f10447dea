internal import Promise

extension TimeTravel {
    // MARK: Showing

    /// Shows the state of an earlier turn to all readers of the system, which continues behind it.
    ///
    /// - Parameter index: The number of a turn that is kept: see ``indices``.
    public func jump(to index: Int) throws(TimeTravelError) {
        endPlaying()
        try show(index)
    }

    /// Shows the present state again.
    public func showPresent() {
        endPlaying()
        contents.withLock { $0.showing = .present }
        system?.override(nil)
    }

    func show(_ index: Int) throws(TimeTravelError) {
        show(try turn(at: index).state, as: .turn(index), try living())
    }

    private func show(_ state: State, as showing: TravelShowing, _ system: System<State, Event>) {
        contents.withLock { $0.showing = showing }
        system.override(state)
    }

    private func living() throws(TimeTravelError) -> System<State, Event> {
        guard let system, !system.isOver else { throw .ended }
        return system
    }

    private func checkUnlocked() throws(TimeTravelError) { if condition == .locked { throw .locked } }

    // MARK: Stopping

    /// Stops the system at the end of the present turn, or of its synchronous part.
    ///
    /// Transitions and effects in flight go on, as the world cannot be stopped, but their answers wait, as do timers that
    /// have fired. Nothing new is begun. `System.stop()` and the release of the system end it as ever.
    ///
    /// - Parameter arriving: Whether later events from outside wait or are dropped. Events and ends of effects, and
    ///   outcomes of transitions, always wait. A further call changes it for what arrives later.
    public func stop(arriving: TravelCommand.Arriving = .queue) {
        let isLocked = contents.withLock { contents in
            contents.stopped = arriving
            return contents.isLocked
        }
        if !isLocked { system?.hold(dropping: arriving == .drop, counts) }
    }

    /// Lets a stopped system process pending messages up to the next shown state, the end of a transition, or the end of
    /// an event's turn. A no-op if nothing is pending, or if the system is not stopped.
    public func step() throws(TimeTravelError) {
        try checkUnlocked()
        system?.step()
    }

    /// Shows the present state, and lets a stopped system continue with its pending messages.
    ///
    /// A locked system stays locked until ``unlock()``.
    public func resume() {
        showPresent()
        let isLocked = contents.withLock { contents in
            contents.stopped = nil
            return contents.isLocked
        }
        if !isLocked { system?.release() }
    }

    /// Stops the system, drops later events from outside, and refuses the commands by which it would process something.
    public func lock() {
        contents.withLock { $0.isLocked = true }
        system?.hold(dropping: true, counts)
    }

    /// Ends the lock: the system is stopped, if it was stopped before, or continues.
    public func unlock() {
        let stopped = contents.withLock { contents in
            contents.isLocked = false
            return contents.stopped
        }
        if let stopped { system?.hold(dropping: stopped == .drop, counts) } else { system?.release() }
    }

    // MARK: Changing

    /// Sends an event. A stopped system processes it at once, before its pending messages; if a transition is in flight,
    /// directly after that.
    public func send(
        _ event: Event, file: StaticString = #fileID, line: UInt = #line
    ) throws(TimeTravelError) {
        try checkUnlocked()
        try living().sendByHand(event, Origin(file, line))
    }

    /// Makes the state of an earlier turn the present one, shows it, and forgets the turns after it.
    ///
    /// A transition in flight is cancelled. Feedbacks request the effects of the state; effects of events continue.
    /// Pending events are kept, and processed in the state that is present then.
    ///
    /// - Parameter index: The number of a turn that is kept.
    public func branch(from index: Int) throws(TimeTravelError) {
        try checkUnlocked()
        let (state, system) = (try turn(at: index).state, try living())
        endPlaying()
        system.settle(on: state) { [self] in
            let past = contents.withLock { contents in
                contents.showing = .present
                return contents.history.removeAll(after: index)
            }
            withExtendedLifetime(past) {}
        }
        // Behind it, so that readers are notified once.
        system.command { [weak system] in system?.override(nil) }
    }

    /// Computes the state that there would be now if an event had not been sent, and shows it.
    ///
    /// The reducer alone is called again, with the later events as they are in the history, also those that effects or
    /// middleware have sent because of the event. Its effects are not known to have been others, as nothing is asked of
    /// the world again. A transition whose state before is the same as it was, has the same result. So what this says is
    /// exact as far as it says anything: at an asynchronous transition that would begin with another state it ends with an
    /// error.
    ///
    /// - Parameter index: The number of a turn that is kept, as is the one before it.
    /// - Returns: The state.
    @discardableResult
    public func without(turn index: Int) throws(TimeTravelError) -> State {
        endPlaying()
        guard try turn(at: index).event != nil else { throw .noEvent(index) }
        let (history, system) = (contents.withLock { $0.history }, try living())
        guard var state = history[index - 1]?.state else {
            throw .unknownTurn(index - 1, kept: history.indices)
        }
        for turn in history.turns where turn.index > index {
            guard let event = turn.event, let before = history[turn.index - 1] else { continue }
            if areDynamicallySame(state, before.state) {
                state = turn.state
                continue
            }
            guard let outcome = system.outcome(of: event, in: state) else {
                throw .asynchronous(turn.index, event: ValueText(event: event).description)
            }
            // A transition that fails leaves the state as it is.
            if case .success(let next) = outcome { state = next }
        }
        show(state, as: .without(turn: index), system)
        return state
    }

    // MARK: Playing

    /// Shows the states of the history one after another, from the one that is shown on, or from the oldest if that is the
    /// present one; at the end, the present state. Any other command that shows a state ends it.
    ///
    /// The instants are those of the system's scheduler, so under a test scheduler it plays in virtual time.
    ///
    /// - Parameter speed: How many times the original pace: from 0.001 to 1,000.
    public func play(speed: Double = 1) throws(TimeTravelError) {
        guard (0.001...1_000).contains(speed) else { throw .unusableSpeed(speed) }
        endPlaying()
        var first = indices.lowerBound
        if case .turn(let shown) = showing { first = shown }
        try show(first)
        let number = contents.withLock { contents in
            contents.playNumber += 1
            contents.playing = .init(number: contents.playNumber, index: first)
            return contents.playNumber
        }
        continuePlaying(number, after: first, speed)
    }

    private func continuePlaying(_ number: Int, after index: Int, _ speed: Double) {
        guard let system, let turn = try? turn(at: index), let next = try? self.turn(at: index + 1) else {
            return showPresent()
        }
        let work = system.scheduler.schedule(after: (next.time - turn.time) / speed) { [weak self] in
            guard let self, contents.withLock({ $0.playing?.number == number }) else { return }
            do { try show(next.index) } catch { return showPresent() }
            continuePlaying(number, after: next.index, speed)
        }
        // It may have fired already, or another command may have ended the playing.
        let isNext = contents.withLock { contents in
            guard let playing = contents.playing, playing.number == number, playing.index < next.index else {
                return false
            }
            contents.playing = .init(number: number, index: next.index, work: work)
            return true
        }
        if !isNext { work.cancel() }
    }

    private func endPlaying() { contents.withLock { $0.playing.take() }?.work?.cancel() }
}
