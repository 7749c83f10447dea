public import Promise
public import Synchronization

/// The running part of a ``System``: does what ``LoopMachine`` decides, one action at a time, on the scheduler.
///
/// It is an object of its own so that the work of a transition can refer to the loop without keeping the system
/// alive: when the system goes, it stops its loop.
///
/// Unchecked because of the fields under "The owner's": they are touched only between ``DrainOwnership/enter()`` or
/// ``DrainOwnership/tryAcquirePending()`` and ``DrainOwnership/leave()``, by one thread at a time.
@usableFromInline
final class Loop<State: Sendable, Event: Sendable>: @unchecked Sendable {
    @usableFromInline typealias Machine = LoopMachine<State, Event>
    @usableFromInline typealias Entry = Machine.Entry

    @usableFromInline let scheduler: any SerialScheduler
    @usableFromInline let reducer: Reducer<State, Event>
    @usableFromInline let store: StateStore<State>
    @usableFromInline let ownership = DrainOwnership<LoopMachine<State, Event>.Message>()
    @usableFromInline let listeners = LoopObservers<State, Event>()
    @usableFromInline let configuration: LoopConfiguration<Event>
    @usableFromInline let middleware: Middleware<State, Event>
    /// What the running transition has to be told when the end comes, from whichever thread.
    @usableFromInline let work = Lock(Work())
    /// The thread that drains, 0 for none: what it sends is part of the turn it is in.
    @usableFromInline let owner = Atomic<UInt>(0)
    /// Whether a turn has no more to it than the reducer, the audience, and the feedbacks.
    @usableFromInline let isBrief: Bool

    // MARK: The owner's

    /// Whether nothing goes before an event that comes now.
    @exclusivity(unchecked) @usableFromInline var isIdle = true
    @exclusivity(unchecked) @usableFromInline var machine: Machine
    @exclusivity(unchecked) @usableFromInline var effects: RunningEffects<State, Event>?
    @exclusivity(unchecked) @usableFromInline var progress = Progress()
    /// Nobody, but in an exploration.
    @exclusivity(unchecked) @usableFromInline var probe: LoopProbe<State, Event>?

    /// What the owner remembers between two actions.
    @usableFromInline
    struct Progress: Sendable {
        /// What the running turn has shown; with `hasShownInterim` a settled state is owed if it fails.
        @usableFromInline var shown: [StateChange<State>] = []
        @usableFromInline var hasShownInterim = false
        /// A turn that was replaced, and its event: what it showed is withdrawn by its successor, or else right after
        /// it.
        @usableFromInline var replaced: (turn: Machine.Turn, event: Event)?
        /// The running turn's event, as middleware has left it.
        @usableFromInline var event: Event?
        /// What the layers of the middleware let pass of the running turn's event, outermost first.
        @usableFromInline var passed: [Event] = []
        /// What middleware has sent, to go directly behind the running turn.
        @usableFromInline var sentByMiddleware: [Entry] = []
        @usableFromInline var isInMiddleware = false
        /// Whether the running turn's event was for a part of the state that is not there.
        @usableFromInline var hasMissedPart = false
        /// Of the chain of events that the present turn belongs to.
        @usableFromInline var cascadeDepth = 0
        /// How often the loop has come to rest; a turn that goes on after that begins a new chain.
        @usableFromInline var rests = 0
        @usableFromInline var restsAtStart = 0
        @usableFromInline var quiet: [EffectKey: DebounceTimer] = [:]

        @usableFromInline
        init() {}
    }

    @usableFromInline
    struct Work: Sendable {
        @usableFromInline var observation: Observation?
        @usableFromInline var timers: [ScheduledWork] = []

        @inlinable
        init(observation: Observation? = nil, timers: [ScheduledWork] = []) {
            (self.observation, self.timers) = (observation, timers)
        }
    }

    @usableFromInline
    init(
        initialState: ValueBox<State>, scheduler: any SerialScheduler, history: HistoryLimit,
        reducer: Reducer<State, Event>, middleware: Middleware<State, Event>,
        configuration: LoopConfiguration<Event>
    ) {
        self.scheduler = scheduler
        self.reducer = reducer
        self.middleware = middleware
        self.configuration = configuration
        store = StateStore(initialState, history: history, scheduler: scheduler, inPlace: reducer.isInPlace)
        machine = Machine(cascadeLimit: configuration.runawayLimit)
        isBrief = middleware.layers.isEmpty && configuration.eventPolicy == nil
    }

    @inlinable var isOver: Bool { ownership.isStopped }

    /// Ends everything: what runs is cancelled, what waits is dropped, and nothing is shown any more.
    @inlinable
    func stop() {
        guard !ownership.isStopped else { return }
        let isOwner = ownership.stop()
        endWork()
        store.close()
        listeners.close()
        if isOwner { clear() }
    }

    /// For the owner, after the end.
    @inlinable
    func clear() {
        let effects = effects.take()
        let progress = progress
        let machine = machine
        self.progress = Progress()
        self.machine = Machine(cascadeLimit: 0)
        for timer in progress.quiet.values { timer.cancel() }
        effects?.cancelAll(self)
        withExtendedLifetime((ownership.drainInbox(), machine)) {}
    }

    // MARK: Taking in

