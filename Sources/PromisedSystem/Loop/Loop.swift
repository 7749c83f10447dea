internal import Promise
internal import Synchronization

/// The running part of a ``System``: does what ``LoopMachine`` decides, one action at a time, on the
/// scheduler.
///
/// It is an object of its own so that the work of a transition can refer to the loop without keeping the
/// system alive: when the system goes, it stops its loop.
final class Loop<State: Sendable, Event: Sendable>: Sendable {
    typealias Machine = LoopMachine<State, Event>

    /// What the owner of the loop remembers between two actions.
    struct Progress: Sendable {
        var observation: Observation?
        var timers: [ScheduledWork] = []
        /// What the running turn has shown; with `hasShownInterim` a settled state is owed if it fails.
        var shown: [Shown<State>] = []
        var hasShownInterim = false
        /// A turn that was replaced: what it showed is withdrawn by its successor, or else right after it.
        var replaced: Machine.Turn?
    }

    let scheduler: any SerialScheduler
    let reducer: @Sendable (State, Event) -> Promise<State>
    let timeLimit: @Sendable (Event) -> Duration?
    let machine: Lock<Machine>
    let progress = Lock(Progress())
    let stage: Stage<State, Event>
    private let isStopped = Atomic(false)

    init(
        initialState: State, scheduler: any SerialScheduler, history: HistoryLimit,
        reducer: @escaping @Sendable (State, Event) -> Promise<State>,
        timeLimit: @escaping @Sendable (Event) -> Duration?
    ) {
        self.scheduler = scheduler
        self.reducer = reducer
        self.timeLimit = timeLimit
        machine = Lock(Machine(state: initialState))
        stage = Stage(initialState, history: history, scheduler: scheduler)
    }

    var isOver: Bool { isStopped.load(ordering: .acquiring) }

    /// Ends everything: what runs is cancelled, what waits is dropped, and nothing is shown any more.
    func stop() {
        guard !isStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let rest = machine.withLock { $0.stop() }
        endWork()
        stage.close()
        withExtendedLifetime(rest) {}
    }

    // MARK: Draining

    /// Takes a message in from any thread; handles it before this returns if the caller is on the scheduler
    /// and nobody is handling another.
    func receive(_ message: Machine.Message) {
        let isOnScheduler = scheduler.isCurrent
        switch machine.withLock({ $0.receive(message, isOnScheduler: isOnScheduler) }) {
        case .leave: break
        case .drain: drain()
        case .schedule:
            scheduler.schedule { [self] in if machine.withLock({ $0.takeOver() }) { drain() } }
        }
    }

    private func drain() {
        scheduler.runAsCurrent {
            while true {
                let now = scheduler.now
                switch machine.withLock({ $0.next(now: now) }) {
                case .begin: stage.begin()
                case .start(let turn): start(turn)
                case .showInterim(let state, let turn): showInterim(state, turn)
                case .finish(let turn, let ending): finish(turn, ending)
                case .drop(let entry): recordDrop(entry)
                case .reportLongRun(let turn): reportLongRun(turn)
                case .present(let body): body()
                case .forget: break
                case .rest: return
                }
            }
        }
    }

    // MARK: A turn

    private func start(_ turn: Machine.Turn) {
        progress.withLock {
            $0.shown = $0.replaced == nil ? [] : $0.shown
            if $0.replaced == nil { $0.hasShownInterim = false }
        }
        let promise = reducer(turn.before, turn.entry.event)
        let leads = promise.leadingValues
        withdrawReplaced(isFollowedByInterim: !leads.isEmpty)
        for lead in leads { showInterim(lead, turn) }
        guard !isOver else { return }
        if let outcome = promise.settledOutcome {
            if case .rejected(let failure) = outcome { failure.arm() }
            if case .finish(let turn, let ending)? = machine.withLock({ $0.settle(turn, outcome) }) {
                finish(turn, ending)
            }
            return
        }
        run(promise, turn)
    }

    private func run(_ promise: Promise<State>, _ turn: Machine.Turn) {
        let number = turn.number
        // A work list of its own: what can settle at once has settled when this returns, even if the event
        // was sent from inside some other promise's handler.
        let observation = separately { [self] in
            promise.observe(on: scheduler) { self.receive(.update(turn: number, $0)) }
        }
        guard machine.withLock({ $0.turn?.number == number }) else { return observation.cancel() }
        var timers = [
            scheduler.schedule(after: .seconds(30)) { [weak self] in self?.receive(.longRun(turn: number)) }
        ]
        if let limit = timeLimit(turn.entry.event) {
            timers.append(
                scheduler.schedule(after: limit) { [weak self] in
                    self?.receive(.timeLimit(turn: number, limit))
                })
        }
        progress.withLock {
            $0.observation = observation
            $0.timers = timers
        }
        // Stopped by another thread in between: then nobody else has seen them.
        if isOver { endWork() }
    }

