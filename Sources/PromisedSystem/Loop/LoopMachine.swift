internal import Promise

/// The decisions of the loop: what comes next, given what has arrived. It calls nothing and waits for
/// nothing; ``Loop`` asks it as the owner, and does what it says.
@usableFromInline
struct LoopMachine<State: Sendable, Event: Sendable>: Sendable {
    /// An event on its way.
    @usableFromInline
    struct Entry: Sendable {
        let event: Event
        let policy: EventPolicy
        let origin: Origin
        let sentAt: Duration
        /// How many events have begotten each other up to this one without the loop coming to rest.
        var generation = 0
        /// The effect that sent it; when that is cancelled, the event is taken back.
        var run: EffectRun?

        var isWithdrawn: Bool { run?.isCancelled ?? false }
    }

    /// The transition that makes the loop busy.
    struct Turn: Sendable {
        let number: Int
        let entry: Entry
        let before: State
        let startedAt: Duration
    }

    /// What arrives at the loop, in the order in which it does.
    @usableFromInline
    enum Message: Sendable {
        case event(Entry)
        case update(turn: Int, Update<State>)
        case timeLimit(turn: Int, Duration)
        case longRun(turn: Int)
        case present(@Sendable () -> Void)
        /// Nothing of this key has come for as long as `debounce` says.
        case quiet(EffectKey, number: Int)
    }

    enum Ending: Sendable {
        case outcome(Outcome<State>)
        case timedOut(Duration)
        case replaced
    }

    /// What the owner of the loop has to do next.
    enum Action: Sendable {
        case start(Turn)
        case showInterim(State, Turn)
        case finish(Turn, Ending)
        case drop(Entry, DropReason)
        case reportLongRun(Turn)
        case present(@Sendable () -> Void)
        /// Send `quiet` back after a while. The event that waited for it before this one has no turn.
        case awaitQuiet(EffectKey, number: Int, Duration, superseded: Entry?)
        /// Nothing but to let go of it.
        case forget(Message)
        /// Nothing: all is done until something arrives.
        case rest
    }

    typealias DropReason = LoopRecord<State, Event>.DropReason

    private(set) var state: State
    private(set) var turn: Turn?
    private(set) var lastNumber = 0
    private let generationLimit: Int
    private var arrived = FIFO<Message>()
    private var waiting = FIFO<Entry>()
    /// Events that go first, among themselves in the order in which they came.
    private var replacing = FIFO<Entry>()
    /// Events that go directly behind the present turn; the next one last.
    private var behind: [Entry] = []
    private var timing = EventTiming<Entry>()

    init(state: State, generationLimit: Int) { (self.state, self.generationLimit) = (state, generationLimit) }

    // MARK: Turns that take no time

    /// So many turns have begun and ended beside this, the last of them with this state.
    mutating func catchUp(_ state: State, turns: Int) {
        (self.state, lastNumber) = (state, lastNumber + turns)
    }

    /// Makes the turn counted last the running one after all.
    mutating func resume(_ entry: Entry, now: Duration) -> Turn {
        let turn = Turn(number: lastNumber, entry: entry, before: state, startedAt: now)
        self.turn = turn
        return turn
    }

    /// Ends the running turn without a new state.
    mutating func stopTurn() { turn = nil }

    // MARK: What arrives

    mutating func arrive(_ message: Message) { arrived.append(message) }

    mutating func arrive(_ messages: FIFO<Message>) {
        guard !arrived.isEmpty else { return arrived = messages }
        var messages = messages
        while let message = messages.popFirst() { arrived.append(message) }
    }

    /// Puts events directly behind the present turn, in their order.
    mutating func putBehind(_ entries: [Entry]) { behind.append(contentsOf: entries.reversed()) }

    // MARK: What comes next

    /// For the owner, after each action.
    mutating func next(now: Duration) -> Action {
        while true {
            // What has arrived comes before the next turn, so that a policy applies on arrival.
            if let message = arrived.popFirst() {
                if let action = admit(message, now) { return action }
            } else if let turn {
                guard !replacing.isEmpty else { return .rest }
                return finish(turn, .replaced)
            } else {
                guard let entry = replacing.popFirst() ?? behind.popLast() ?? waiting.popFirst() else {
                    return .rest
                }
                return entry.isWithdrawn ? .drop(entry, .withdrawn) : begin(entry, now)
            }
        }
    }

    /// Begins the turn of an event that found nothing to wait for.
    mutating func begin(_ entry: Entry, _ now: Duration) -> Action {
        lastNumber += 1
        // Sent after `now` was read: then it did not wait.
        let turn = Turn(number: lastNumber, entry: entry, before: state, startedAt: max(now, entry.sentAt))
        self.turn = turn
        return .start(turn)
    }

    private mutating func admit(_ message: Message, _ now: Duration) -> Action? {
        switch message {
        case .present(let body): return .present(body)
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

    private mutating func admit(_ entry: Entry, _ now: Duration) -> Action? {
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
            guard timing.open(key, for: window, now) else { return .drop(entry, .throttled) }
            waiting.append(entry)
        }
        return nil
    }

    private func running(_ number: Int) -> Turn? { turn.flatMap { $0.number == number ? $0 : nil } }

    /// Ends the running turn with the outcome that its promise had from the start; behind what arrived
    /// meanwhile, then in its order as a message.
    mutating func settle(_ turn: Turn, _ outcome: Outcome<State>) -> Action? {
        guard running(turn.number) != nil else { return nil }
        guard arrived.isEmpty else {
            arrived.append(.update(turn: turn.number, .outcome(outcome)))
            return nil
        }
        return finish(turn, .outcome(outcome))
    }

    /// Ends the running turn. A settled outcome becomes the current state here and nowhere else.
    private mutating func finish(_ turn: Turn, _ ending: Ending) -> Action {
        self.turn = nil
        if case .outcome(.fulfilled(let state)) = ending { self.state = state }
        return .finish(turn, ending)
    }
}
