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
        @usableFromInline let origin: Origin
        /// nil where nobody wants to know.
        @usableFromInline let sentAt: Duration?
        /// How many events have begotten each other up to this one without the loop coming to rest.
        @usableFromInline var generation = 0
        /// The effect that sent it; when that is cancelled, the event is taken back.
        @usableFromInline var run: EffectRun?

        @inlinable
        init(
            event: Event, policy: EventPolicy, origin: Origin, sentAt: Duration?, generation: Int = 0,
            run: EffectRun? = nil
        ) {
            (self.event, self.policy, self.origin, self.sentAt) = (event, policy, origin, sentAt)
            (self.generation, self.run) = (generation, run)
        }

        @inlinable var isWithdrawn: Bool { run?.isCancelled ?? false }
    }

    /// The transition that makes the loop busy.
    @usableFromInline
    struct Turn: Sendable {
        @usableFromInline let number: Int
        @usableFromInline let entry: Entry
        @usableFromInline let before: State
        @usableFromInline let startedAt: Duration

        @inlinable
        init(number: Int, entry: Entry, before: State, startedAt: Duration) {
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
        indirect case showInterim(State, Turn)
        indirect case finish(Turn, Ending)
        indirect case drop(Entry, DropReason)
        indirect case reportLongRun(Turn)
        case present(@Sendable () -> Void)
        /// Send `quiet` back after a while. The event that waited for it before this one has no turn.
        indirect case awaitQuiet(EffectKey, number: Int, Duration, superseded: Entry?)
        case endEffect(EffectRun, (any Error)?, Origin)
        /// Nothing but to let go of it.
        indirect case forget(Message)
        /// Nothing: all is done until something arrives.
        case rest
    }

    @usableFromInline typealias DropReason = LoopRecord<State, Event>.DropReason

    @usableFromInline var turn: Turn?
    @usableFromInline var lastNumber = 0
    @usableFromInline let generationLimit: Int
    @usableFromInline var arrived = FIFO<Message>()
    @usableFromInline var waiting = FIFO<Entry>()
    /// Events that go first, among themselves in the order in which they came.
    @usableFromInline var replacing = FIFO<Entry>()
    /// Events that go directly behind the present turn; the next one last.
    @usableFromInline var behind: [Entry] = []
    private var timing = EventTiming<Entry>()

    init(generationLimit: Int) { self.generationLimit = generationLimit }

    // MARK: Turns

    /// An event has its turn. If that takes its time, ``begin(_:before:now:)`` follows.
    @inlinable
    mutating func countTurn() { lastNumber &+= 1 }

    /// The turn that was counted last takes its time.
    @usableFromInline
    mutating func begin(_ entry: Entry, before: State, now: Duration) -> Turn {
        // Sent after `now` was read: then it did not wait.
        let turn = Turn(
            number: lastNumber, entry: entry, before: before, startedAt: max(now, entry.sentAt ?? now))
        self.turn = turn
        return turn
    }

    /// Ends the running turn without a new state.
    mutating func stopTurn() { turn = nil }

    // MARK: What arrives

    @inlinable
    mutating func arrive(_ message: Message) { arrived.append(message) }

    @inlinable
    mutating func arrive(_ entry: Entry) {
        if arrived.isEmpty, isPlain(entry) { waiting.append(entry) } else { arrived.append(.event(entry)) }
    }

    @inlinable
    mutating func arrive(_ messages: FIFO<Message>) {
        guard !arrived.isEmpty else { return arrived = messages }
        var messages = messages
        while let message = messages.popFirst() { arrived.append(message) }
    }

    /// Puts events directly behind the present turn, in their order.
    mutating func putBehind(_ entries: [Entry]) { behind.append(contentsOf: entries.reversed()) }

    // MARK: What comes next

    /// The event that has its turn next, if nothing else is to be looked at before.
    @inlinable
    mutating func nextPlain() -> Entry? {
        guard turn == nil, arrived.isEmpty, replacing.isEmpty, behind.isEmpty else { return nil }
        guard let entry = waiting.popFirst() else { return nil }
        guard entry.isWithdrawn else { return entry }
        // In vain, but told.
        arrived.append(.event(entry))
        return nil
    }

    /// For the owner, after each action.
    ///
    /// - Parameter now: Asked when it matters.
    @inlinable
    mutating func next(now: @autoclosure () -> Duration) -> Action {
        while true {
            // What has arrived comes before the next turn, so that a policy applies on arrival.
            if let message = arrived.popFirst() {
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
                return entry.isWithdrawn ? .drop(entry, .withdrawn) : .start(entry)
            }
        }
    }

    /// Whether an event only waits for its turn.
    @inlinable
    func isPlain(_ entry: Entry) -> Bool {
        guard case .queue = entry.policy else { return false }
        return entry.generation < generationLimit && !entry.isWithdrawn
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
            if let entry = timing.becameQuiet(key, number) { waiting.append(entry) }
            return nil
        }
    }

    private mutating func admit(_ entry: Entry, _ now: () -> Duration) -> Action? {
        guard entry.generation < generationLimit else { return .drop(entry, .runaway) }
        guard !entry.isWithdrawn else { return .drop(entry, .withdrawn) }
        switch entry.policy {
        case .queue: waiting.append(entry)
        case .replace:
            replacing.append(entry)
            return turn.map { finish($0, .replaced) }
        case .dropWhileBusy:
            guard turn == nil else { return .drop(entry, .busy) }
            waiting.append(entry)
        case .debounce(let pause, let key):
            let (number, superseded) = timing.keep(entry, for: key)
            return .awaitQuiet(key, number: number, pause, superseded: superseded)
        case .throttle(let window, let key):
            guard timing.open(key, for: window, now()) else { return .drop(entry, .throttled) }
            waiting.append(entry)
        }
        return nil
    }

    func running(_ number: Int) -> Turn? { turn.flatMap { $0.number == number ? $0 : nil } }

    /// Ends the running turn with the outcome that its promise had from the start; behind what arrived
    /// meanwhile, then in its order as a message.
    @usableFromInline
    mutating func settle(_ turn: Turn, _ outcome: Outcome<State>) -> Action? {
        guard running(turn.number) != nil else { return nil }
        guard arrived.isEmpty else {
            arrived.append(.update(turn: turn.number, .outcome(outcome)))
            return nil
        }
        return finish(turn, .outcome(outcome))
    }

    /// Ends the running turn.
    @usableFromInline
    mutating func finish(_ turn: Turn, _ ending: Ending) -> Action {
        self.turn = nil
        return .finish(turn, ending)
    }
}
