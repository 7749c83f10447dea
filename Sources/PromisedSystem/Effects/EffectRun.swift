internal import Promise
internal import Synchronization

/// A key, qualified by the slots in which it is used: those of a feedback, or those that the feedbacks of one part
/// share.
struct EffectName: Sendable, Hashable {
    let feedback: Int
    let key: EffectKey
}

/// One run of an effect: its phase, its pending events and its cancellation handlers.
///
/// | phase | entered by | means |
/// |---|---|---|
/// | `starting` | `init` | the starter checks afterwards how far it has come |
/// | `running` | `hasStarted` | no handlers are registered |
/// | `observed` | `onCancel`, `onBroadcast` | handlers are registered: see `handlers` |
/// | `finished` | `finish` | it has ended by itself |
/// | `cancelled` | `cancel` before its end | everything that it sends is ignored |
/// | `discarded` | `cancel` after its end | its pending events are dropped |
@usableFromInline
final class EffectRun: Sendable {
    private enum RunPhase: Int {
        case starting, running, observed, finished, cancelled, discarded
    }

    let name: EffectName
    /// The number of this run. It increases in the order in which runs start.
    @usableFromInline let number: Int
    /// The number of the request, in the same count; lower than `number` if the request was queued or debounced.
    let requestNumber: Int
    /// The registry number of the feedback that has requested it.
    let requester: Int
    /// Whether a sender that is no effect is over; nil for an effect.
    private let outsideIsOver: (@Sendable () -> Bool)?
    /// Given by the observer of the system; nil without one.
    let scheduler: (any RunScheduler)?
    /// The phase in the lower bits, and above it the number of pending events. One word, so that the last event is
    /// counted in the same atomic step that ends the run.
    private let word = Atomic(0)
    /// Since when it runs, in nanoseconds of the scheduler; unset while it is started. Only the owner of the loop has
    /// access to it.
    private let runningSinceNanoseconds = Atomic(Int64.min)
    // Allocated lazily, because most runs register no handlers.
    private let handlers = AtomicLazyReference<RunHandlers>()

    // Not a `LazyLock`: its box is a generic type, which would be looked up for each run.
    /// The handlers registered in the `observed` phase.
    private final class RunHandlers: Sendable {
        struct Lists: Sendable {
            var cancellation: [StoredClosure] = []
            var broadcasts: [Receiver] = []
        }

        let lists = Lock(Lists())
    }

    // A closure in a stored property is stored as it is; as a generic value it would be wrapped in a second closure.
    private struct Receiver: Sendable {
        let run: @Sendable (any Sendable) -> Void
    }

    init(
        _ name: EffectName, number: Int, requestNumber: Int, requester: Int? = nil,
        scheduler: (any RunScheduler)? = nil
    ) {
        (self.name, self.number, self.requestNumber) = (name, number, requestNumber)
        self.requester = requester ?? name.feedback
        self.scheduler = scheduler
        outsideIsOver = nil
    }

    /// A sender of events that is no effect: its pending events are dropped as soon as it is over.
    init(outsideUntil isOver: @escaping @Sendable () -> Bool) {
        name = EffectName(feedback: 0, key: .unnamed)
        (number, requestNumber, requester, scheduler, outsideIsOver) = (0, 0, 0, nil, isOver)
        // A permanent one, so that the loop never takes it for an effect whose last event was processed.
        eventEnqueued()
    }

    /// Whether it is the work of a feedback.
    @usableFromInline var isOfEffect: Bool { outsideIsOver == nil }

    private static var phaseMask: Int { 7 }
    private static var oneEvent: Int { 8 }

    private var phase: Int { word.load(ordering: .acquiring) & Self.phaseMask }

    /// Whether the run was cancelled: new events are ignored, and pending events are dropped.
    @usableFromInline var isCancelled: Bool {
        phase >= RunPhase.cancelled.rawValue || outsideIsOver?() == true
    }

    /// Whether the run has neither ended nor been cancelled, so its events are accepted.
    var isWanted: Bool { phase < RunPhase.finished.rawValue }

    // MARK: Pending events

    @usableFromInline
    func eventEnqueued() {
        scheduler?.acts()
        word.wrappingAdd(Self.oneEvent, ordering: .acquiringAndReleasing)
    }

    /// Counts one pending event less, because it was dequeued, to be processed or dropped.
    ///
    /// - Returns: Whether it was the last pending event.
    @usableFromInline
    func eventDequeued() -> Bool {
        word.wrappingSubtract(Self.oneEvent, ordering: .acquiringAndReleasing).newValue < Self.oneEvent
    }

    /// Whether some of its events are still pending.
    var hasPendingEvents: Bool { pendingEventCount > 0 }
    /// How many of its events are pending.
    var pendingEventCount: Int { word.load(ordering: .acquiring) / Self.oneEvent }

