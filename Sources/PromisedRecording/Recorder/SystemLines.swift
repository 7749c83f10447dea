internal import Promise
internal import PromisedSystem

/// Makes the lines of one system of its facts; used by the writer alone.
struct SystemLines: Sendable {
    /// Nil until the system has its line.
    private(set) var system: RecordedSystem?
    private let name: String
    /// The part of the object of that name that the system is.
    private let part: EffectKey?
    let start: Duration
    private let stateType: Any.Type
    private let eventType: Any.Type
    /// The turn in which it had its last state.
    private(set) var lastTurn = 0
    /// The state as the file has it; nil if it does not.
    private var shown: CodedValue?
    /// The last state, of which the file has nothing in a mode that leaves it out.
    private var state: (any StateBox)?
    /// The approximate size of a state.
    private var size = 1
    /// The events that were sent and have not begun.
    private var pending: [UInt32: PendingSend] = [:]

    private struct PendingSend: Sendable {
        let at: Duration
        let event: CodedValue
        /// The segment that has its line; nil if none is needed.
        var segment: Int?
    }

    /// - Parameter start: What the clock showed when the session began.
    init(_ name: String, _ part: EffectKey? = nil, start: Duration, state: Any.Type, event: Any.Type) {
        (self.name, self.part, self.start, eventType) = (name, part, start, event)
        stateType = (state as? any StateWrapper.Type)?.wrappedType ?? state
    }

    /// How many facts may wait for the writer, so that their states take about so many bytes at most.
    func capacity(for bytes: Int) -> Int { min(100_000, max(16, bytes / max(1, size))) }

    // MARK: Facts

    mutating func add(_ fact: SystemFact, to session: inout SessionLines) {
        switch fact {
        case .attached(let state, let turn, let time): addSystem(state, after: turn, at: time, to: &session)
        case .sent(let sent): addSend(sent, to: &session)
        case .begins(let sent, let turn): addBegin(turn, sent, to: &session)
        case .turn(let sent, let turn, let end): addTurn(turn, sent, end, to: &session)
        case .ends(let end): addEnd(end, to: &session)
        case .shows(let state, let isReverted, let time):
            var members = members(at: time)
            if isReverted { members.set("r", to: .bool(true)) }
            setState(state, &members, &session)
            session.add(.shown, members)
        case .written(let event, let origin, let owner, let state, let time):
            addWrite(event, origin, by: owner, state, at: time, to: &session)
        case .other(let kind, let fields, let time): add(kind, fields, at: time, to: &session)
        case .skipped(let skipped): addSkipped(skipped, to: &session)
        }
    }

    /// Members that all lines have.
    private func members(at time: Duration) -> [JSONMember] {
        [.init("s", .number(system?.number ?? 0)), .init("t", .number((time - start).nanoseconds))]
    }

    private mutating func add(
        _ kind: RecordedFact.Kind, _ fields: FactFields, at time: Duration, to session: inout SessionLines
    ) {
        var members = members(at: time)
        for (name, value) in fields { session.set(name, to: value, &members) }
        if kind == .ran || kind == .failed, members["error"] != nil { session.hasFailed = true }
        if kind == .drop, let id = members["id"]?.int { _ = takeSend(UInt32(id), &members, session.segment) }
        session.add(kind, members)
        if kind == .released { session.requireKey() }
    }

    // MARK: The system and its states

    private mutating func addSystem(
        _ state: any StateBox, after turn: Int, at time: Duration, to session: inout SessionLines
    ) {
        register(&session)
        var members = members(at: time)
        setState(state, &members, &session)
        for field in system?.fields ?? [] { members.set(field.key, to: field.value) }
        // Not recorded from its first event on.
        if turn > 0 { members.set("after", to: .number(turn)) }
        session.add(.system, members)
    }

    private mutating func register(_ session: inout SessionLines) {
        let key = part.map { session.redaction.masksTexts ? " •" : " \($0)" }
        let (number, name) = session.addSystem(name + (key ?? ""))
        var exact: Set<String> = []
        if !session.redaction.masksTexts {
            if stateType is any Codable.Type { exact.insert("state") }
            if eventType is any Codable.Type { exact.insert("event") }
        }
        system = RecordedSystem(
            number: number, name: name, state: "\(stateType)", event: "\(eventType)", exact: exact)
    }

    /// Adds a state to the members of a line: as a whole, or as the difference from the last one that was written.
    private mutating func setState(
        _ box: any StateBox, _ members: inout [JSONMember], _ session: inout SessionLines
    ) {
        defer { (state, lastTurn) = (box, session.turn) }
        guard session.wantsState || shown == nil && state == nil else {
            shown = nil
            return members.set("c", to: .null)
        }
        let new = session.code(box.anyValue, at: name)
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
        let patch = ValuePatch(from: old, to: new, renaming: true)
        if patch.isEmpty { return }
        let changes = patch.json
        let size = changes.size()
        let isShorter = new.size(upTo: size) <= size
        members.set(isShorter ? "v" : "c", to: isShorter ? new : changes)
    }

    mutating func fullState(_ session: inout SessionLines) -> FullState? {
        guard let system, let full = shown ?? state.map({ session.code($0.anyValue, at: name) }) else {
            return nil
        }
        shown = full
        size = full.json?.size() ?? full.text?.utf8.count ?? 1
        return FullState(system: system, state: full)
    }

