internal import Promise

/// The state machine of the loop: decides on the next action, given the messages that have arrived. It never blocks. Of
/// user code it calls only the `id` of parts, and `==` and `hash(into:)` of the keys of debounced and throttled events.
/// ``Loop`` asks it as the owner and performs its actions.
@usableFromInline
package struct LoopMachine<State: Sendable, Event: Sendable>: Sendable {
    /// A message to the loop; messages are handled in order of arrival.
    @usableFromInline
    enum Message: Sendable {
        case event(PendingEvent)
        // Indirect, as is every case larger than an event: most messages are events, and should be small.
        indirect case update(turn: Int, Update<State>)
        case timeLimit(turn: Int, Duration)
        case watchdog
        case perform(@Sendable () -> Void)
        /// The same, also while the loop is held.
        case command(@Sendable () -> Void)
        /// The timer of a delayed event has fired.
        case delayEnded(EffectKey, number: Int)
        /// Process the delayed event of a key now, or all of them.
        case flush(EffectKey?)
        /// An effect has ended by itself.
        case effectEnded(EffectRun, (any Error)?, LastEvent?, Origin)

        /// Whether it is anything but an event with the policy `queue`.
        @inlinable var needsAdmission: Bool {
            if case .event(let entry) = self, case .queue = entry.policy { false } else { true }
        }
    }

    @usableFromInline
    enum Ending: Sendable {
        case outcome(Outcome<State>)
        case timedOut(Duration)
        case replaced
    }

    /// The next step of the owner of the loop, other than to process an event.
    @usableFromInline
    enum LoopAction: Sendable {
        indirect case showInterim(ValueBox<State>, Turn)
        indirect case finish(Turn, Ending)
        indirect case drop(PendingEvent, DropReason)
        /// Report the turn if it takes too long, or look again when it would.
        indirect case checkDuration(Turn)
        case perform(@Sendable () -> Void)
        /// Start the timer of a delayed event, which sends `delayEnded` when it fires. The superseded event is dropped.
        indirect case delay(EffectKey, number: Int, Duration, superseded: PendingEvent?)
        /// Release the timers of these keys, whose events are enqueued.
        indirect case endDelay([EffectKey], DelayEnd)
        /// Note the event, and admit it then.
        indirect case note(PendingEvent)
        case endEffect(EffectRun, (any Error)?, LastEvent?, Origin)
        /// Discard the message: its turn has ended.
        indirect case forget(Message)
    }

    @usableFromInline typealias DropReason = LoopRecord<State, Event>.DropReason
    @usableFromInline typealias DelayEnd = LoopFact<State, Event>.DelayEnd

    /// The turn whose transition is in flight.
    @usableFromInline var turn: Turn?
    @usableFromInline var lastNumber = 0
    @usableFromInline let cascadeLimit: Int

    // The lanes of the event queue, in the order in which they are emptied.

    /// The messages that were not admitted yet, in order of arrival.
    @usableFromInline var arrived = Inbox<Message>()
    /// Events with the policy `replace`.
    @usableFromInline var replacing = Deque<PendingEvent>()
    /// Events to be processed directly after the turn that sends them, in reverse order: the next one is last.
    @usableFromInline var behind: [PendingEvent] = []
    /// Those of the running turn, in the order in which they were sent; they come first.
    @usableFromInline var behindTurn: [PendingEvent] = []
    @usableFromInline var waiting = Deque<PendingEvent>()
    /// How many of those waiting have the policy `dropWhileBusy`.
    @usableFromInline var waitingUnlessBusy = 0
    /// Events that wait for their time, by key.
    @usableFromInline var rateLimiter = EventRateLimiter<PendingEvent>() { didSet { updateAdmission() } }
    /// Whether the loop has a probe, which notes the events in order of arrival.
    @usableFromInline var isObserved = false { didSet { updateAdmission() } }
    /// Whether each event is admitted by itself, and before the next turn.
    @usableFromInline private(set) var admitsEach = false

    @usableFromInline
    init(cascadeLimit: Int) { self.cascadeLimit = cascadeLimit }

    // MARK: Turns

    /// Makes the loop busy with a turn, until its transition settles.
    @inlinable
    mutating func begin(_ turn: Turn) { self.turn = turn }

    private mutating func updateAdmission() { admitsEach = isObserved || rateLimiter.orderedCount > 0 }

    // MARK: Arrival

    @inlinable
    mutating func arrive(_ message: Message) {
        arrived.append(message, needsAdmission: message.needsAdmission)
    }

    @inlinable
    mutating func arrive(_ entry: PendingEvent) {
        if arrived.isEmpty, rateLimiter.orderedCount == 0, isPlain(entry) {
            waiting.append(entry)
        } else {
            arrive(.event(entry))
        }
    }

    /// Enqueues an event directly after the running turn, behind those that were enqueued in this way during this turn.
    @usableFromInline
    mutating func insertNext(_ entry: PendingEvent) { behindTurn.append(entry) }

    /// Moves the events of ``behindTurn`` to those that are next. Called before another turn starts or is looked for.
    @inlinable
    mutating func enqueueInserted() {
        guard !behindTurn.isEmpty else { return }
        behind.append(contentsOf: behindTurn.reversed())
        behindTurn.removeAll()
    }

    // MARK: The next step

    /// The next action; nil if there is none before the next event. Messages are admitted before the next turn starts,
    /// so that a policy applies on arrival.
    ///
    /// - Parameter now: The current time; evaluated only if needed.
    @inlinable
    mutating func next(now: @autoclosure () -> Duration) -> LoopAction? {
        // While a transition is in flight, nothing else takes the events out of the inbox.
        while arrived.admissionCount > 0 || admitsEach || turn != nil,
            let message = arrived.popFirst({ $0.needsAdmission })
        {
            // The most frequent messages, without the call of `admit`.
            switch message {
            case .event(let entry) where !admitsEach && isPlain(entry): waiting.append(entry)
            case .event(let entry) where isObserved && !entry.isNoted: return .note(entry)
            case .effectEnded(let run, let error, let last, let origin):
                return .endEffect(run, error, last, origin)
            case .update(let number, let update): return admit(update, of: number)
            default: if let action = admit(message, now) { return action }
            }
        }
        guard let turn, !replacing.isEmpty else { return nil }
        return finish(turn, .replaced)
    }

    /// Removes and returns the next event, to be dropped or processed; nil if there is none, or a turn is in flight.
    /// Called when there is no next action. If the event's transition is asynchronous, ``begin(_:)`` follows.
    @inlinable @inline(__always)
    mutating func nextEvent() -> PendingEvent? {
        guard turn == nil else { return nil }
        enqueueInserted()
        if let entry = replacing.popFirst() ?? behind.popLast() ?? popWaiting() { return entry }
        guard case .event(let entry)? = arrived.messages.popFirst() else { return nil }
        return entry
    }

    /// Why an event is dropped whatever its policy is; nil if it is not.
    @inlinable
    func dropReason(of entry: PendingEvent) -> DropReason? {
        if entry.cascadeDepth >= cascadeLimit { return .runaway }
        return entry.isWithdrawn ? .withdrawn : nil
    }

    /// Whether an event is only to be enqueued, if no delayed ones precede it.
    @inlinable
    func isPlain(_ entry: PendingEvent) -> Bool {
        guard case .queue = entry.policy else { return false }
        return dropReason(of: entry) == nil
    }

    @usableFromInline
    mutating func admit(_ message: Message, _ now: () -> Duration) -> LoopAction? {
        switch message {
        case .perform(let body), .command(let body): return .perform(body)
        case .effectEnded(let run, let error, let last, let origin):
            return .endEffect(run, error, last, origin)
        case .event(let entry): return admit(entry, now)
        case .update(let number, let update): return admit(update, of: number)
        case .timeLimit(let number, let limit): return running(number).map { finish($0, .timedOut(limit)) }
        case .watchdog: return turn.map { .checkDuration($0) }
        case .flush(let key): return enqueue(rateLimiter.takeAll(of: key), .flush)
        case .delayEnded(let key, let number):
            guard let entry = rateLimiter.timerFired(key, number, now) else { return nil }
            // Time has passed: this starts a new cascade.
            return enqueue(
                (entry.isOfEffect ? [] : rateLimiter.takeOrdered(before: number)) + [(key, entry)], .timer,
                depth: 0)
        }
    }

    @inlinable
    mutating func admit(_ update: Update<State>, of number: Int) -> LoopAction {
        guard let turn = running(number) else { return .forget(.update(turn: number, update)) }
        switch update {
        case .interim(let state): return .showInterim(state, turn)
        case .outcome(let outcome): return finish(turn, .outcome(outcome))
        }
    }

    @usableFromInline
    mutating func admit(_ entry: PendingEvent, _ now: () -> Duration) -> LoopAction? {
        if isObserved, !entry.isNoted { return .note(entry) }
        if let reason = dropReason(of: entry) { return .drop(entry, reason) }
        switch entry.policy {
        case .queue: break
        case .replace:
            replacing.append(entry)
            return turn.map { finish($0, .replaced) }
        case .dropWhileBusy:
            guard turn == nil, waitingUnlessBusy == 0 || !isDropping else { return .drop(entry, .busy) }
            waitingUnlessBusy += 1
        case .debounce(_, let key, _), .throttle(_, _, let key, _):
            guard let limit = entry.policy.rateLimit else { break }
            switch rateLimiter.decision(limit, for: key, now) {
            case .pass: break
            case .discard: return .drop(entry, .throttled)
            case .wait(let delay):
                let (number, superseded) = rateLimiter.wait(
                    entry, for: key, limit, isOrdered: entry.isOrdered, at: now())
                return .delay(key, number: number, delay, superseded: superseded)
            }
        }
        // Work does not know of other events, so its own may overtake, and be overtaken.
        let action =
            entry.isOfEffect ? nil : enqueue(rateLimiter.takeOrdered(), .event, depth: entry.cascadeDepth)
        waiting.append(entry)
        return action
    }

    /// Enqueues delayed events.
    ///
    /// - Parameter depth: Their new depth in the cascade; nil if they keep theirs.
    private mutating func enqueue(
        _ delayed: [(key: EffectKey, entry: PendingEvent)], _ end: DelayEnd, depth: Int? = nil
    ) -> LoopAction? {
        for (_, entry) in delayed {
            var entry = entry
            entry.cascadeDepth = depth ?? entry.cascadeDepth
            waiting.append(entry)
        }
        return delayed.isEmpty ? nil : .endDelay(delayed.map { $0.key }, end)
    }

    /// Whether an event with the policy `dropWhileBusy` waits, and is not withdrawn.
    private var isDropping: Bool { waiting.all.contains { $0.policy == .dropWhileBusy && !$0.isWithdrawn } }

    @inlinable @inline(__always)
    mutating func popWaiting() -> PendingEvent? {
        let entry = waiting.popFirst()
        if waitingUnlessBusy > 0, case .dropWhileBusy? = entry?.policy { waitingUnlessBusy -= 1 }
        return entry
    }

    @inlinable
    func running(_ number: Int) -> Turn? { turn.flatMap { $0.number == number ? $0 : nil } }

    /// Ends the running turn with the outcome of a promise that was settled from the start. If messages that need
    /// admission have arrived meanwhile, the outcome is enqueued behind them instead.
    @inlinable
    mutating func settle(_ turn: Turn, _ outcome: Outcome<State>) -> LoopAction? {
        guard running(turn.number) != nil else { return nil }
        guard arrived.admissionCount == 0 else {
            arrive(.update(turn: turn.number, .outcome(outcome)))
            return nil
        }
        return finish(turn, .outcome(outcome))
    }

    /// Ends the running turn.
    @inlinable
    mutating func finish(_ turn: Turn, _ ending: Ending) -> LoopAction {
        self.turn = nil
        return .finish(turn, ending)
    }
}
