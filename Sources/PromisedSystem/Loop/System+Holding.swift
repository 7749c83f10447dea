package import Promise

// Commands for a system that is looked at while it runs: see TimeTravel in PromisedRecording.
extension System {
    // MARK: Overriding

    /// Shows a state to all readers in place of the present one, from now on; nil ends that. Behind it, the system
    /// continues.
    ///
    /// Subscribers are notified on the scheduler: of the override, and of the present state when it ends. The reducer,
    /// the feedbacks, the middleware and the history are not concerned.
    package func override(_ state: State?) {
        guard let notify = override(by: state) else { return }
        loop.receive(.command { [loop] in loop.leavingTurn(notify) })
    }

    /// The same for a caller that has the subscribers notified.
    ///
    /// - Returns: Notifies them; to be called by the owner of the loop, in the order of the calls. Nil if there is nothing
    ///   to be notified of.
    package func override(by state: State?) -> (@Sendable () -> Void)? {
        loop.store.override(by: state.map { ValueBox($0) })
    }

    /// Passes the address of the override to `body`, under the lock of the state: `body` must not call user code. False
    /// without an override.
    package func lookAtOverride(_ body: (UnsafePointer<State>) -> Void) -> Bool {
        loop.store.contents.withLock { contents in
            guard contents.isOverridden, let overriding = contents.overriding else { return false }
            overriding.withAddress(body)
            return true
        }
    }

    /// The settled state behind an override.
    package var stateBehindOverride: State { loop.store.settledBehindOverride }

    // MARK: Holding

    /// Holds the system from the end of the present turn, or of its synchronous part, on: transitions and effects in
    /// flight go on, but their answers wait, and nothing is begun.
    ///
    /// - Parameters:
    ///   - drops: Whether events from outside are dropped meanwhile; if not, they wait as well.
    ///   - counts: Counts the messages that wait, and the events that were dropped.
    package func hold(dropping drops: Bool, _ counts: HoldCounts) {
        command { $0.hold(dropping: drops, counts) }
    }

    /// Lets a held system continue with the kept messages.
    package func release() { command { $0.release() } }

    /// Lets a held system process kept messages up to the next visible change: see ``Loop/step()``.
    package func step() { command { $0.step() } }

    /// Sends an event that is processed by a held system as well: at once, or next if a transition is in flight.
    package func sendByHand(_ event: Event, _ origin: Origin) {
        command { $0.process(event, origin) }
    }

    /// Makes a state the settled one, without an event.
    ///
    /// - Parameter prepare: Called by the owner of the loop, before anything is shown.
    package func settle(on state: State, _ prepare: @escaping @Sendable () -> Void) {
        command { $0.settle(on: ValueBox(state), prepare) }
    }

    // MARK: For time travel

    /// Whether the system has ended.
    package var isOver: Bool { loop.isOver }
    package var scheduler: any SerialScheduler { loop.scheduler }
    package var now: Duration { loop.now }

    /// The outcome of a transition, called apart from the system; nil if it is asynchronous. Nothing is started.
    package func outcome(of event: Event, in state: State) -> Result<State, any Error>? {
        switch loop.reducer(state, event).settledOutcome {
        case nil: nil
        case .fulfilled(let state): .success(state.value)
        case .rejected(let failure): .failure(failure.error)
        }
    }

    /// Performs something as the owner of the loop, also while that is held: before this returns, if the caller is on
    /// the scheduler and nothing else is running.
    package func command(_ body: @escaping @Sendable () -> Void) { loop.receive(.command(body)) }

    private func command(_ body: @escaping @Sendable (Loop<State, Event>) -> Void) {
        loop.receive(.command { [loop] in body(loop) })
    }
}
