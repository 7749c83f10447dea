public import Promise
public import PromisedSystem
internal import Synchronization

/// Notes what happens in a loop.
///
/// A turn that is over at once is one fact, so the beginning of a turn is kept back until the next fact.
///
/// Unchecked because of its variables, which the owner of the loop uses alone.
@usableFromInline
final class LoopNotes: FactReceiver, @unchecked Sendable {
    private let facts: SystemFacts
    /// Exists as long as the loop or its work.
    private let recorder: SessionRecorder
    @usableFromInline let name: String
    private let scheduler: any SerialScheduler
    /// The thread that is in a turn, or has sent the event of the next one; 0 if none is, or if its transition is in
    /// flight.
    private let thread = Atomic<UInt>(0)
    /// The turn whose transition is in flight, or was last.
    private let pendingTurn = Atomic(0)
    // MARK: Owner only

    @exclusivity(unchecked) private var sent: SentEvent?
    @exclusivity(unchecked) private var begun: BegunTurn?
    /// The state that the running turn has committed.
    @exclusivity(unchecked) private var committed: (any StateBox)?
    @exclusivity(unchecked) private var turnTime = Duration.zero
    @exclusivity(unchecked) private var isInFlight = false
    /// The turn that runs, and is not in flight. One that it replaces ends meanwhile.
    @exclusivity(unchecked) private var running: (turn: Int, hasReduced: Bool)?
    @exclusivity(unchecked) private var hasMiddleware = false

    @usableFromInline
    init(
        _ recorder: SessionRecorder, _ name: String, _ part: EffectKey? = nil,
        on scheduler: any SerialScheduler, state: Any.Type, event: Any.Type
    ) {
        (self.recorder, self.scheduler, self.name) = (recorder, scheduler, name)
        let lines = SystemLines(
            name, part, start: recorder.clock.start(on: scheduler), state: state, event: event)
        facts = SystemFacts(recorder.buffer, lines)
        recorder.buffer.add(facts)
    }

    deinit {
        addHeld()
        if let committed { facts.append(.shows(committed, isReverted: false, at: scheduler.now)) }
        facts.end()
    }

    // MARK: The loop

    /// Whether the event of a turn may be another one than was sent.
    @usableFromInline var hasReplacements: Bool { hasMiddleware }

    @usableFromInline func addMiddleware() { hasMiddleware = true }
    @usableFromInline func addStart(_ state: any StateBox, after turn: Int) {
        add { .attached(state, after: turn, at: $0) }
    }
    @usableFromInline func addWrite(
        _ event: any Sendable, _ origin: Origin, _ owner: String?, _ state: any StateBox
    ) { add { .written(event, origin, by: owner, state, at: $0) } }
    @usableFromInline func addPost(_ event: any Sendable, _ sender: EventPlace, _ owner: String?) {
        add(.post, FactValue.post(event, sender, owner))
    }

    /// Adds a fact, behind those that are kept back.
    private func add(_ fact: (Duration) -> SystemFact) {
        addHeld()
        facts.append(fact(thread.load(ordering: .relaxed) == 0 ? scheduler.now : turnTime))
    }

    private func addHeld() {
        if let begun {
            facts.append(.begins(sent.take(), begun))
            self.begun = nil
        } else if let sent = sent.take() {
            facts.append(.sent(sent))
            thread.store(0, ordering: .relaxed)
        }
    }

    @usableFromInline
    func addEvent(_ event: SentEvent) {
        addHeld()
        var event = event
        event.followsReducer = running?.hasReduced ?? false
        if case .queue = event.policy, !isInFlight, thread.load(ordering: .relaxed) == 0 {
            sent = event
            // Work that the same thread notes comes behind it.
            thread.store(currentThread, ordering: .relaxed)
        } else {
            facts.append(.sent(event))
        }
    }

    @usableFromInline
    func addBegin(_ turn: Int, _ number: UInt32, _ event: (any Sendable)?, _ start: Duration?) {
        if sent?.number != number { addHeld() }
        running = (turn, false)
        turnTime = start ?? scheduler.now
        begun = BegunTurn(number: turn, sent: number, event: event.map(BegunTurn.Event.init), at: turnTime)
        thread.store(currentThread, ordering: .relaxed)
    }

    @usableFromInline func addReduced() { running?.hasReduced = true }

    @usableFromInline
    func addPending(_ turn: Int) {
        addHeld()
        running = nil
        isInFlight = true
        pendingTurn.store(turn, ordering: .relaxed)
        thread.store(0, ordering: .relaxed)
    }

    @usableFromInline func addCommit(_ state: any StateBox) { committed = state }

    @usableFromInline
    func addShown(_ state: any StateBox, isReverted: Bool) {
        add { .shows(state, isReverted: isReverted, at: $0) }
    }

    @usableFromInline
    func addEnd(_ turn: Int, _ number: UInt32, _ outcome: String, _ error: (any Error)?, isUnhandled: Bool) {
        if running?.turn == turn { running = nil }
        let end = TurnEnd(
            turn: turn, sent: number, outcome: outcome, error: error, isUnhandled: isUnhandled,
            at: scheduler.now,
            state: committed.take())
        if begun?.number == turn || begun == nil && sent?.number == number {
            facts.append(.turn(sent.take(), begun.take(), end))
        } else {
            addHeld()
            facts.append(.ends(end))
        }
        if error != nil { recorder.saveAfterError() }
        if isInFlight, pendingTurn.load(ordering: .relaxed) == turn {
            isInFlight = false
        } else {
            thread.store(0, ordering: .relaxed)
        }
    }

    // MARK: Its work

    @usableFromInline func willWork() { facts.countWork() }

    @usableFromInline var transition: String { "turn \(pendingTurn.load(ordering: .relaxed))" }

    @usableFromInline
    func add(_ kind: RecordedFact.Kind, _ fields: FactFields) { add { .other(kind, fields, at: $0) } }

    @usableFromInline
    func addRunEnd(_ run: Int, _ error: (any Error)?) {
        add(.ran, ["run": .number(run), "error": .error(error)])
        if error != nil { recorder.saveAfterError() }
    }

    @usableFromInline
    func addFailure(_ error: any Error, _ origin: Origin) {
        add(.failed, ["at": .place(origin), "error": .error(error)])
        recorder.saveAfterError()
    }

    @usableFromInline
    func addWork(_ kind: RecordedFact.Kind, _ fields: FactFields) {
        // The turn in which it happens comes first.
        if thread.load(ordering: .relaxed) == currentThread { return add(kind, fields) }
        facts.append(.other(kind, fields, at: scheduler.now))
    }
}
