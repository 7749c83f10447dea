public import Promise
public import Synchronization

/// The running part of a ``System``: does what ``LoopMachine`` decides, one action at a time, on the scheduler.
///
/// It is an object of its own so that the work of a transition can refer to the loop without keeping the system
/// alive: when the system goes, it stops its loop.
///
/// Unchecked because of the fields under "The owner's": they are touched only between ``Gate/enter()`` or
/// ``Gate/takeOver()`` and ``Gate/leave()``, by one thread at a time.
@usableFromInline
final class Loop<State: Sendable, Event: Sendable>: @unchecked Sendable {
    @usableFromInline typealias Machine = LoopMachine<State, Event>
    typealias Entry = Machine.Entry

    @usableFromInline let scheduler: any SerialScheduler
    @usableFromInline let reducer: Reducer<State, Event>
    @usableFromInline let stage: Stage<State>
    @usableFromInline let gate = Gate<LoopMachine<State, Event>.Message>()
    @usableFromInline let listeners = LoopListeners<State, Event>()
    let rules: LoopRules<Event>
    let middleware: Middleware<State, Event>
    /// What the running transition has to be told when the end comes, from whichever thread.
    let work = Lock(Work())
    /// The thread that drains, 0 for none: what it sends is part of the turn it is in.
    @usableFromInline let owner = Atomic<UInt>(0)
    /// Whether there is more to a turn than the reducer and the audience.
    @usableFromInline let isPlain: Bool

    // MARK: The owner's

    /// Whether nothing goes before an event that comes now.
    @exclusivity(unchecked) @usableFromInline var isAtRest = true
    /// Turns that took no time, and that the machine does not know of yet.
    @exclusivity(unchecked) @usableFromInline var plainTurns = 0
    /// The settled state, while the loop is at rest.
    @exclusivity(unchecked) @usableFromInline var state: State
    @exclusivity(unchecked) var machine: Machine
    @exclusivity(unchecked) var effects: RunningEffects<State, Event>?
    @exclusivity(unchecked) var progress = Progress()

    /// What the owner remembers between two actions.
    struct Progress {
        /// What the running turn has shown; with `hasShownInterim` a settled state is owed if it fails.
        var shown: [Shown<State>] = []
        var hasShownInterim = false
        /// A turn that was replaced: what it showed is withdrawn by its successor, or else right after it.
        var replaced: Machine.Turn?
        /// The running turn's event, as middleware has left it.
        var event: Event?
        /// What the layers of the middleware let pass of the running turn's event, outermost first.
        var passed: [Event] = []
        /// What middleware has sent, to go directly behind the running turn.
        var sentByMiddleware: [Entry] = []
        var isInMiddleware = false
        /// Of the chain of events that the present turn belongs to.
        var generation = 0
        /// How often the loop has come to rest; a turn that goes on after that begins a new chain.
        var rests = 0
        var restsAtStart = 0
        var quiet: [EffectKey: ScheduledWork] = [:]
    }

    struct Work: Sendable {
        var observation: Observation?
        var timers: [ScheduledWork] = []
    }

    init(
        initialState: State, scheduler: any SerialScheduler, history: HistoryLimit,
        reducer: Reducer<State, Event>, middleware: Middleware<State, Event>,
        feedbacks: [Feedback<State, Event>], rules: LoopRules<Event>
    ) {
        self.scheduler = scheduler
        self.reducer = reducer
        self.middleware = middleware
        self.rules = rules
        stage = Stage(initialState, history: history, scheduler: scheduler)
        state = initialState
        machine = Machine(state: initialState, generationLimit: rules.runawayLimit)
        let feedback = Feedback.combined(feedbacks)
        isPlain = middleware.layers.isEmpty && feedback.parts.isEmpty && rules.eventPolicy == nil
        effects = feedback.parts.isEmpty ? nil : RunningEffects(feedback, self)
    }

    var isOver: Bool { gate.isStopped }

    /// Ends everything: what runs is cancelled, what waits is dropped, and nothing is shown any more.
    func stop() {
        guard !gate.isStopped else { return }
        let isOwner = gate.stop()
        endWork()
        stage.close()
        listeners.close()
        if isOwner { clear() }
    }

    /// For the owner, after the end.
    func clear() {
        let effects = effects.take()
        let progress = progress
        let machine = machine
        self.progress = Progress()
        self.machine = Machine(state: state, generationLimit: 0)
        for timer in progress.quiet.values { timer.cancel() }
        effects?.cancelAll()
        withExtendedLifetime((gate.takeMail(), machine)) {}
    }

    // MARK: Taking in

    /// Takes an event in from any thread; its turn is over before this returns if the caller is on the scheduler,
    /// nobody drains, and the transition takes no time.
    @inlinable
    func receive(_ event: Event, _ policy: EventPolicy?, _ origin: Origin) {
        guard isPlain, policy == nil, scheduler.isCurrent, gate.enter() else {
            return receiveAnyhow(event, policy, origin)
        }
        let stay = Stay(on: scheduler)
        owner.store(stay.thread, ordering: .relaxed)
        if !takePlainTurn(event, origin) { arrive(event, origin) }
        if isAtRest {
            owner.store(0, ordering: .relaxed)
            if gate.leave() { return }
            owner.store(stay.thread, ordering: .relaxed)
        }
        drain()
    }

