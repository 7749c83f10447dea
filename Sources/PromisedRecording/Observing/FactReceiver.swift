public import Promise
public import PromisedSystem

/// Receives the facts of a loop and of its work: a recording, or a replay of one. Called by the owner of the loop.
@usableFromInline
protocol FactReceiver: AnyObject, Sendable {
    /// Called when the observation of a system begins, with its state and the number of its last turn.
    func addStart(_ state: any StateBox, after turn: Int)
    func addEvent(_ event: SentEvent)
    /// Called before middleware is.
    func addMiddleware()
    /// Called when a turn begins.
    ///
    /// - Parameters:
    ///   - number: The number of the sent event.
    ///   - event: The event as middleware passed it on; nil unless ``hasReplacements``.
    func addBegin(_ turn: Int, _ number: UInt32, _ event: (any Sendable)?, _ start: Duration?)
    /// Whether the event of a turn may be another one than was sent.
    var hasReplacements: Bool { get }
    /// Called when the reducer has returned.
    func addReduced()
    /// Called when the transition of a turn is in flight.
    func addPending(_ turn: Int)
    func addCommit(_ state: any StateBox)
    func addShown(_ state: any StateBox, isReverted: Bool)
    func addEnd(_ turn: Int, _ number: UInt32, _ outcome: String, _ error: (any Error)?, isUnhandled: Bool)
    /// Called when an effect has failed that continues, or has ended before.
    func addFailure(_ error: any Error, _ origin: Origin)
    /// Called when a state is written without a turn.
    ///
    /// - Parameter owner: Who has written, such as `run 7`; nil for the outside.
    func addWrite(_ event: any Sendable, _ origin: Origin, _ owner: String?, _ state: any StateBox)
    /// Called when a model sends an event.
    func addPost(_ event: any Sendable, _ sender: EventPlace, _ owner: String?)
    /// Called with the members of a line that needs nothing else.
    func add(_ kind: RecordedFact.Kind, _ fields: FactFields)
    /// Called when a run has ended by itself, with the error that it failed with.
    func addRunEnd(_ run: Int, _ error: (any Error)?)

    /// Called before work of a run or of a transition runs, on any thread.
    func willWork()
    /// The same as ``add(_:_:)``, on any thread.
    func addWork(_ kind: RecordedFact.Kind, _ fields: FactFields)
    /// The owner of the work of the transition that is in flight.
    var transition: String { get }
    /// The name of the system.
    var name: String { get }
    /// The probe of a system, in code that is not specialised for its types.
    func makeProbe<State: Sendable, Event: Sendable>(_ work: RecordedWork) -> LoopProbe<State, Event>
}

extension FactReceiver {
    @usableFromInline func willWork() {}
    @usableFromInline func addReduced() {}

    @usableFromInline
    func addRunEnd(_ run: Int, _ error: (any Error)?) {
        add(.ran, ["run": .number(run), "error": .error(error)])
    }

    @usableFromInline
    func addFailure(_ error: any Error, _ origin: Origin) {
        add(.failed, ["at": .place(origin), "error": .error(error)])
    }

    @inlinable
    func makeProbe<State: Sendable, Event: Sendable>(_ work: RecordedWork) -> LoopProbe<State, Event> {
        LoopProbe(work) { [self] in note($0) }
    }

    @inlinable
    func note<State: Sendable, Event: Sendable>(_ fact: consuming LoopFact<State, Event>) {
        switch consume fact {
        case .sent(let entry, let sender, let followsTurn):
            addEvent(
                SentEvent(
                    entry.event, entry.policy, entry.origin, by: sender, entry.sent,
                    followsTurn: followsTurn))
        case .begins(let turn, _):
            addBegin(turn.number, turn.sent?.number ?? 0, hasReplacements ? turn.event : nil, turn.startedAt)
        case .shows(let state, .committed): addCommit(state)
        case .shows(let state, let kind): addShown(state, isReverted: kind == .reverted)
        case .ends(let turn, let outcome, let isUnhandled):
            let (name, error) = Self.outcome(outcome)
            addEnd(turn.number, turn.sent?.number ?? 0, name, error, isUnhandled: isUnhandled)
        case .pends(let turn): addPending(turn.number)
        case .hasReduced: addReduced()
        case .read: break
        case let other: noteOther(other)
        }
    }

    @usableFromInline
    func noteOther<State: Sendable, Event: Sendable>(_ fact: LoopFact<State, Event>) {
        switch fact {
        case .entersMiddleware(_, _, isAfterTurn: false, _): addMiddleware()
        case .attached(let state, let turn): addStart(state, after: turn)
        case .dropped(let entry, let reason):
            add(.drop, ["id": .number(Int(entry.sent?.number ?? 0)), "why": .text("\(reason)")])
        case .delayEnded(let keys, let end, let followsTurn):
            add(
                .fire,
                [
                    "by": .text("loop"), "delay": .keys(keys), "end": .text("\(end)"),
                    "follows": .flag(end == .flush && followsTurn),
                ])
        case .timedOut(let turn): add(.fire, ["by": .text("loop"), "limit": .number(turn.number)])
        case .written(_, let event, let origin, let cause, _, let after):
            addWrite(event, origin, owner(of: cause), after)
        case .held(let isHeld): add(isHeld ? .held : .released, ["hold": .number(1)])
        case .failedApart(let error, let origin): addFailure(error, origin)
        // The failure of a turn or of a run is a part of its end, which follows.
        default: break
        }
    }

    /// Who has written or sent something, such as `run 7`, or `page run 7` for the run of another system; nil for the
    /// outside.
    func owner(of cause: WriteCause) -> String? {
        switch cause {
        case .outside: nil
        case .observer: "observer"
        case .work(let work): (work as? RecordedScheduler)?.name(for: self)
        }
    }

    @inlinable
    static func outcome<State, Event>(
        _ outcome: LoopRecord<State, Event>.Outcome
    ) -> (name: String, error: (any Error)?) {
        switch outcome {
        case .settled: ("settled", nil)
        case .failed(let error): ("failed", error)
        case .cancelled: ("cancelled", nil)
        case .missed: ("missed", nil)
        case .stopped, .dropped: ("stopped", nil)
        }
    }
}
