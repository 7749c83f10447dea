public import Promise
public import Synchronization

/// The running part of a ``System``: performs the actions that ``LoopMachine`` decides on, one at a time, on the
/// scheduler.
///
/// It is a separate object so that the work of a transition can retain the loop without retaining the system: the
/// system's deinitialiser stops its loop.
///
/// Unchecked because of the fields under "Owner only": they are accessed while the system is created, and after that
/// only by the thread that has acquired ``DrainOwnership`` and has not released it, so by one thread at a time.
@usableFromInline
final class Loop<State: Sendable, Event: Sendable>: @unchecked Sendable {
    @usableFromInline typealias Machine = LoopMachine<State, Event>
    @usableFromInline typealias PendingEvent = Machine.PendingEvent

    @usableFromInline let scheduler: any SerialScheduler
    @usableFromInline let reducer: Reducer<State, Event>
    /// A constant of its own, because a call of it then needs no reference counting; nil if the reducer is another.
    @usableFromInline let reduceInPlace: (@Sendable (inout State, Event) -> Void)?
    @usableFromInline let store: StateStore<State>
    @usableFromInline let ownership = DrainOwnership<LoopMachine<State, Event>.Message>()
    @usableFromInline let observers = LoopObservers<State, Event>()
    /// Nil if all events that are sent without a policy are queued.
    @usableFromInline let eventPolicy: (@Sendable (Event) -> EventPolicy)?
    @usableFromInline let timeLimit: @Sendable (Event) -> Duration?
    @usableFromInline let middleware: Middleware<State, Event>
    /// The observation and timers of the running transition, which any thread may cancel when the loop stops.
    @usableFromInline let work = Lock(LoopWork())
    /// One timer for all transitions, which stays until a transition is due or none runs.
    @usableFromInline let watchdog = Lock<ScheduledWork?>(nil)
    /// The thread that drains, 0 for none: an event that it sends belongs to the cascade of the running turn.
    @usableFromInline let owner = Atomic<UInt>(0)
    /// Set once: by a recording or, while the system is being explored, by the exploration. For threads that may not be
    /// the owner.
    @usableFromInline let sharedProbe = AtomicLazyReference<LoopProbe<State, Event>>()
    // MARK: Owner only

    /// The same; the standard library's reference is not specialised, and takes as long as half a turn.
    @exclusivity(unchecked) @usableFromInline var probe: LoopProbe<State, Event>?

    /// Whether no turn is running and nothing is pending, so that a new event can be processed immediately.
    @exclusivity(unchecked) @usableFromInline var isIdle = true
    @exclusivity(unchecked) @usableFromInline var machine: Machine
    @exclusivity(unchecked) @usableFromInline var effects: RunningFeedbacks<State, Event>?
    @exclusivity(unchecked) @usableFromInline var progress = Progress()
    /// The settled state, if it is stored inline; otherwise only the store has it.
    @exclusivity(unchecked) @usableFromInline var inlineState: ValueBox<State>
    /// The owner's state between two actions.
    @usableFromInline
    struct Progress: Sendable {
        /// The settled state that the running turn's reducer was called with, if observers or the transition need it.
        @usableFromInline var before: ValueBox<State>?
        /// The states that the running turn has shown.
        @usableFromInline var shown: [StateChange<State>] = []
        /// Whether an interim state is shown: if the turn fails, the settled state must be shown again.
        @usableFromInline var hasShownInterim = false
        /// A turn that was replaced. Its interim state is reverted when the next turn starts, unless that one shows an
        /// interim state of its own, or when no turn follows.
        @usableFromInline var replaced: Machine.Turn?
        /// The running turn's event as it was sent, if middleware replaced it.
        @usableFromInline var sent: Event?
        /// The running turn's event as each middleware layer passed it on, outermost first.
        @usableFromInline var passed: [Event] = []
        @usableFromInline var isInMiddleware = false
        /// Whether the running turn's event addressed a part of the state that doesn't exist.
        @usableFromInline var hasMissedPart = false
        /// Whether a feedback has answered the running turn's event, or middleware has sent another one.
        @usableFromInline var isAnswered = false
        /// The number of missed parts before the reducer was called.
        @usableFromInline var missedBefore = 0
        /// The depth of the running turn's event in its cascade.
        @usableFromInline var cascadeDepth = 0
        /// How often the loop has run out of work. A turn that settles after that starts a new cascade.
        @usableFromInline var idleCount = 0
        /// As it was when a turn last began, or ended without being replaced.
        @usableFromInline var idleCountAtTurn = -1
        @usableFromInline var delayTimers: [EffectKey: DebounceTimer] = [:]
        /// Set while the loop is held.
        @usableFromInline var hold: Machine.Hold?

