internal import Promise

/// The decisions of the loop: what comes next, given what has arrived. It calls nothing and waits for
/// nothing; ``Loop`` asks it as the owner, and does what it says.
@usableFromInline
struct LoopMachine<State: Sendable, Event: Sendable>: Sendable {
    /// An event on its way.
    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline let event: Event
        @usableFromInline let policy: EventPolicy
        @usableFromInline let place: UInt64
        /// nil where nobody wants to know.
        @usableFromInline let sentAt: Duration?
        /// How many events have begotten each other up to this one without the loop coming to rest.
        @usableFromInline var cascadeDepth = 0
        /// The effect that sent it; when that is cancelled, the event is taken back.
        @usableFromInline var run: EffectRun?

        @inlinable
        init(
            event: Event, policy: EventPolicy, origin: Origin, sentAt: Duration?, cascadeDepth: Int = 0,
            run: EffectRun? = nil
        ) {
            (self.event, self.policy, place, self.sentAt) = (event, policy, origin.place, sentAt)
            (self.cascadeDepth, self.run) = (cascadeDepth, run)
        }

        /// Where it was sent.
        @inlinable var origin: Origin { Origin(place: place) }
        @inlinable var isWithdrawn: Bool { run?.isCancelled ?? false }
    }

    /// The transition that makes the loop busy.
    @usableFromInline
    struct Turn: Sendable {
        @usableFromInline let number: Int
        @usableFromInline let entry: Entry
        @usableFromInline let before: ValueBox<State>
        @usableFromInline let startedAt: Duration

        @inlinable
        init(number: Int, entry: Entry, before: ValueBox<State>, startedAt: Duration) {
            (self.number, self.entry, self.before, self.startedAt) = (number, entry, before, startedAt)
        }
    }

    /// What arrives at the loop, in the order in which it does.
    @usableFromInline
    enum Message: Sendable {
        case event(Entry)
        // Behind a pointer, as all that is larger than an event: events are what there is most of.
        indirect case update(turn: Int, Update<State>)
        case timeLimit(turn: Int, Duration)
        case longRun(turn: Int)
        case present(@Sendable () -> Void)
        /// Nothing of this key has come for as long as `debounce` says.
        case quiet(EffectKey, number: Int)
        /// Work that was made here has ended by itself.
        case effectEnded(EffectRun, (any Error)?, Origin)

        /// Whether it is more than an event that waits for its turn.
        @inlinable var isUrgent: Bool {
            if case .event(let entry) = self, case .queue = entry.policy { false } else { true }
        }
    }

    @usableFromInline
    enum Ending: Sendable {
        case outcome(Outcome<State>)
        case timedOut(Duration)
        case replaced
    }

    /// What the owner of the loop has to do next.
    @usableFromInline
    enum Action: Sendable {
        /// The turn of an event: ``begin(_:before:now:)`` it, unless it is over in no time.
        case start(Entry)
        indirect case showInterim(ValueBox<State>, Turn)
        indirect case finish(Turn, Ending)
        indirect case drop(Entry, DropReason)
        indirect case reportLongRun(Turn)
        case present(@Sendable () -> Void)
        /// Send `quiet` back after a while. The event that waited for it before this one has no turn.
        indirect case scheduleDebounce(EffectKey, number: Int, Duration, superseded: Entry?)
        /// The timer of this key has done its work.
        indirect case debounceFired(EffectKey)
        case endEffect(EffectRun, (any Error)?, Origin)
        /// Nothing but to let go of it.
        indirect case forget(Message)
        /// Nothing: all is done until something arrives.
        case rest
    }

    @usableFromInline typealias DropReason = LoopRecord<State, Event>.DropReason

    @usableFromInline var turn: Turn?
    @usableFromInline var lastNumber = 0
    @usableFromInline let cascadeLimit: Int
    @usableFromInline var arrived = Inbox<Message>()
    @usableFromInline var waiting = Deque<Entry>()
    /// Events that go first, among themselves in the order in which they came.
    @usableFromInline var replacing = Deque<Entry>()
    /// Events that go directly behind the present turn; the next one last.
    @usableFromInline var behind: [Entry] = []
    @usableFromInline var rateLimiter = EventRateLimiter<Entry>()

    @usableFromInline
    init(cascadeLimit: Int) { self.cascadeLimit = cascadeLimit }

    // MARK: Turns

    /// An event has its turn. If that takes its time, ``begin(_:before:now:)`` follows.
    @inlinable
    mutating func countTurn() { lastNumber &+= 1 }

    /// The turn that was counted last takes its time.
    @inlinable
    mutating func begin(_ entry: Entry, before: ValueBox<State>, now: Duration) -> Turn {
        // Sent after `now` was read: then it did not wait.
        let turn = Turn(
            number: lastNumber, entry: entry, before: before, startedAt: max(now, entry.sentAt ?? now))
        self.turn = turn
        return turn
    }

    /// Ends the running turn without a new state.
    @inlinable
    mutating func stopTurn() { turn = nil }

    // MARK: What arrives

    @inlinable
    mutating func arrive(_ message: Message) { arrived.append(message, isUrgent: message.isUrgent) }

    @inlinable
    mutating func arrive(_ entry: Entry) {
        if arrived.isEmpty, isPlain(entry) { waiting.append(entry) } else { arrive(.event(entry)) }
    }

    @inlinable
    mutating func arrive(_ messages: Inbox<Message>) { arrived.append(messages) }

    /// Puts events directly behind the present turn, in their order.
    @usableFromInline
    mutating func insertNext(_ entries: [Entry]) { behind.append(contentsOf: entries.reversed()) }

    // MARK: What comes next

    /// The event that comes next, if nothing else is to be looked at before. It may be in vain: ask ``shouldDrop(_:)``.
    @inlinable
    mutating func dequeue() -> Entry? {
        guard turn == nil, arrived.urgentCount == 0, replacing.isEmpty, behind.isEmpty else { return nil }
        if let entry = waiting.popFirst() { return entry }
        guard case .event(let entry)? = arrived.messages.popFirst() else { return nil }
        return entry
    }

    @inlinable
    func shouldDrop(_ entry: Entry) -> Bool { entry.cascadeDepth >= cascadeLimit || entry.isWithdrawn }

    /// Why an event that is in vain has no turn.
    @usableFromInline
    func dropAction(_ entry: Entry) -> Action {
        .drop(entry, entry.cascadeDepth >= cascadeLimit ? .runaway : .withdrawn)
    }

    /// For the owner, after each action.
    ///
    /// - Parameter now: Asked when it matters.
    @inlinable
    mutating func next(now: @autoclosure () -> Duration) -> Action {
        while true {
            // What has arrived comes before the next turn, so that a policy applies on arrival.
            if let message = arrived.popFirst(\.isUrgent) {
                switch message {
                case .event(let entry) where isPlain(entry): waiting.append(entry)
                case .effectEnded(let run, let error, let origin): return .endEffect(run, error, origin)
                default: if let action = admit(message, now) { return action }
                }
            } else if let turn {
                guard !replacing.isEmpty else { return .rest }
                return finish(turn, .replaced)
            } else {
                guard let entry = replacing.popFirst() ?? behind.popLast() ?? waiting.popFirst() else {
                    return .rest
                }
                return shouldDrop(entry) ? dropAction(entry) : .start(entry)
            }
        }
    }

    /// Whether an event only waits for its turn.
    @inlinable
    func isPlain(_ entry: Entry) -> Bool {
        if case .queue = entry.policy { !shouldDrop(entry) } else { false }
    }

    @usableFromInline
    mutating func admit(_ message: Message, _ now: () -> Duration) -> Action? {
        switch message {
        case .present(let body): return .present(body)
        case .effectEnded(let run, let error, let origin): return .endEffect(run, error, origin)
        case .event(let entry): return admit(entry, now)
        case .update(let number, let update):
            guard let turn = running(number) else { return .forget(message) }
            switch update {
            case .interim(let state): return .showInterim(state, turn)
            case .outcome(let outcome): return finish(turn, .outcome(outcome))
            }
        case .timeLimit(let number, let limit): return running(number).map { finish($0, .timedOut(limit)) }
        case .longRun(let number): return running(number).map { .reportLongRun($0) }
        case .quiet(let key, let number):
            guard var entry = rateLimiter.debounceFired(key, number) else { return nil }
            // Time has passed: that begins a new chain.
            entry.cascadeDepth = 0
            waiting.append(entry)
            return .debounceFired(key)
        }
    }

    private mutating func admit(_ entry: Entry, _ now: () -> Duration) -> Action? {
        guard !shouldDrop(entry) else { return dropAction(entry) }
        switch entry.policy {
        case .queue: waiting.append(entry)
        case .replace:
            replacing.append(entry)
            return turn.map { finish($0, .replaced) }
        case .dropWhileBusy:
            guard turn == nil else { return .drop(entry, .busy) }
            waiting.append(entry)
        case .debounce(let pause, let key):
            let (number, superseded) = rateLimiter.keep(entry, for: key)
            return .scheduleDebounce(key, number: number, pause, superseded: superseded)
        case .throttle(let window, let key):
            guard rateLimiter.open(key, for: window, now()) else { return .drop(entry, .throttled) }
            waiting.append(entry)
        }
        return nil
    }

    @inlinable
    func running(_ number: Int) -> Turn? { turn.flatMap { $0.number == number ? $0 : nil } }

    /// Ends the running turn with the outcome that its promise had from the start; behind what arrived
    /// meanwhile, then in its order as a message.
    @inlinable
    mutating func settle(_ turn: Turn, _ outcome: Outcome<State>) -> Action? {
        guard running(turn.number) != nil else { return nil }
        guard arrived.urgentCount == 0 else {
            arrive(.update(turn: turn.number, .outcome(outcome)))
            return nil
        }
        return finish(turn, .outcome(outcome))
    }

    /// Ends the running turn.
    @inlinable
    mutating func finish(_ turn: Turn, _ ending: Ending) -> Action {
        self.turn = nil
        return .finish(turn, ending)
    }
}