    // MARK: Cancellation and end

    /// Calls `action` when the run is cancelled; immediately if it already was; never if it finishes first.
    func onCancel(_ action: @escaping @Sendable () -> Void) {
        let phaseThen = register { $0.cancellation.append(StoredClosure(action)) }
        if phaseThen == RunPhase.cancelled.rawValue { action() }
    }

    /// Calls `action` with every value broadcast to the run, until the run ends.
    func onBroadcast(_ action: @escaping @Sendable (any Sendable) -> Void) {
        _ = register { $0.broadcasts.append(Receiver(run: action)) }
    }

    /// Whether a value that is broadcast would be delivered.
    var awaitsBroadcasts: Bool { handlers.load()?.lists.withLock { !$0.broadcasts.isEmpty } ?? false }

    /// Delivers a broadcast value to the registered handlers.
    func receive(_ value: any Sendable) {
        let receivers = handlers.load()?.lists.withLock { $0.broadcasts } ?? []
        for receiver in receivers where isWanted { receiver.run(value) }
    }

    /// Registers a handler, unless the run has ended.
    ///
    /// - Returns: The phase under the lock; the handler was registered only in `observed`.
    private func register(_ add: (inout RunHandlers.Lists) -> Void) -> Int {
        let handlers = self.handlers.load() ?? self.handlers.storeIfNil(RunHandlers())
        _ = move(from: .starting, to: .observed) || move(from: .running, to: .observed)
        // The phase is read under the lock, and leaving it takes the lock afterwards: no handler is added too late to
        // be called.
        return handlers.lists.withLock { handlers in
            let phase = phase
            if phase == RunPhase.observed.rawValue { add(&handlers) }
            return phase
        }
    }

    /// Ends the `starting` phase.
    ///
    /// - Parameter now: The time; not read if the run has finished.
    /// - Returns: False if the run finished while it was started.
    func endStarting(_ now: () -> Duration) -> Bool {
        guard move(from: .starting, to: .running) || phase != RunPhase.finished.rawValue else { return false }
        runningSinceNanoseconds.store(max(Int64(now().nanoseconds), .min + 1), ordering: .relaxed)
        return true
    }

    /// Since when it runs, for the owner of the loop; nil while it is started.
    var runningSince: Duration? {
        let since = runningSinceNanoseconds.load(ordering: .relaxed)
        return since == .min ? nil : .nanoseconds(since)
    }

    enum Finish: Sendable {
        case ended
        /// It ended while it was being started; the starter handles that, so the loop need not be notified.
        case endedWhileStarting
        /// It had already finished or been cancelled.
        case none
    }

    /// Finishes the run, if it has neither finished nor been cancelled; only the first call has an effect.
    ///
    /// - Parameter withEvent: Whether one more event follows. It is counted in the same atomic step, so a thread that
    ///   sees the run ended also sees its event pending.
    func finish(withEvent: Bool) -> Finish {
        scheduler?.acts()
        let events = withEvent ? Self.oneEvent : 0
        if move(from: .starting, to: .finished, adding: events) { return .endedWhileStarting }
        if move(from: .running, to: .finished, adding: events) { return .ended }
        guard move(from: .observed, to: .finished, adding: events) else { return .none }
        _ = takeHandlers()
        return .ended
    }

    /// Cancels the run and calls its cancellation handlers; after its end, drops its pending events. What they cancel has
    /// been cancelled when this returns, unless it is delivering an interim value.
    ///
    /// - Parameter isCancelled: Called before the handlers, unless the run has ended.
    func cancel(_ isCancelled: () -> Void = {}) {
        if move(from: .starting, to: .cancelled) || move(from: .running, to: .cancelled) {
            return isCancelled()
        }
        if move(from: .finished, to: .discarded) { return }
        guard move(from: .observed, to: .cancelled) else {
            // It finished between the two checks.
            return _ = move(from: .finished, to: .discarded)
        }
        isCancelled()
        let actions = takeHandlers().cancellation
        withNestedTrampoline { for action in actions { action.run() } }
    }

    private func move(from before: RunPhase, to next: RunPhase, adding events: Int = 0) -> Bool {
        var word = self.word.load(ordering: .relaxed)
        while word & Self.phaseMask == before.rawValue {
            let (isMoved, seen) = self.word.weakCompareExchange(
                expected: word, desired: word - before.rawValue + next.rawValue + events,
                ordering: .acquiringAndReleasing)
            if isMoved { return true }
            word = seen
        }
        return false
    }

    private func takeHandlers() -> RunHandlers.Lists {
        handlers.load()?.lists.withLock { handlers in
            defer { handlers = RunHandlers.Lists() }
            return handlers
        } ?? RunHandlers.Lists()
    }
}