    private func endWork() {
        let (observation, timers) = progress.withLock { progress in
            defer { (progress.observation, progress.timers) = (nil, []) }
            return (progress.observation, progress.timers)
        }
        for timer in timers { timer.cancel() }
        observation?.cancel()
    }

    private func showInterim(_ state: State, _ turn: Machine.Turn) {
        progress.withLock { $0.hasShownInterim = true }
        show(.loading(state))
    }

    private func show(_ shown: Shown<State>, isCommit: Bool = false) {
        guard !isOver else { return }
        stage.show(shown, isCommit: isCommit)
        // Loading states are few, and somebody may yet ask for the record of this turn.
        guard shown.isLoading || stage.wantsRecords else { return }
        progress.withLock { $0.shown.append(shown) }
    }

    private func finish(_ turn: Machine.Turn, _ ending: Machine.Ending) {
        endWork()
        switch ending {
        case .outcome(.fulfilled(let state)):
            show(.settled(state), isCommit: true)
            record(turn, .settled)
        case .outcome(.rejected(let failure)):
            fail(turn, failure.error)
        case .timedOut(let limit):
            fail(turn, PromiseError.timedOut(limit))
        case .replaced:
            progress.withLock { $0.replaced = turn }
        }
    }

    private func fail(_ turn: Machine.Turn, _ reason: @autoclosure () -> any Error) {
        withdrawInterim(turn.before)
        // Stopped just now: nobody looks at the error, and so it is reported as any other that nobody saw.
        guard !isOver else { return }
        let error = reason()
        let isCancellation = error is CancellationError
        if stage.wantsErrors {
            stage.errors.call(error)
            stage.eventErrors.call((error, turn.entry.event))
        } else if !isCancellation {
            let event = String(describing: turn.entry.event)
            PromiseDiagnostics.report(
                .init(problem: .failedTransition(error, event: event), origin: turn.entry.origin))
        }
        record(turn, isCancellation ? .cancelled : .failed(error))
    }

    /// Shows the settled state again if the turn has shown another: no screen is left on its spinner.
    private func withdrawInterim(_ settled: State) {
        let isOwed = progress.withLock { progress in
            defer { progress.hasShownInterim = false }
            return progress.hasShownInterim
        }
        if isOwed { show(.settled(settled)) }
    }

    /// Ends the turn that this one replaces, now that it is known whether this one shows something instead.
    private func withdrawReplaced(isFollowedByInterim: Bool) {
        guard let replaced = progress.withLock({ $0.replaced.take() }) else { return }
        if !isFollowedByInterim { withdrawInterim(replaced.before) }
        record(replaced, .cancelled)
        progress.withLock {
            $0.shown = []
            $0.hasShownInterim = false
        }
    }

    // MARK: Telling

    private func record(_ turn: Machine.Turn, _ outcome: LoopRecord<State, Event>.Outcome) {
        guard !isOver, stage.wantsRecords else { return }
        let now = scheduler.now
        let after = machine.withLock { $0.state }
        let shown = progress.withLock { $0.shown }
        stage.records.call(
            LoopRecord(
                number: turn.number, event: turn.entry.event, origin: turn.entry.origin, before: turn.before,
                after: after, shown: shown, outcome: outcome,
                queueWait: turn.startedAt - turn.entry.sentAt, duration: now - turn.startedAt))
    }

    private func recordDrop(_ entry: Machine.Entry) {
        guard !isOver, stage.wantsRecords else { return }
        let now = scheduler.now
        let (number, state) = machine.withLock { ($0.lastNumber, $0.state) }
        stage.records.call(
            LoopRecord(
                number: number, event: entry.event, origin: entry.origin, before: state, after: state,
                shown: [], outcome: .dropped(.busy), queueWait: max(now - entry.sentAt, .zero),
                duration: .zero))
    }

    private func reportLongRun(_ turn: Machine.Turn) {
        PromiseDiagnostics.report(
            .init(
                problem: .longTransition(
                    scheduler.now - turn.startedAt, event: String(describing: turn.entry.event)),
                origin: turn.entry.origin))
    }
}
