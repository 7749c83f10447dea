/// An action according to a line of a recording, or to a part of it: a turn that was over at once is one line.
enum ReplayStep: Sendable {
    case sent, begins, ends
    /// Anything else; such a line has no other step.
    case other

    /// The members of a line that the step is about; nil for all.
    var keys: [String]? {
        switch self {
        case .sent: Self.keysOfEvents
        case .begins: []
        case .ends: Self.keysOfEnds
        case .other: nil
        }
    }

    private static let keysOfEvents = ["by", "e", "ex", "p"]
    private static let keysOfEnds = ["error", "o", "turn", "u"]
}

/// A line of a recording, with its steps that have not happened yet.
struct ReplayLine: Sendable {
    let fact: RecordedFact
    private(set) var steps: ArraySlice<ReplayStep>
    /// Whether the next step is one that something outside of the system brings about: an event, an answer, or time.
    private(set) var isStimulus: Bool
    /// Whether the replay has done so.
    var isInjected = false

    /// - Parameter isOutside: Whether work has done it that something outside has begun.
    init(_ fact: RecordedFact, isOutside: Bool = false) {
        self.fact = fact
        steps = fact.steps
        isStimulus =
            switch (fact.kind, steps.first) {
            case (.answer, _): fact["cancelled"] == nil
            case (.fire, _): fact["end"]?.string != "event"
            case (.write, _), (.post, _): isOutside || fact["by"] == nil
            case (_, .sent?): fact.isFromOutside
            default: false
            }
    }

    /// - Returns: Whether steps are left.
    mutating func pass() -> Bool {
        steps = steps.dropFirst()
        (isStimulus, isInjected) = (false, false)
        return !steps.isEmpty
    }

    /// When it happened; for an event, when it was sent.
    var time: Duration {
        let wait = steps.first == .sent ? fact["w"]?.int ?? 0 : 0
        return .nanoseconds(max(0, (fact["t"]?.int ?? 0).subtractingReportingOverflow(wait).partialValue))
    }

    private var hasSender: Bool { steps.first == .sent || fact.kind == .write || fact.kind == .post }

    /// Whether a member is of the replay's own making, and so not compared.
    func isGiven(_ key: String) -> Bool {
        switch key {
        case "e", "ex": fact.kind == .drop || isInjected && hasSender
        case "by": isInjected && hasSender
        case "follows": true
        case "error", "interim", "out", "interimx", "outx": fact.kind == .answer
        default: false
        }
    }
}

extension ReplayLine {
    private static let ownMembers = ["at", "c", "j", "s", "t", "v", "window", "x"]

    /// The members that describe the step.
    var keys: [String] {
        (fact.fields.object ?? []).map(\.key).filter { !Self.ownMembers.contains($0) }
    }
}

extension RecordedFact {
    private static let allSteps: ArraySlice<ReplayStep> = [.sent, .begins, .ends]

    fileprivate var steps: ArraySlice<ReplayStep> {
        switch kind {
        case .send: return Self.allSteps[..<1]
        case .begin: return Self.allSteps[(self["id"] == nil ? 0 : 1)..<2]
        case .turn where self["turn"] != nil: return Self.allSteps[2...]
        case .turn:
            let isWhole = self["id"] == nil
            if self["o"] != .string("stopped") { return Self.allSteps[(isWhole ? 0 : 1)...] }
            return isWhole ? [.sent, .ends] : Self.allSteps[2...]
        default: return [.other]
        }
    }

    /// Whether an event was dropped before its turn, by its owner or from outside.
    var isWithdrawal: Bool { kind == .drop && self["why"]?.string == "withdrawn" }

    /// Whether the outside has sent the event, perhaps through a handle.
    fileprivate var isFromOutside: Bool { self["by"] == nil || self["by"]?.string == "handle" }

    /// Whether the outside has acted after a turn that had begun or ended since the loop was idle.
    var followsTurn: Bool { self["follows"] == .bool(true) }
    /// Whether an event was sent in a turn whose reducer had returned.
    var followsReducer: Bool { self["reduced"] == .bool(true) }

    /// Whether a turn had begun or ended since the loop was idle, once this had happened; nil where it does not say.
    var leavesTurn: Bool? {
        switch kind {
        case .begin, .turn: true
        case .send where isFromOutside, .fire where isFlush: followsTurn
        default: nil
        }
    }

    /// Whether delayed events were flushed.
    var isFlush: Bool { kind == .fire && self["end"]?.string == "flush" }

    /// Whether a replay can begin with the full state that the line has of a system.
    func canStart(_ system: Int) -> Bool {
        let windows = self["windows"]?.array ?? []
        return !hasOpenWork(of: system) && !windows.contains { $0.int == system }
    }

    /// Whether work of a system is in flight, or an event waits, at a line with full states.
    func hasOpenWork(of system: Int) -> Bool {
        self["open"]?.object?.contains { $0.value.array?.contains { $0["s"]?.int == system } ?? false }
            ?? false
    }
}

/// Which numbers of a replay are those of its recording: both count from where they began.
struct ReplayNumbers: Sendable {
    enum Category: Sendable {
        case event, turn, run
    }

    private var offsets: [Category: Int] = [:]
    /// The first number of each in the recording.
    private var first: [Category: Int] = [:]
    /// The recorded runs that the replay does not start, in ascending order.
    private var skippedRuns: [Int] = []
    /// The numbers of the open calls and `async` work.
    private var open: [Int: Int] = [:]

    mutating func areSame(_ recorded: JSONValue, _ own: JSONValue, _ category: Category) -> Bool {
        guard let number = recorded.int, let own = own.int else { return false }
        let recorded = counted(number, category)
        let (offset, isOverflow) = own.subtractingReportingOverflow(recorded)
        if let known = offsets[category] { return known == offset }
        (offsets[category], first[category]) = (offset, recorded)
        return !isOverflow
    }

    /// Whether an effect was requested before the replay began.
    func isUnknownRun(_ recorded: Int?) -> Bool {
        recorded.map { counted($0, .run) < first[.run] ?? .max } ?? false
    }

    func own(_ recorded: Int, _ category: Category) -> Int {
        counted(recorded, category) &+ (offsets[category] ?? 0)
    }

    mutating func skip(run: Int) { skippedRuns.append(run) }

    /// A number without those that are skipped.
    private func counted(_ recorded: Int, _ category: Category) -> Int {
        guard case .run = category, !skippedRuns.isEmpty else { return recorded }
        return recorded &- skippedRuns.count { $0 < recorded }
    }

    mutating func open(_ recorded: Int, as own: Int?) { open[recorded] = own }
    func own(open recorded: JSONValue?) -> Int? { recorded?.int.flatMap { open[$0] } }

    /// The owner of work, such as `run 7`, in the replay.
    func owner(_ text: String) -> String {
        let parts = text.split(separator: " ")
        guard parts.count == 2, let number = Int(parts[1]) else { return text }
        return "\(parts[0]) \(own(number, parts[0] == "run" ? .run : .turn))"
    }
}
