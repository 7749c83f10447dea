public import Promise
public import PromisedSystem

extension ReplayRun: FactReceiver {
    /// Names the timer that the loop sets next, if it sets one.
    private func note(_ purpose: String?) {
        if let purpose { running.withLock { $0 }?.scheduler.namesTimers(of: purpose) }
    }

    @usableFromInline func addStart(_ state: any StateBox, after turn: Int) {
        observe { $0.begin(with: state) }
    }
    @usableFromInline func addEvent(_ event: SentEvent) {
        note(event.policy.key.map { "delay \($0)" })
        if let time = arrival.exchange(for: nil) { running.withLock { $0 }?.scheduler.moveClock(to: time) }
        observe(at: .arrival) { $0.observe(event) }
    }
    @usableFromInline func addMiddleware() { observe { $0.enterMiddleware() } }
    @usableFromInline var hasReplacements: Bool { true }
    @usableFromInline func addBegin(
        _ turn: Int, _ number: UInt32, _ event: (any Sendable)?, _ start: Duration?
    ) { observe { $0.begin(turn, event) } }
    @usableFromInline func addPending(_ turn: Int) {
        pendingTurn.exchange(for: turn)
        note("limit \(turn)")
        observe { $0.pend(turn) }
    }
    @usableFromInline func addCommit(_ state: any StateBox) { observe { $0.commit(state) } }
    @usableFromInline func addShown(_ state: any StateBox, isReverted: Bool) {
        observe { $0.show(state, isReverted: isReverted) }
    }
    @usableFromInline func addEnd(
        _ turn: Int, _ number: UInt32, _ outcome: String, _ error: (any Error)?, isUnhandled: Bool
    ) { observe(at: .turnEnd) { $0.end(turn, outcome, error, isUnhandled: isUnhandled) } }
    @usableFromInline func addWrite(
        _ event: any Sendable, _ origin: Origin, _ owner: String?, _ state: any StateBox
    ) { observe { $0.observe(write: event, by: owner, state) } }
    @usableFromInline func addPost(_ event: any Sendable, _ sender: EventPlace, _ owner: String?) {
        add(.post, FactValue.post(event, sender, owner))
    }
    @usableFromInline func add(_ kind: RecordedFact.Kind, _ fields: FactFields) {
        if kind == .wait, case .number(let request)? = fields.first(where: { $0.key == "request" })?.value {
            note("request \(request)")
        }
        observe(at: kind == .drop || kind == .fire ? .between : .other) { $0.observe(kind, fields) }
    }
    @usableFromInline func willWork() { comparison.withLock { $0.works += 1 } }
    @usableFromInline func addWork(_ kind: RecordedFact.Kind, _ fields: FactFields) { add(kind, fields) }
    @usableFromInline var transition: String { "turn \(pendingTurn.withLock { $0 })" }

    @usableFromInline
    func makeProbe<State: Sendable, Event: Sendable>(_ work: RecordedWork) -> LoopProbe<State, Event> {
        let probes = probes.withLock { $0 } as? ReplayProbes<State, Event>
        return probes?.make(work) ?? LoopProbe(work) { [self] in note($0) }
    }

    /// Whether a new system is the one that is compared: the first one of its types.
    func observes(_ system: any ExploredSystem) -> Bool {
        let (state, event) = system.types
        guard !comparison.withLock({ $0.isAttached }) else { return false }
        // The events of an object are not known by their type.
        if let wrapper = state as? any StateWrapper.Type { return wrapper.wrappedType == stateType }
        return state == stateType && event == eventType
    }
}

extension ReplayComparison {
    /// The name that the replay has given a timer of the loop, according to the line in which it fires.
    func purpose(ofTimer fact: RecordedFact) -> String {
        if let key = fact["delay"]?.array?.last { return "delay \(EffectKey(json: key))" }
        if let turn = fact["limit"]?.int { return "limit \(numbers.own(turn, .turn))" }
        return "request \(numbers.own(fact["request"]?.int ?? 0, .run))"
    }
}
