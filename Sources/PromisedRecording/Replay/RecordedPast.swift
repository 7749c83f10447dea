internal import Promise
package import PromisedSystem

/// How a recorded system came to a turn: what the outside did until then, for a program that is to come there again.
package struct RecordedPast: Sendable {
    /// An action of the outside.
    package enum Stimulus: Sendable {
        /// An event was sent.
        case event(JSONValue, EventPolicy?)
        /// The call with this index in ``calls`` got its next answer.
        case answer(Int)
        /// A timer fired.
        case timer
        /// The delayed events of these keys were processed before their time.
        case flush([EffectKey])
    }

    package struct PastStep: Sendable {
        package let stimulus: Stimulus
        /// The time since the start.
        package let time: Duration
    }

    package struct PastCall: Sendable {
        package let name: String
        package let input: CodedValue
        /// The number of steps before the call; nil if it began after the turn.
        package let step: Int?
        package fileprivate(set) var answers: [RecordedFact] = []
    }

    /// A state that was shown, and the turn in which.
    package struct PastState: Sendable {
        package let turn: Int
        /// Nil if it is not known.
        package let value: JSONValue?
    }

    package let path: String
    package let turn: Int
    /// The state with which the steps begin.
    package let start: JSONValue
    package private(set) var steps: [PastStep] = []
    /// All recorded calls, also those after the turn, up to a gap.
    package private(set) var calls: [PastCall] = []
    /// The states that were shown up to the turn, and a few more: work that was due may have been late.
    package private(set) var states: [PastState] = []
    /// The number of those that were shown up to the turn.
    package private(set) var stateCount = 0
    /// The events that were sent after the turn, each once.
    package private(set) var laterEvents: [JSONValue] = []

    private let startTime: Duration
    private var isOver = false
    /// By the number of a call in the recording, its index.
    private var callIndices: [Int: Int] = [:]
    private var knownEvents: Set<JSONValue> = []

    /// How many steps may lead to a turn: an exploration takes them for each path.
    private static let limit = 10_000

    /// - Parameter name: The name of the system in the recording.
    package init(_ recording: Recording, of name: String, turn: Int) throws(RecordingError) {
        let path = recording.file.path
        _ = try recording.system(name, where: \.canBeRunAgain)
        guard recording.turns.contains(turn) else {
            throw .unknownTurn(path: path, turn: turn, turns: recording.turns)
        }
        func fail(_ reason: String) -> RecordingError { .notReached(path: path, turn: turn, reason: reason) }
        var (stream, number, past) = (FactStream(recording), -1, Self?.none)
        var (state, last) = (RecordedState.unknown(line: 0, reason: ""), 0)
        while let fact = try stream.next() {
            defer { last = fact.turn }
            if fact.kind == .recording { number = -1 }
            let own = fact.number(of: name)
            if own == nil, past != nil, fact.isGap(of: number) || fact.kind == .key {
                if last >= turn { break }
                past = nil
            }
            number = own ?? number
            if past != nil, fact["s"]?.int == number { try past?.note(fact, fail) }
            state.apply(fact, system: number)
            if past == nil, let own, fact.turn <= turn,
                let value = fact["v"] ?? (fact.canStart(own) ? fact["states"]?["\(own)"] : nil)
            {
                past = Self(path: path, turn: turn, start: value, startTime: ReplayLine(fact).time)
            } else if fact["s"]?.int == number {
                past?.note(state, after: fact)
            }
        }
        guard let past else { throw fail("facts before it are missing in the recording") }
        self = past
    }

    private init(path: String, turn: Int, start: JSONValue, startTime: Duration) {
        (self.path, self.turn, self.start, self.startTime) = (path, turn, start, startTime)
    }

    private mutating func note(
        _ fact: RecordedFact, _ fail: (String) -> RecordingError
    ) throws(RecordingError) {
        let line = ReplayLine(fact)
        // A line that counts a turn is that of the turn.
        if line.isStimulus, fact.turn - (fact.kind.countsTurn ? 1 : 0) >= turn { isOver = true }
        let call = fact["id"]?.int
        switch fact.kind {
        case .call:
            callIndices[call ?? 0] = calls.count
            calls.append(
                PastCall(
                    name: fact["name"]?.string ?? "", input: fact.coded("in"),
                    step: isOver ? nil : steps.count))
        case .answer:
            guard line.isStimulus, let index = callIndices[call ?? 0] else { break }
            calls[index].answers.append(fact)
            add(.answer(index), line)
        case .fire where line.isStimulus:
            let keys = fact["delay"]?.array?.map { EffectKey(json: $0) } ?? []
            add(fact["end"]?.string == "flush" ? .flush(keys) : .timer, line)
        default:
            guard line.isStimulus else { break }
            guard let event = fact["e"] else {
                throw fail("event '\(fact["ex"]?.string ?? "")' is known as text only")
            }
            if isOver, knownEvents.insert(event).inserted { laterEvents.append(event) }
            add(.event(event, fact["p"].flatMap { EventPolicy(json: $0) }), line)
        }
        if steps.count > Self.limit {
            throw fail("more than \(Self.limit) events, answers and timers lead to it. Take an earlier turn")
        }
    }

    private mutating func add(_ stimulus: Stimulus, _ line: ReplayLine) {
        if !isOver { steps.append(PastStep(stimulus: stimulus, time: line.time - startTime)) }
    }

    private mutating func note(_ state: RecordedState, after fact: RecordedFact) {
        guard fact["v"] ?? fact["c"] ?? fact["x"] != nil, states.count < stateCount + 20 else { return }
        var value: JSONValue?
        if case .value(let known) = state { value = known }
        states.append(PastState(turn: fact.turn, value: value))
        if !isOver { stateCount = states.count }
    }
}

extension RecordedFact {
    /// A value that is known as JSON or as text.
    fileprivate func coded(_ key: String) -> CodedValue {
        var coded = CodedValue(json: self[key] ?? .null)
        if let text = self["\(key)x"]?.string { (coded.json, coded.text) = (nil, text) }
        return coded
    }
}
