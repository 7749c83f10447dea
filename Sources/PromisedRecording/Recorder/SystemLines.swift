internal import Promise
internal import PromisedSystem

/// Makes the lines of one system of its facts; used by the writer alone.
///
/// A turn that is over at once is one line. So what may be the beginning of one is kept back until the next fact.
struct SystemLines<State: Sendable, Event: Sendable>: Sendable {
    /// Nil until the system has its line.
    private(set) var system: RecordedSystem?
    private let name: String
    private let start: Duration
    /// The state as the file has it; nil if it does not.
    private var shown: CodedValue?
    /// The last state, of which the file has nothing in a mode that leaves it out.
    private var state: ValueBox<State>?
    /// The approximate size of a state.
    private var size = 1
    /// The state that the running turn has committed, which its last line shows.
    private var committed: ValueBox<State>?
    private var sent: SentEvent<Event>?
    private var begun: BegunTurn<Event>?
    /// The events that were sent and have not begun, with the time, if a turn could change them.
    private var pending: [UInt32: PendingSend] = [:]
    private var hasMiddleware = false
    /// The error of an effect whose end follows.
    private var failure: (any Error)?

    private struct PendingSend: Sendable {
        let at: Duration
        let event: CodedValue?
    }

    init(_ name: String, _ start: Duration) { (self.name, self.start) = (name, start) }

    /// How many facts may wait for the writer, so that their states take about so many bytes at most.
    func capacity(for bytes: Int) -> Int { min(100_000, max(16, bytes / max(1, size))) }

    // MARK: Facts

    mutating func add(_ fact: SystemFact<State, Event>, to session: inout SessionLines) {
        switch fact {
        case .attached(let state, let time): addSystem(state, at: time, to: &session)
        case .sent(let sent):
            writeHeld(to: &session)
            self.sent = sent
        case .entersMiddleware: hasMiddleware = true
        case .begins(let turn):
            if let sent, sent.number == turn.sent {
                begun = turn
            } else {
                writeHeld(to: &session)
                begun = turn
            }
        case .shows(let state, .committed, _): committed = state
        case .ends(let turn, let sent, let outcome, let isUnhandled, let time):
            var members: [JSONMember] = [.init("o", .string(Self.name(of: outcome)))]
            if case .failed(let error) = outcome {
                members.set("error", to: .string(session.redaction.text(of: error)))
            }
            if isUnhandled { members.set("u", to: .bool(true)) }
            end(turn, sent, members, at: time, &session)
        case .failed(let error):
            failure = error
            session.hasFailed = true
        default:
            writeHeld(to: &session)
            addOther(fact, to: &session)
        }
    }

    private mutating func addOther(_ fact: SystemFact<State, Event>, to session: inout SessionLines) {
        switch fact {
        case .shows(let state, let kind, let time):
            var members = members(at: time)
            if case .reverted = kind { members.set("r", to: .bool(true)) }
            setState(state, &members, &session)
            session.add(.shown, members)
        case .dropped(let number, let reason, let time):
            pending[number] = nil
            var members = members(at: time, ["id": .number(Int(number))])
            members.set("why", to: .string("\(reason)"))
            session.add(.drop, members)
        case .delayEnded(let keys, let end, let time):
            let delays = JSONValue.array(keys.map { session.redaction.json(of: $0) })
            session.add(
                .fire, members(at: time, ["by": .string("loop"), "delay": delays, "end": .string("\(end)")]))
        case .timedOut(let turn, let time):
            session.add(.fire, members(at: time, ["by": .string("loop"), "limit": .number(turn)]))
        case .written(let event, let origin, let state, let time):
            addWrite(event, origin, state, at: time, to: &session)
        case .skipped(let skipped): addSkipped(skipped, to: &session)
        case .work(let work, let time): add(work, at: time, to: &session)
        default: break
        }
    }

    /// Members that all lines have.
    func members(at time: Duration?, _ more: KeyValuePairs<String, JSONValue> = [:]) -> [JSONMember] {
        var members: [JSONMember] = []
        if let system { members.append(.init("s", .number(system.number))) }
        if let time { members.set("t", to: .number((time - start).nanoseconds)) }
        for (key, value) in more { members.set(key, to: value) }
        return members
    }

    // MARK: The system and its states

    private mutating func addSystem(
        _ state: ValueBox<State>, at time: Duration, to session: inout SessionLines
    ) {
        register(&session)
        var members = members(at: time)
        setState(state, &members, &session)
        for field in system?.fields ?? [] { members.set(field.key, to: field.value) }
        session.add(.system, members)
    }

    private mutating func register(_ session: inout SessionLines) {
        let (number, name) = session.addSystem(name)
        let exact =
            session.redaction.masksTexts
            ? [] : [State.self is any Codable.Type, Event.self is any Codable.Type]
        system = RecordedSystem(
            number: number, name: name, state: "\(State.self)", event: "\(Event.self)",
            exact: Set(zip(["state", "event"], exact).filter(\.1).map(\.0)))
    }

    /// Adds a state to the members of a line: as a whole, or as the difference from the last one that was written.
    private mutating func setState(
        _ box: ValueBox<State>, _ members: inout [JSONMember], _ session: inout SessionLines
    ) {
        defer { state = box }
        guard session.wantsState || shown == nil && state == nil else {
            shown = nil
            return members.set("c", to: .null)
        }
        let new = session.code(box.value, at: name)
        defer { shown = new }
        guard let new = new.json else {
            size = new.text?.utf8.count ?? 1
            if shown?.text != new.text || shown == nil { members.set("x", to: .string(new.text ?? "")) }
            return
        }
        guard let old = shown?.json else {
            size = new.size()
            return members.set("v", to: new)
        }
        let patch = ValuePatch(from: old, to: new)
        if patch.isEmpty { return }
        let changes = patch.json
        let size = changes.size()
        members.set(
            new.size(upTo: size) <= size ? "v" : "c", to: new.size(upTo: size) <= size ? new : changes)
    }

