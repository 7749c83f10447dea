internal import Promise
internal import PromisedSystem

/// One system on one path: takes the steps, and keeps account of what makes its moments different.
final class ExplorationRun<State: Sendable, Event: Sendable>: Sendable {
    let world = World<State>()
    let system: System<State, Event>
    private let events: [Event]
    private let log: Lock<Log>
    private let tokens: Lock<[SubscriptionToken]>

    /// Something that goes on in the system, and what it has gone through: what comes of it depends on nothing else.
    struct Thing: Sendable {
        enum Birth: Sendable {
            /// It is no work of the system's.
            case outside
            case turn(Event, State)
            /// Work that was asked for at an occasion.
            case effect(Int)
            /// Work that was given nothing but its key.
            case keyed
        }

        let birth: Birth
        var history: [Int] = []
    }

    /// When feedbacks are asked: behind which event, if behind any, and with which state.
    struct Occasion: Sendable {
        let event: Event?
        let state: State
    }

    struct Log: Sendable {
        var things = [Thing(birth: .outside)]
        var occasions: [Occasion] = []
        var isOccasionKnown = false
        var turn = 0
        var runs: [Int: Int] = [:]
        var settled: State
        var pastEvents: [Event] = []
        var keepsPastEvents = false
        var shown: [Shown<State>] = []
        var latest: Shown<State>
        var errors: [any Error] = []
    }

    /// Builds the system, and lets it begin.
    init(events: [Event], _ build: Explorer<State, Event>.Build) {
        self.events = events
        system = build(world)
        let log = Lock(Log(settled: system.state, latest: .settled(system.state)))
        self.log = log
        tokens = Lock([])
        let keepsPastEvents = system.feedbackMemories.contains {
            if case .ofEvents = $0 { true } else { false }
        }
        log.withLock { $0.keepsPastEvents = keepsPastEvents }
        system.watchEffects(Watcher(log: log, scheduler: world.scheduler))
        let tokens = [
            system.onTurn { [scheduler = world.scheduler] event, _ in
                scheduler.owner = log.withLock { $0.beginTurn(event) }
            },
            system.shown.subscribe { shown in log.withLock { $0.add(shown) } },
            system.onError { error in log.withLock { $0.errors.append(error) } },
        ]
        self.tokens.withLock { $0 = tokens }
        world.scheduler.advance()
    }

    deinit {
        for token in tokens.withLock({ $0 }) { token.cancel() }
        system.stop()
        world.end()
        world.scheduler.advance()
    }

    // MARK: Steps

    /// Takes a step, and lets happen what happens at once.
    func take(_ move: Move) {
        let scheduler = world.scheduler
        scheduler.owner = 0
        switch move {
        case .send(let index): scheduler.runAsCurrent { system.sendEvent(events[index]) }
        case .answer(let index, let choice):
            let call = world.openCalls[index]
            scheduler.owner = call.owner
            log.withLock { $0.things[call.owner].history += [call.place, choice] }
            scheduler.runAsCurrent { world.answer(index, with: choice) }
        case .tick:
            guard let next = scheduler.timers.first else { return }
            scheduler.advance(by: next.left)
            for owner in scheduler.takeRung() { log.withLock { $0.things[owner].history.append(0) } }
        }
        scheduler.advance()
        _ = scheduler.takeRung()
    }

    /// What may happen next, in the order in which it is tried.
    var moves: [Move] {
        var moves = events.indices.map { Move.send($0) }
        for (index, call) in world.openCalls.enumerated() {
            for choice in call.answers.indices { moves.append(.answer(index, choice)) }
        }
        if !world.scheduler.timers.isEmpty { moves.append(.tick) }
        return moves
    }

    /// The step that a move is at this moment; nil if it is none.
    func step(of move: Move) -> Step<Event>? {
        switch move {
        case .send(let index): return events.indices.contains(index) ? .send(events[index]) : nil
        case .answer(let index, let choice):
            let open = world.openCalls
            guard open.indices.contains(index), open[index].answers.indices.contains(choice) else { return nil }
            return .answer(open[index].label, open[index].answers[choice].name)
        case .tick: return world.scheduler.timers.first.map { .advance(by: $0.left) }
        }
    }

    /// Whether nothing more happens by itself.
    var isAtRest: Bool { world.openCalls.isEmpty && world.scheduler.timers.isEmpty }

    // MARK: What was seen

    /// What was shown since this was asked, and the errors that came.
    func takeNews() -> (shown: [Shown<State>], errors: [any Error]) {
        log.withLock { log in
            defer { (log.shown, log.errors) = ([], []) }
            return (log.shown, log.errors)
        }
    }

    /// What is shown now.
    var latest: Shown<State> { log.withLock { $0.latest } }

    /// The event whose transition was begun last.
    var runningEvent: Event? { log.withLock { $0.pastEvents.last } }

    /// What a move is to a diagram.
    func cause(of move: Move) -> Cause {
        switch move {
        case .send(let index): .event(index)
        case .answer(let index, let choice):
            .answer(world.openCalls[index].name, world.openCalls[index].answers[choice].name)
        case .tick: .time
        }
    }

    var account: Log { log.withLock { $0 } }
}

extension ExplorationRun.Log {
    mutating func beginTurn(_ event: Event) -> Int {
        if keepsPastEvents { pastEvents.append(event) } else { pastEvents = [event] }
        isOccasionKnown = false
        things.append(.init(birth: .turn(event, settled)))
        turn = things.count - 1
        return turn
    }

    mutating func add(_ shown: Shown<State>) {
        if case .settled(let state) = shown { settled = state }
        self.shown.append(shown)
        latest = shown
    }

    mutating func currentOccasion() -> Int {
        if !isOccasionKnown {
            occasions.append(.init(event: pastEvents.last, state: settled))
            isOccasionKnown = true
        }
        return occasions.count - 1
    }

    mutating func begin(_ run: Int, _ birth: ExplorationRun.Thing.Birth) -> Int {
        things.append(.init(birth: birth))
        runs[run] = things.count - 1
        return things.count - 1
    }
}

extension WorldCall {
    var label: String { nth == 1 ? name : "\(name) \(nth)" }
}

/// Knows which work schedules what, and opens which calls.
private final class Watcher<State: Sendable, Event: Sendable>: EffectWatcher {
    private let log: Lock<ExplorationRun<State, Event>.Log>
    private let scheduler: TestScheduler

    init(log: Lock<ExplorationRun<State, Event>.Log>, scheduler: TestScheduler) {
        (self.log, self.scheduler) = (log, scheduler)
    }

    var occasion: Int { log.withLock { $0.currentOccasion() } }

    func starts(_ number: Int, askedAt occasion: Int, isKnownByKey: Bool) {
        scheduler.owner = log.withLock { $0.begin(number, isKnownByKey ? .keyed : .effect(occasion)) }
    }

    func updates(workOf runs: [Int]) {
        log.withLock { log in
            let occasion = log.currentOccasion()
            // Told apart from answers by its sign.
            for thing in runs.compactMap({ log.runs[$0] }) { log.things[thing].history.append(-1 - occasion) }
        }
    }
}