    /// Forgets the work that has not ended. Nothing follows.
    func writeEnd(to session: inout SessionLines) { if let system { session.end(system) } }

    private mutating func addSkipped(_ skipped: SkippedFacts, to session: inout SessionLines) {
        session.countTurn(skipped.turns)
        if skipped.isLoss { session.add(.lost, [.init("facts", .number(skipped.facts))]) }
        session.requireKey()
        for case (let work, false) in skipped.work where work.kind == .send {
            pending[UInt32(truncatingIfNeeded: work.number)] = nil
        }
        if let box = skipped.state {
            // The full states that follow say that it exists.
            if system == nil { register(&session) }
            (state, shown) = (box, session.code(box.anyValue, at: name))
        }
        let windowEnd = skipped.windowEnd.map { $0 - start }
        session.skip(skipped.work, windowEnd: windowEnd, of: system?.number ?? 0)
    }

    private mutating func addWrite(
        _ event: any Sendable, _ origin: Origin, by owner: String?, _ state: any StateBox, at time: Duration,
        to session: inout SessionLines
    ) {
        var members = members(at: time)
        session.set("at", to: .place(origin), &members)
        session.set("by", to: .optional(owner), &members)
        members.set("e", to: session.code(event))
        session.countTurn()
        setState(state, &members, &session)
        session.add(.write, members)
    }

    // MARK: Turns

    private mutating func addSend(_ sent: SentEvent, to session: inout SessionLines) {
        let event = session.code(sent.event)
        var members = sending(sent, event, &session)
        members.set("id", to: .number(Int(sent.number)))
        switch sent.sender {
        case .outside, .handle:
            if sent.followsTurn { members.set("follows", to: .bool(true)) }
            if sent.followsReducer { members.set("reduced", to: .bool(true)) }
        case .middleware, .run: break
        }
        pending[sent.number] = PendingSend(at: sent.at, event: event, segment: session.segment)
        session.add(.send, members)
    }

    /// The event of a line about an event that was sent before: with its value, if that is in an earlier segment, so
    /// that a segment can be read alone.
    private mutating func takeSend(
        _ number: UInt32, _ members: inout [JSONMember], _ segment: Int
    ) -> PendingSend? {
        members.set("id", to: .number(Int(number)))
        let send = pending.removeValue(forKey: number)
        if let send, let own = send.segment, own != segment { members.set("e", to: send.event) }
        return send
    }

    /// The members of an event that is sent.
    private func sending(
        _ sent: SentEvent, _ event: CodedValue, _ session: inout SessionLines
    ) -> [JSONMember] {
        var members = members(at: sent.at)
        session.set("at", to: .place(Origin(place: sent.place)), &members)
        members.set("e", to: event)
        switch sent.sender {
        case .outside: break
        case .middleware, .handle: members.set("by", to: .string("\(sent.sender)"))
        case .run(let number): members.set("by", to: .string("run \(number)"))
        }
        if let policy = session.redaction.json(of: sent.policy) { members.set("p", to: policy) }
        return members
    }

    /// The members of a turn that begins: with the event, if it was sent right before.
    private mutating func beginning(
        _ turn: BegunTurn, _ sent: SentEvent?, _ session: inout SessionLines
    ) -> [JSONMember] {
        var members = members(at: turn.at)
        var send = sent.map { PendingSend(at: $0.at, event: session.code($0.event)) }
        if let sent, let event = send?.event {
            members = sending(sent, event, &session)
            members.set("t", to: .number((turn.at - start).nanoseconds))
        } else {
            send = takeSend(turn.sent, &members, session.segment)
        }
        if let send, send.at < turn.at { members.set("w", to: .number((turn.at - send.at).nanoseconds)) }
        // Middleware has replaced it.
        if let new = turn.event.map({ session.code($0.value) }), new != send?.event {
            members.set("as", to: new)
        }
        return members
    }

    private mutating func addBegin(_ turn: BegunTurn, _ sent: SentEvent?, to session: inout SessionLines) {
        var members = beginning(turn, sent, &session)
        members.set("turn", to: .number(turn.number))
        session.countTurn()
        session.add(.begin, members)
    }

    private mutating func addTurn(
        _ turn: BegunTurn?, _ sent: SentEvent?, _ end: TurnEnd, to session: inout SessionLines
    ) {
        var members: [JSONMember]
        if let turn {
            members = beginning(turn, sent, &session)
            members.set("d", to: .number((end.at - turn.at).nanoseconds))
        } else {
            members = sent.map { sending($0, session.code($0.event), &session) } ?? []
        }
        session.countTurn()
        add(end, members, to: &session)
    }

    private mutating func addEnd(_ end: TurnEnd, to session: inout SessionLines) {
        var members = members(at: end.at)
        members.set("turn", to: .number(end.turn))
        if end.outcome == "stopped" {
            _ = takeSend(end.sent, &members, session.segment)
            session.countTurn()
        }
        add(end, members, to: &session)
    }

    private mutating func add(
        _ end: TurnEnd, _ beginning: [JSONMember], to session: inout SessionLines
    ) {
        var members = beginning
        members.set("o", to: .string(end.outcome))
        session.set("error", to: .error(end.error), &members)
        if end.error != nil { session.hasFailed = true }
        if end.isUnhandled { members.set("u", to: .bool(true)) }
        if let state = end.state { setState(state, &members, &session) }
        session.add(.turn, members)
    }
}