    /// Takes an event in from any thread; its turn is over before this returns if the caller is on the scheduler,
    /// nobody drains, and the transition takes no time.
    @inlinable
    func receive(_ event: Event, _ policy: EventPolicy?, _ origin: Origin) {
        guard isBrief, policy == nil, scheduler.isCurrent, ownership.enter() else {
            return send(event, policy: policy, origin: origin, run: nil)
        }
        let stay = SchedulerScope(on: scheduler)
        owner.store(stay.thread, ordering: .relaxed)
        if isIdle, !listeners.isAnyPresent {
            if let promise = takeBriefTurn(event, origin) {
                goOn(with: promise, Entry(event: event, policy: .queue, origin: origin, sentAt: nil))
            }
        } else {
            arrive(Entry(event: event, policy: .queue, origin: origin, sentAt: scheduler.now))
        }
        if isIdle {
            owner.store(0, ordering: .relaxed)
            if ownership.leave() { return }
            owner.store(stay.thread, ordering: .relaxed)
        }
        drain()
    }

    @inlinable
    func send(_ event: Event, policy: EventPolicy?, origin: Origin, run: EffectRun?) {
        let policy = policy ?? configuration.eventPolicy?.ask(event) ?? .queue
        var entry = Entry(
            event: event, policy: policy, origin: origin,
            sentAt: listeners.isAnyPresent ? scheduler.now : nil,
            run: run)
        guard owner.load(ordering: .relaxed) == currentThread else { return receive(.event(entry)) }
        guard !ownership.isStopped else { return }
        entry.cascadeDepth = progress.cascadeDepth &+ 1
        if progress.isInMiddleware, case .queue = policy {
            progress.sentByMiddleware.append(entry)
        } else {
            arrive(entry)
        }
    }

    /// For the owner: an event is there to be looked at.
    @inlinable
    func arrive(_ entry: Entry) {
        isIdle = false
        machine.arrive(entry)
    }

    /// For the owner: something is there to be looked at.
    @inlinable
    func arrive(_ message: Machine.Message) {
        isIdle = false
        machine.arrive(message)
    }

    /// Takes a message in from any thread; handles it before this returns if the caller is on the scheduler and
    /// nobody is handling another.
    @inlinable
    func receive(_ message: Machine.Message) {
        if owner.load(ordering: .relaxed) == currentThread {
            if !ownership.isStopped { arrive(message) }
            return
        }
        switch ownership.put(message, isUrgent: message.isUrgent, isOnScheduler: scheduler.isCurrent) {
        case .none: break
        case .drain: begin()
        case .schedule: scheduler.schedule { [self] in if ownership.tryAcquireAfterWakeUp() { begin() } }
        }
    }

    // MARK: Draining

    @inlinable
    func begin() {
        let stay = SchedulerScope(on: scheduler)
        owner.store(stay.thread, ordering: .relaxed)
        drain()
    }

    /// For the owner: does what there is to do, and gives ownership back.
    @inlinable
    func drain() {
        isIdle = false
        while true {
            if ownership.isStopped { return clear() }
            drainInbox()
            if let entry = machine.dequeue() {
                if machine.shouldDrop(entry) {
                    performSeldom(machine.dropAction(entry))
                } else {
                    start(entry)
                }
                continue
            }
            if perform(machine.next(now: scheduler.now)) { continue }
            // Whatever was to replace it was taken back.
            if progress.replaced != nil, machine.turn == nil {
                withdrawReplaced(isFollowedByInterim: false)
                continue
            }
            progress.rests &+= 1
            progress.cascadeDepth = 0
            isIdle = machine.turn == nil
            owner.store(0, ordering: .relaxed)
            if ownership.leave() { return }
            isIdle = false
            owner.store(currentThread, ordering: .relaxed)
        }
    }

    /// Looks at what has arrived, when there is nothing left from before, or when it must be looked at.
    @inlinable
    func drainInbox() {
        if machine.arrived.isEmpty {
            guard ownership.hasPending else { return }
            // A brief turn looks here, too, and must not end the stay while this waits.
            isIdle = false
            ownership.exchangeInbox(for: &machine.arrived)
        } else if ownership.hasUrgent {
            machine.arrive(ownership.drainInbox())
        }
    }

    /// Does one thing; false when there was none.
    @inlinable
    func perform(_ action: Machine.Action) -> Bool {
        switch action {
        case .start(let entry): start(entry)
        case .endEffect(let run, let error, let origin):
            if let error { report(error, origin) }
            effects?.ended(run, self)
        case .rest: return false
        default: performSeldom(action)
        }
        return true
    }

    @inlinable
    func performSeldom(_ action: Machine.Action) {
        switch action {
        case .showInterim(let state, let turn): showInterim(state, turn)
        case .finish(let turn, let ending): finish(turn, ending)
        case .drop(let entry, let reason): drop(entry, reason)
        case .reportLongRun(let turn): reportLongRun(turn)
        case .present(let body): body()
        case .scheduleDebounce(let key, let number, let pause, let superseded):
            if let superseded { drop(superseded, .debounced) }
            scheduleDebounce(key, number, pause)
        case .debounceFired(let key): progress.quiet[key] = nil
        case .start, .endEffect, .forget, .rest: break
        }
    }

    @usableFromInline
    func scheduleDebounce(_ key: EffectKey, _ number: Int, _ pause: Duration) {
        progress.quiet[key]?.cancel()
        progress.quiet[key] = DebounceTimer(pause, on: scheduler) { [weak self] in
            self?.receive(.quiet(key, number: number))
        }
    }

    @inlinable
    func endWork() {
        let work = work.withLock { work in
            defer { work = Work() }
            return work
        }
        for timer in work.timers { timer.cancel() }
        work.observation?.cancel()
    }
}