    /// The turn of an event when nobody wants more of it than its state; false when it is not that simple, and then
    /// nothing was done.
    @inlinable
    func takePlainTurn(_ event: Event, _ origin: Origin) -> Bool {
        guard isAtRest, !listeners.areThere else { return false }
        plainTurns &+= 1
        switch reducer.step {
        case .inPlace(let reduce):
            var state = state
            reduce(&state, event)
            endPlainTurn(state)
        case .promise, .several:
            let promise = reducer(state, event)
            if let state = promise.plainValue, isAtRest {
                endPlainTurn(state)
            } else {
                goOn(with: promise, event, origin)
            }
        }
        return true
    }

    @inlinable
    func endPlainTurn(_ state: State) {
        self.state = state
        stage.show(Moment(state, .commit))
    }

    @usableFromInline
    func arrive(_ event: Event, _ origin: Origin) {
        arrive(.event(Entry(event: event, policy: .queue, origin: origin, sentAt: scheduler.now)))
    }

    @usableFromInline
    func receiveAnyhow(_ event: Event, _ policy: EventPolicy?, _ origin: Origin) {
        send(event, policy: policy, origin: origin, run: nil)
    }

    func send(_ event: Event, policy: EventPolicy? = nil, origin: Origin, run: EffectRun?) {
        let policy = policy ?? rules.eventPolicy?.ask(event) ?? .queue
        var entry = Entry(event: event, policy: policy, origin: origin, sentAt: scheduler.now, run: run)
        guard owner.load(ordering: .relaxed) == currentThread else { return receive(.event(entry)) }
        guard !gate.isStopped else { return }
        run?.eventWaits()
        entry.generation = progress.generation + 1
        if progress.isInMiddleware {
            progress.sentByMiddleware.append(entry)
        } else {
            arrive(.event(entry))
        }
    }

    /// For the owner: something is there to be looked at.
    private func arrive(_ message: Machine.Message) {
        isAtRest = false
        machine.arrive(message)
    }

    /// Takes a message in from any thread; handles it before this returns if the caller is on the scheduler and
    /// nobody is handling another.
    func receive(_ message: Machine.Message) {
        if owner.load(ordering: .relaxed) == currentThread {
            if !gate.isStopped { arrive(message) }
            return
        }
        if case .event(let entry) = message { entry.run?.eventWaits() }
        switch gate.put(message, isOnScheduler: scheduler.isCurrent) {
        case .none: break
        case .drain: begin()
        case .schedule: scheduler.schedule { [self] in if gate.takeOverWhenKicked() { begin() } }
        }
    }

    // MARK: Draining

    private func begin() {
        let stay = Stay(on: scheduler)
        owner.store(stay.thread, ordering: .relaxed)
        drain()
    }

    /// For the owner: does what there is to do, and gives ownership back.
    @usableFromInline
    func drain() {
        isAtRest = false
        catchUp()
        while true {
            if gate.isStopped { return clear() }
            if gate.hasMail { machine.arrive(gate.takeMail()) }
            if perform(machine.next(now: scheduler.now)) { continue }
            progress.rests += 1
            progress.generation = 0
            (state, isAtRest) = (machine.state, machine.turn == nil)
            owner.store(0, ordering: .relaxed)
            if gate.leave() { return }
            isAtRest = false
            owner.store(currentThread, ordering: .relaxed)
        }
    }

    /// Tells the machine of the turns that it does not know of.
    func catchUp() {
        if plainTurns > 0 { machine.catchUp(state, turns: plainTurns) }
        plainTurns = 0
    }

    /// Does one thing; false when there was none.
    private func perform(_ action: Machine.Action) -> Bool {
        switch action {
        case .start(let turn): start(turn)
        case .showInterim(let state, let turn): showInterim(state, turn)
        case .finish(let turn, let ending): finish(turn, ending)
        case .drop(let entry, let reason): drop(entry, reason)
        case .reportLongRun(let turn): reportLongRun(turn)
        case .present(let body): body()
        case .awaitQuiet(let key, let number, let pause, let superseded):
            if let superseded { drop(superseded, .debounced) }
            awaitQuiet(key, number, pause)
        case .forget: break
        case .rest: return false
        }
        return true
    }

    private func awaitQuiet(_ key: EffectKey, _ number: Int, _ pause: Duration) {
        progress.quiet[key]?.cancel()
        progress.quiet[key] = scheduler.schedule(after: pause) { [weak self] in
            self?.receive(.quiet(key, number: number))
        }
    }

    func endWork() {
        let work = work.withLock { work in
            defer { work = Work() }
            return work
        }
        for timer in work.timers { timer.cancel() }
        work.observation?.cancel()
    }
}

/// What a system was told about its events when it was made.
struct LoopRules<Event: Sendable>: Sendable {
    struct Policy: Sendable {
        let ask: @Sendable (Event) -> EventPolicy
    }

    /// nil where every event waits for its turn.
    var eventPolicy: Policy?
    var timeLimit: @Sendable (Event) -> Duration?
    var runawayLimit: Int
}