        @usableFromInline
        init() {}
    }

    @usableFromInline
    struct LoopWork: Sendable {
        @usableFromInline var observation: Observation?
        @usableFromInline var timers: [ScheduledWork] = []

        @inlinable
        init(observation: Observation? = nil, timers: [ScheduledWork] = []) {
            (self.observation, self.timers) = (observation, timers)
        }
    }

    @usableFromInline
    init(
        initialState: ValueBox<State>, scheduler: any SerialScheduler,
        reducer: Reducer<State, Event>, middleware: Middleware<State, Event>,
        configuration: System<State, Event>.Configuration
    ) {
        self.scheduler = scheduler
        (self.reducer, reduceInPlace) = (reducer, reducer.reduceInPlace)
        self.middleware = middleware
        (eventPolicy, timeLimit) = (configuration.eventPolicy, configuration.timeLimit)
        store = StateStore(
            initialState, history: configuration.history ?? .none, scheduler: scheduler,
            inPlace: reduceInPlace != nil)
        machine = Machine(cascadeLimit: configuration.cascadeLimit)
        inlineState = initialState
        if !ValueBox<State>.isInline { _ = inlineState.take() }
        let isExplored = (scheduler as? any SystemHost)?.created(self) ?? false
        if !isExplored, let probe = configuration.makeProbe?(scheduler) { observe(by: probe) }
    }

    @inlinable var isExplored: Bool { probe?.numbers != nil }
    @inlinable var isRecorded: Bool { if let probe { probe.numbers == nil } else { false } }

    /// Ends the loop: cancels running work, discards pending events, and closes the store and the observer lists.
    /// Further calls are no-ops.
    @inlinable
    func stop() {
        guard !ownership.isStopped else { return }
        let isOwner = ownership.stop()
        endWork()
        watchdog.exchange(for: nil)?.cancel()
        store.close()
        observers.close()
        if isOwner { clear() }
    }

    /// Releases the owner's state and cancels the effects. Called by the owner after the end.
    @inlinable
    func clear() {
        let effects = effects.take()
        let progress = progress
        let machine = machine
        progress.hold?.counts.setWaiting(0)
        self.progress = Progress()
        self.machine = Machine(cascadeLimit: 0)
        for timer in progress.delayTimers.values { timer.cancel() }
        effects?.cancelAll(self)
        var pending = Inbox<Machine.Message>()
        ownership.drainInbox(to: &pending)
        withExtendedLifetime((pending, machine)) {}
    }

    // MARK: Receiving

    /// The time, for the loop's own use.
    @inlinable var now: Duration { (isOwner ? probe : sharedProbe.load())?.observer.now ?? scheduler.now }

    @inlinable
    func send(_ event: Event, policy: EventPolicy?, origin: Origin, run: EffectRun?) {
        enqueue(entry(event, policy: policy, origin: origin, run: run))
    }

    /// The entry of an event that is sent now.
    @inlinable
    func entry(_ event: Event, policy: EventPolicy?, origin: Origin, run: EffectRun?) -> PendingEvent {
        var entry = PendingEvent(
            event: event, policy: policy ?? eventPolicy?(event) ?? .queue, origin: origin,
            cascadeDepth: isOwner ? progress.cascadeDepth &+ 1 : 0, run: run)
        if isObserved { noteSending(&entry) }
        return entry
    }

    /// Whether the calling thread drains.
    @inlinable var isOwner: Bool { owner.load(ordering: .relaxed) == currentThread }

    @inlinable
    func enqueue(_ entry: PendingEvent) {
        guard isOwner else { return receive(.event(entry)) }
        guard !ownership.isStopped else { return }
        isIdle = false
        if progress.isInMiddleware { progress.isAnswered = true }
        if progress.isInMiddleware, case .queue = entry.policy {
            machine.insertNext(entry)
        } else {
            machine.arrive(entry)
        }
    }

    /// Receives a message from any thread. It is handled before this returns if the caller is on the scheduler and no
    /// thread is draining; otherwise it is enqueued.
    @inlinable
    func receive(_ message: Machine.Message) {
        if isOwner {
            guard !ownership.isStopped else { return }
            isIdle = false
            return machine.arrive(message)
        }
        switch ownership.post(
            message, needsAdmission: message.needsAdmission, isOnScheduler: scheduler.isCurrent)
        {
        case .none: break
        case .drain: begin()
        case .schedule: scheduler.schedule { [self] in if ownership.tryAcquireAfterWakeUp() { begin() } }
        }
    }
}
