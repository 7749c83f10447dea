internal import Promise
internal import PromisedSystem

/// Compares the steps of a system with the lines of its recording, one after the other.
struct ReplayComparison: Sendable {
    var stream: FactStream
    /// The line whose steps follow; nil at the end, or where facts are missing.
    var line: ReplayLine?
    var result: RunResult
    private(set) var problem: RecordingError?
    /// How many steps have agreed.
    private(set) var progress = 0
    /// How much work has run since the line before.
    var works = 0
    /// Where the part began that runs, and whether the first thing that happened in it was an effect of today.
    var part = Part()
    /// The latest time of one.
    private var time = Duration.zero
    /// Whether a turn is running, and not in flight.
    var isInTurn: Bool { runningTurn != nil }
    var values: ValueAgreement
    var numbers = ReplayNumbers()
    var outside = OutsideWork()

    private let stateType: Any.Type
    let eventType: any (Decodable & Sendable).Type
    /// The number of the system in the session; -1 if it is not known.
    var recorded = -1
    var state = RecordedState.unknown(line: 0, reason: "")
    /// A fact that ended the last part that could be run.
    var border: RecordedFact?
    /// The state that the system is to begin with.
    var first: JSONValue?
    private var coder = SessionLines(.all, Redaction())
    var committed: (any StateBox)?
    /// The last state that was shown.
    var shown: (any StateBox)?
    var runningTurn: Int?
    /// Whether an event has arrived that replaces the turn in flight.
    private(set) var isReplacing = false
    /// Whether a turn has begun or ended since the loop was idle, in the recording.
    private(set) var followsTurn = false
    /// The last event of which a turn has begun.
    var event: (any Sendable)?
    /// The events that were sent and have not begun, by number.
    var pending: [Int: JSONValue] = [:]
    /// The turns of the recording that are in flight, by number.
    var turns: [Int: Int] = [:]

    init(
        _ recording: Recording, _ name: String, _ tolerance: Tolerance, state: Any.Type,
        event: any (Decodable & Sendable).Type
    ) {
        stream = FactStream(recording)
        result = RunResult(path: recording.file.path, system: name)
        values = ValueAgreement(tolerance, RecordedProperties(recording: recording, system: name))
        (stateType, eventType) = (state, event)
    }

    /// Whether the next step happened before one that has agreed already.
    var isLate: Bool { line.map { $0.time < time } ?? false }

    /// The next step has happened.
    private mutating func pass() {
        progress += 1
        time = max(time, line?.time ?? time)
        followsTurn = line?.fact.leavesTurn ?? followsTurn
        if line?.pass() ?? true { return }
        do throws(RecordingError) { try advance() } catch { (problem, line) = (error, nil) }
    }

    // MARK: Facts of the loop

    /// Whether a system was made since the start.
    var isAttached: Bool { first == nil }

    mutating func begin(with box: any StateBox) {
        guard let recorded = first.take(), let own = CodedValue(box.anyValue).json else { return }
        if values.agree(recorded, own, as: stateType, isState: true) { return }
        let lines = ValuePatch(from: recorded, to: own).lines(from: recorded)
        differ("the system begins with its first state", "with another one", lines)
    }

    mutating func observe(_ sent: SentEvent) {
        var members: [JSONMember] = []
        switch sent.sender {
        case .outside, .handle: break
        case .middleware: members.append(.init("by", .string("middleware")))
        case .run(let number): members.append(.init("by", .string("run \(number)")))
        }
        if line?.isInjected != true { members.set("e", to: coder.code(sent.event)) }
        if let policy = coder.redaction.json(of: sent.policy) { members.append(.init("p", policy)) }
        if case .replace = sent.policy { isReplacing = true }
        guard meets(.sent, .send, members), let fact = line?.fact else { return }
        if fact.kind != .send {
            event = sent.event
        } else if let id = fact["id"]?.int {
            pending[id] = fact["e"]
            _ = numbers.areSame(.number(id), .number(Int(sent.number)), .event)
        }
        pass()
    }

    mutating func enterMiddleware() { runningTurn = 0 }

    mutating func begin(_ turn: Int, _ event: (any Sendable)?) {
        // Before it, middleware was called.
        let hasMiddleware = runningTurn == 0
        (runningTurn, isReplacing) = (turn, false)
        guard meets(.begins, .begin, []), let fact = line?.fact else { return }
        self.event = event
        let waiting = fact["id"]?.int.flatMap { pending.removeValue(forKey: $0) }
        let sent = fact["e"] ?? waiting
        if hasMiddleware || fact["as"] != nil, let recorded = fact["as"] ?? sent, let event {
            let own = CodedValue(event).json ?? .null
            guard values.agree(recorded, own, as: eventType) else {
                return differ(
                    "the turn of \(text(ofEvent: recorded)) begins",
                    "the turn of \(text(ofEvent: own)) begins")
            }
        }
        if fact.kind == .begin, let number = fact["turn"] {
            _ = numbers.areSame(number, .number(turn), .turn)
            number.int.map { turns[$0] = fact.turn }
        }
        pass()
    }