    mutating func fullState(_ session: inout SessionLines) -> FullState? {
        guard let system, let full = shown ?? state.map({ session.code($0.value, at: name) }) else {
            return nil
        }
        shown = full
        size = full.json?.size() ?? full.text?.utf8.count ?? 1
        return FullState(system: system, state: full)
    }

    /// Writes a state that a turn has committed which did not end. Nothing follows.
    mutating func writeEnd(to session: inout SessionLines) {
        session.endAll(of: system?.number ?? 0)
        guard let state = committed.take() else { return }
        var members = members(at: nil)
        setState(state, &members, &session)
        session.add(.shown, members)
    }

    private mutating func addSkipped(_ skipped: SkippedFacts<State>, to session: inout SessionLines) {
        session.countTurn(skipped.turns)
        if skipped.isLoss { session.add(.lost, [.init("facts", .number(skipped.facts))]) }
        session.requireKey()
        guard let box = skipped.state else { return }
        // The full states that follow say that it exists.
        if system == nil { register(&session) }
        (committed, state, shown) = (nil, box, session.code(box.value, at: name))
    }

    private mutating func addWrite(
        _ event: Event, _ origin: Origin, _ state: ValueBox<State>, at time: Duration,
        to session: inout SessionLines
    ) {
        var members = members(at: time, ["at": .number(session.number(of: origin))])
        members.set("e", to: session.code(event))
        session.countTurn()
        setState(state, &members, &session)
        session.add(.write, members)
    }

    // MARK: Turns

    /// Writes the event that was sent, or the turn that has begun, unless there is none: something else follows.
    mutating func writeHeld(to session: inout SessionLines) {
        if let begun {
            var members = beginning(of: begun, &session)
            members.set("turn", to: .number(begun.number))
            session.countTurn()
            session.begin(.init(system: system?.number ?? 0, kind: .begin, number: begun.number), members)
        } else if let sent {
            var members = sending(sent, &session)
            members.set("id", to: .number(Int(sent.number)))
            pending[sent.number] = PendingSend(
                at: sent.at, event: hasMiddleware ? session.code(sent.event) : nil)
            session.add(.send, members)
        }
        (begun, sent) = (nil, nil)
    }

    /// The members of an event that is sent.
    private func sending(_ sent: SentEvent<Event>, _ session: inout SessionLines) -> [JSONMember] {
        var members = members(at: sent.at, ["at": .number(session.number(of: sent.origin))])
        members.set("e", to: session.code(sent.event))
        if let sender = sent.sender.text { members.set("by", to: .string(sender)) }
        if let policy = session.json(of: sent.policy) { members.set("p", to: policy) }
        return members
    }

    /// The members of a turn that begins: with the event, if it was sent right before.
    private mutating func beginning(of turn: BegunTurn<Event>, _ session: inout SessionLines) -> [JSONMember]
    {
        var members = members(at: turn.at)
        var (event, sentAt): (CodedValue?, Duration?)
        if let sent {
            members = sending(sent, &session)
            (event, sentAt) = (hasMiddleware ? session.code(sent.event) : nil, sent.at)
            members.set("t", to: .number((turn.at - start).nanoseconds))
        } else {
            let send = pending.removeValue(forKey: turn.sent)
            (event, sentAt) = (send?.event, send?.at)
            members.set("id", to: .number(Int(turn.sent)))
        }
        if let sentAt, sentAt < turn.at { members.set("w", to: .number((turn.at - sentAt).nanoseconds)) }
        // Middleware has replaced it.
        if let new = turn.event.map({ session.code($0) }), new != event { members.set("as", to: new) }
        return members
    }

    private mutating func end(
        _ turn: Int, _ event: UInt32, _ ending: [JSONMember], at time: Duration, _ session: inout SessionLines
    ) {
        failure = nil
        var members: [JSONMember]
        if let begun, begun.number == turn {
            members = beginning(of: begun, &session)
            members.set("d", to: .number((time - begun.at).nanoseconds))
            session.countTurn()
            (self.begun, sent) = (nil, nil)
        } else if let sent, sent.number == event {
            // Stopped by middleware.
            members = sending(sent, &session)
            session.countTurn()
            self.sent = nil
        } else {
            writeHeld(to: &session)
            members = self.members(at: time, ["turn": .number(turn)])
            if pending.removeValue(forKey: event) != nil {
                members.set("id", to: .number(Int(event)))
                session.countTurn()
            }
            session.end(.init(system: system?.number ?? 0, kind: .begin, number: turn))
        }
        for member in ending { members.set(member.key, to: member.value) }
        if let state = committed.take() { setState(state, &members, &session) }
        session.add(.turn, members)
    }

    private static func name(of outcome: LoopRecord<State, Event>.Outcome) -> String {
        switch outcome {
        case .settled: "settled"
        case .failed: "failed"
        case .cancelled: "cancelled"
        case .missed: "missed"
        case .stopped: "stopped"
        case .dropped: "dropped"
        }
    }

    mutating func takeFailure() -> (any Error)? { failure.take() }
}
