internal import Promise

/// The decisions of the loop: what comes next, given what has arrived. It calls nothing and waits for
/// nothing; ``Loop`` keeps it under a lock and does what it says.
struct LoopMachine<State: Sendable, Event: Sendable>: Sendable {
    /// An event on its way.
    struct Entry: Sendable {
        let event: Event
        let policy: EventPolicy
        let origin: Origin
        let sentAt: Duration
    }

    /// The transition that makes the loop busy.
    struct Turn: Sendable {
        let number: Int
        let entry: Entry
        let before: State
        let startedAt: Duration
    }

    /// What arrives at the loop, in the order in which it does.
    enum Message: Sendable {
        case begin
        case event(Entry)
        case update(turn: Int, Update<State>)
        case timeLimit(turn: Int, Duration)
        case longRun(turn: Int)
        case present(@Sendable () -> Void)
    }

    enum Ending: Sendable {
        case outcome(Outcome<State>)
        case timedOut(Duration)
        case replaced
    }

    /// What the owner of the loop has to do next.
    enum Action: Sendable {
        case begin
        case start(Turn)
        case showInterim(State, Turn)
        case finish(Turn, Ending)
        case drop(Entry)
        case reportLongRun(Turn)
        case present(@Sendable () -> Void)
        /// Nothing but to let go of it: what came too late, and must not end its life under the lock.
        case forget(Message)
        /// Nothing; whoever drains is the owner no longer.
        case rest
    }

    private(set) var state: State
    private(set) var turn: Turn?
    private(set) var lastNumber = 0
    private(set) var isStopped = false
    private var isOwned = false
    private var isKicked = false
    private var inbox = FIFO<Message>()
    private var waiting = FIFO<Entry>()
    /// Events that go first, among themselves in the order in which they came.
    private var replacing = FIFO<Entry>()

    init(state: State) { self.state = state }

    // MARK: Who drains

    enum Kick {
        /// Nothing: somebody drains, or is about to.
        case leave
        /// The caller is the owner now, and drains.
        case drain
        /// Have the scheduler call back.
        case schedule
    }

    /// Takes a message in and says who shall look at it.
    mutating func receive(_ message: Message, isOnScheduler: Bool) -> Kick {
        guard !isStopped else { return .leave }
        inbox.append(message)
        guard !isOwned else { return .leave }
        if isOnScheduler {
            isOwned = true
            return .drain
        }
        guard !isKicked else { return .leave }
        isKicked = true
        return .schedule
    }

    /// The scheduler has called back; true if the caller is the owner now.
    mutating func takeOver() -> Bool {
        isKicked = false
        guard !isOwned, !isStopped else { return false }
        isOwned = true
        return true
    }

    /// Ends everything; nothing that arrives later does anything.
    ///
    /// - Returns: All that was there. Its end may call back, so it must not come under the lock.
    mutating func stop() -> LoopMachine {
        let before = self
        isStopped = true
        turn = nil
        inbox.removeAll()
        waiting.removeAll()
        replacing.removeAll()
        return before
    }

    // MARK: What comes next

    /// For the owner, after each action.
    mutating func next(now: Duration) -> Action {
        while !isStopped {
            // What has arrived comes before the next turn, so that a policy applies on arrival.
            if let message = inbox.popFirst() {
                if let action = admit(message) { return action }
            } else if let turn {
                guard !replacing.isEmpty else { break }
                return finish(turn, .replaced)
            } else {
                guard let entry = replacing.popFirst() ?? waiting.popFirst() else { break }
                return begin(entry, now)
            }
        }
        // Under the same lock as `receive`: nothing can arrive unseen in between.
        isOwned = false
        return .rest
    }

    private mutating func begin(_ entry: Entry, _ now: Duration) -> Action {
        lastNumber += 1
        // Sent after `now` was read: then it did not wait.
        let turn = Turn(number: lastNumber, entry: entry, before: state, startedAt: max(now, entry.sentAt))
        self.turn = turn
        return .start(turn)
    }

    private mutating func admit(_ message: Message) -> Action? {
        switch message {
        case .begin: return .begin
        case .present(let body): return .present(body)
        case .event(let entry): return admit(entry)
        case .update(let number, let update):
            guard let turn = running(number) else { return .forget(message) }
            switch update {
            case .interim(let state): return .showInterim(state, turn)
            case .outcome(let outcome): return finish(turn, .outcome(outcome))
            }
        case .timeLimit(let number, let limit): return running(number).map { finish($0, .timedOut(limit)) }
        case .longRun(let number): return running(number).map { .reportLongRun($0) }
        }
    }

    private mutating func admit(_ entry: Entry) -> Action? {
        switch entry.policy {
        case .queue: waiting.append(entry)
        case .replace:
            replacing.append(entry)
            return turn.map { finish($0, .replaced) }
        case .dropWhileBusy:
            guard turn == nil else { return .drop(entry) }
            waiting.append(entry)
        }
        return nil
    }

    private func running(_ number: Int) -> Turn? { turn.flatMap { $0.number == number ? $0 : nil } }

    /// Ends the running turn with the outcome that its promise had from the start; behind what arrived
    /// meanwhile, then in its order as a message.
    mutating func settle(_ turn: Turn, _ outcome: Outcome<State>) -> Action? {
        guard running(turn.number) != nil else { return nil }
        guard inbox.isEmpty else {
            inbox.append(.update(turn: turn.number, .outcome(outcome)))
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