    mutating func pend(_ turn: Int) { if turn == runningTurn { runningTurn = nil } }
    mutating func commit(_ state: any StateBox) { committed = state }

    mutating func show(_ box: any StateBox, isReverted: Bool) {
        if meets(.other, .shown, isReverted ? [.init("r", .bool(true))] : []), agrees(box) { pass() }
    }

    mutating func end(_ turn: Int, _ outcome: String, _ error: (any Error)?, isUnhandled: Bool) {
        // An event that middleware has stopped began no turn.
        if turn == runningTurn || runningTurn == 0 { runningTurn = nil }
        var members: [JSONMember] = []
        if let error { members.append(.init("error", .string(coder.redaction.text(of: error)))) }
        members.append(.init("o", .string(outcome)))
        if line?.fact["turn"] != nil { members.append(.init("turn", .number(turn))) }
        if isUnhandled { members.append(.init("u", .bool(true))) }
        guard meets(.ends, .turn, members) else { return }
        if let committed = committed.take(), !agrees(committed) { return }
        if let number = line?.fact["turn"]?.int { turns[number] = nil }
        result.turns += 1
        pass()
    }

    mutating func observe(_ kind: RecordedFact.Kind, _ fields: FactFields) {
        var (members, input): ([JSONMember], (any Sendable)?) = ([], nil)
        for (name, value) in fields where name != "at" && name != "window" {
            coder.set(name, to: value, &members)
            if case .value(let value) = value { input = value }
        }
        guard meets(.other, kind, members, as: input.map { type(of: $0) }), let fact = line?.fact else {
            return
        }
        if let id = fact["id"]?.int {
            switch kind {
            case .call, .async: numbers.open(id, as: members["id"]?.int)
            case .answer, .asyncEnd: if !fact.isInterim { numbers.open(id, as: nil) }
            case .drop: pending[id] = nil
            default: break
            }
        }
        pass()
    }

    // MARK: Comparing

    /// Whether something that has happened is the next step of the recording; if not, that is the difference.
    private mutating func meets(
        _ step: ReplayStep, _ kind: RecordedFact.Kind, _ members: [JSONMember], as type: Any.Type? = nil
    ) -> Bool {
        guard let line, result.difference == nil else { return false }
        guard step == line.steps.first, step != .other || kind == line.fact.kind,
            !line.isStimulus || line.isInjected
        else {
            if progress == part.progress { part.beginsWithEffect = kind == .run || kind == .wait }
            differ(nextText ?? "", text(step, kind, members))
            return false
        }
        let keys = step.keys ?? Set(members.map(\.key) + line.keys).sorted()
        for key in keys where !line.isGiven(key) {
            let (recorded, own) = (line.fact[key], members[key])
            if recorded == nil, own == nil { continue }
            if let recorded, let own, agrees(key, recorded, own, type ?? eventType) { continue }
            let texts = (nextText ?? "", text(step, kind, members))
            // Where the texts are the same, the difference is in a member that they leave out.
            func detail(_ value: JSONValue?) -> String {
                texts.0 == texts.1 ? " (\(key): \(value?.shortText ?? "none"))" : ""
            }
            differ(texts.0 + detail(recorded), texts.1 + detail(own))
            return false
        }
        return true
    }

    private mutating func agrees(_ key: String, _ recorded: JSONValue, _ own: JSONValue, _ type: Any.Type)
        -> Bool
    {
        switch (key, line?.fact.kind) {
        case ("id", .call), ("id", .async): true
        case ("id", .answer), ("id", .asyncEnd): numbers.own(open: recorded) == own.int
        case ("id", _): numbers.areSame(recorded, own, .event)
        case ("run", _), ("request", _): numbers.areSame(recorded, own, .run)
        case ("turn", _), ("limit", _): numbers.areSame(recorded, own, .turn)
        case ("by", _): recorded.string.map { numbers.owner($0) } == own.string
        case ("e", _), ("in", _): values.agree(recorded, own, as: type)
        default: recorded == own
        }
    }

    /// Whether a shown state is the recorded one; if not, that is the difference.
    mutating func agrees(_ box: any StateBox) -> Bool {
        shown = box
        guard case .value(let recorded) = state else { return true }
        let coded = CodedValue(box.anyValue)
        let own = coded.json ?? .string(coded.failure ?? "")
        if values.agree(recorded, own, as: stateType, isState: true) { return true }
        differ(recorded.shortText, own.shortText, ValuePatch(from: recorded, to: own).lines(from: recorded))
        return false
    }

    /// The state after the next line; nil if it is not known.
    var recordedState: JSONValue? { if case .value(let value) = state { value } else { nil } }

    mutating func observe(write event: any Sendable, by owner: String?, _ box: any StateBox) {
        var members: [JSONMember] = []
        coder.set("by", to: .optional(owner), &members)
        if line?.isInjected != true { members.set("e", to: coder.code(event)) }
        guard meets(.other, .write, members), agrees(box) else { return }
        result.turns += 1
        pass()
    }

    mutating func finish() -> RunResult {
        result.notes = values.notes
        return result
    }
}
