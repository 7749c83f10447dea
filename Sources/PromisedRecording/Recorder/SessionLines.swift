internal import Promise
internal import PromisedSystem

/// Makes the lines of a session; used by its writer alone.
struct SessionLines: Sendable {
    /// The lines that were not taken yet.
    private(set) var bytes: [UInt8] = []
    /// How many turns have begun.
    private(set) var turn = 0
    private(set) var systems = 0
    /// How many segments have begun.
    private(set) var segment = 0
    /// Whether full states are due, or as soon as no throttle window is open.
    private var needsKey = false, needsKeyWhenClosed = false
    private var isResuming = false
    /// How much work of the system has run before its next line.
    var works = 0
    /// Whether a transition or an effect has failed since this was set to false.
    var hasFailed = false
    /// How many values were not encoded though their types are `Encodable`.
    private var failures = 0
    /// By the name of a system, how many have been given it, or it and a number.
    private var names: [String: Int] = [:]
    private var places: [Origin] = []
    private var placeNumbers: [UInt64: Int] = [:]
    /// The places that the segment has named.
    private var named: Set<Int> = []
    /// The systems that exist no longer, and those of earlier sessions: of very many, the last ones.
    private var ended: [RecordedSystem]
    static let maximumEnded = 10_000
    private var open: [OpenWork: [JSONMember]] = [:]
    private var windows = OpenWindows()
    /// The last large answer of each endpoint of each system that the segment has, and the number of its call.
    private var answers: [String: (call: Int, value: JSONValue)] = [:]
    private var sinceKey = (turns: 0, bytes: 0)
    /// Whether something was in flight since then.
    private var hasWorked = false
    /// Whether something was in flight at the last full states.
    private var wasBusy = false
    let redaction: Redaction
    private let mode: SessionRecorder.Mode

    /// The turn of the first line.
    let firstTurn: Int

    /// - Parameter earlier: The recording of which this is a further session.
    init(_ mode: SessionRecorder.Mode, _ redaction: Redaction, after earlier: Recording? = nil) {
        // Its beginning counts as a turn: it has another state than the end of the one before.
        let turn = earlier.map { $0.turns.upperBound + 1 } ?? 0
        (self.mode, self.redaction, self.turn, firstTurn) = (mode, redaction, turn, turn)
        ended = earlier?.systems ?? []
    }

    mutating func takeBytes() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    // MARK: Lines

    mutating func add(_ kind: RecordedFact.Kind, _ members: [JSONMember] = []) {
        let size = bytes.count
        var members = kind == .answer ? referring(members) : members
        if works > 0, members["s"] != nil {
            members.set("j", to: .number(works))
            works = 0
        }
        RecordedFact(turn: turn, kind, .object(members)).write(to: &bytes)
        sinceKey.bytes += bytes.count - size
        let system = members["s"]?.int ?? 0
        if !members.isInterim {
            OpenWork.forEachChange(kind, { members[$0]?.int }) { work, begins in
                // Of events, there may be many.
                open[work.of(system)] = begins ? work.kind == .send ? [] : members : nil
            }
        }
        windows.update(kind, members)
        // The end of its async work is not noted.
        if kind == .cancel, let run = members["run"]?.int { endAsync(of: "run \(run)", system) }
        // A system can be run again from where nothing is in flight, which may not be so at the hundredth turn.
        if !open.isEmpty || !windows.areClosed { hasWorked = true }
        needsKeyWhenClosed = open.isEmpty && (wasBusy || hasWorked && sinceKey.turns >= 80)
        if sinceKey.turns >= 100 || sinceKey.bytes >= 4 << 20 { needsKey = true }
    }

    /// The members of an answer, with the number of an earlier call of the endpoint in place of the same large value.
    private mutating func referring(_ members: [JSONMember]) -> [JSONMember] {
        let (system, number) = (members["s"]?.int ?? 0, members["id"]?.int ?? 0)
        guard let value = members["out"], value.size(upTo: 64) > 64,
            let name = open[OpenWork(system: system, kind: .call, number: number)]?["name"]?.string
        else { return members }
        guard let last = answers["\(system) \(name)"], last.value == value else {
            answers["\(system) \(name)"] = (number, value)
            return members
        }
        var members = members.filter { $0.key != "out" }
        members.set("same", to: .number(last.call))
        return members
    }

    /// Counts a turn: that of the next line.
    mutating func countTurn(_ turns: Int = 1) {
        turn += turns
        sinceKey.turns += turns
    }

    /// Adds the line of a pause, or remembers its end.
    mutating func add(marker: RecordedFact.Kind) {
        switch marker {
        case .resume: (needsKey, isResuming) = (true, true)
        // Nothing was recorded since the resumption, so the pause before it continues.
        case .pause where isResuming: (needsKey, isResuming) = (false, false)
        default: add(marker)
        }
    }

    /// Adds the line of the end of a pause, if there is one: with the number of turns after it.
    mutating func addResumption() {
        if isResuming { add(.resume) }
        isResuming = false
    }

    /// Full states are to follow, because the lines before do not determine them.
    mutating func requireKey() { needsKey = true }

    /// Whether full states are to follow before a line of this time; nil if that is not known.
    func needsKey(before time: Duration?) -> Bool {
        needsKey || needsKeyWhenClosed && windows.areClosed(before: time)
    }

    /// Begins a segment, which can be read alone.
    ///
    /// - Parameter time: That of the next line, if it is known.
    mutating func addKey(_ states: [FullState], before time: Duration? = nil) {
        (named, answers) = ([], [:])
        segment += 1
        var (values, texts): ([JSONMember], [JSONMember]) = ([], [])
        for full in states {
            if let value = full.state.json { values.set("\(full.system.number)", to: value) }
            if let text = full.state.text { texts.set("\(full.system.number)", to: .string(text)) }
        }
        var members: [JSONMember] = [
            .init("states", .object(values)),
            .init("systems", .array(states.map { .object($0.system.fields) })),
        ]
        setEnded(limit: 200, &members)
        if !texts.isEmpty { members.set("texts", to: .object(texts)) }
        if !open.isEmpty { members.set("open", to: openWork) }
        let throttling = windows.systems(before: time)
        if !throttling.isEmpty { members.set("windows", to: .array(throttling.map { .number($0) })) }
        add(.key, members)
        for place in open.values.compactMap({ $0["at"]?.int }).sorted() { name(place) }
        (sinceKey, needsKey, needsKeyWhenClosed, hasWorked) = ((0, 0), false, false, false)
        wasBusy = !open.isEmpty || !throttling.isEmpty
    }

    mutating func addEnd(lost: Int) {
        var members: [JSONMember] = [.init("lost", .number(lost)), .init("turns", .number(turn))]
        setEnded(limit: Self.maximumEnded, &members)
        if failures > 0 { members.set("unencoded", to: .number(failures)) }
        add(.end, members)
    }

    // MARK: Open work

    /// Whether full states that are due are those of a moment at which no window is open.
    var areWindowsClosed: Bool { windows.areClosed }

    /// Notes the beginnings and ends while nothing was recorded.
    ///
    /// - Parameter windowEnd: When the windows that were opened then are closed.
    mutating func skip(_ work: [OpenWork: Bool], windowEnd: Duration?, of system: Int) {
        if let windowEnd { windows.open(of: system, until: windowEnd) }
        for (work, begins) in work {
            let members: [JSONMember] = [
                .init("s", .number(system)),
                .init(OpenWork.beginnings[work.kind] ?? "", .number(work.number)),
            ]
            open[work.of(system)] = begins ? work.kind == .send ? [] : members : nil
            if work.kind == .run, !begins { endAsync(of: "run \(work.number)", system) }
        }
    }

    private mutating func endAsync(of owner: String, _ system: Int) {
        for (work, members) in open where work.kind == .async && work.system == system {
            if members["by"]?.string == owner { open[work] = nil }
        }
    }

    mutating func end(_ system: RecordedSystem) {
        open = open.filter { $0.key.system != system.number }
        windows.closeAll(of: system.number)
        ended.append(system)
        if ended.count > 2 * Self.maximumEnded { ended.removeFirst(Self.maximumEnded) }
    }

    /// So that they are known without reading all lines.
    func setEnded(limit: Int, _ members: inout [JSONMember]) {
        if !ended.isEmpty { members.set("ended", to: .array(ended.suffix(limit).map { .object($0.fields) })) }
    }

    /// Of events that wait only the number, as there may be many: a line that needs one of them has it.
    private var openWork: JSONValue {
        var members: [JSONMember] = []
        for (name, kind) in RecordedFact.openKinds {
            let works = open.filter { $0.key.kind == kind }.sorted {
                ($0.key.system, $0.key.number) < ($1.key.system, $1.key.number)
            }
            if !works.isEmpty { members.set(name, to: .array(works.map { .object($0.value) })) }
        }
        let counts = open.keys.reduce(into: [Int: Int]()) {
            if $1.kind == .send { $0[$1.system, default: 0] += 1 }
        }
        let events = counts.sorted { $0.key < $1.key }.map { system, count in
            JSONValue.object(["s": .number(system), "count": .number(count)])
        }
        if !events.isEmpty { members.set("events", to: .array(events)) }
        return .object(members)
    }

    // MARK: Values

    /// Whether the line of the current turn shows the state.
    var wantsState: Bool {
        if case .sampled(let distance) = mode { turn % max(1, distance) == 0 } else { true }
    }
    mutating func code(_ value: Any, at path: String? = nil) -> CodedValue {
        let coded = redaction.code(value, at: path)
        if coded.failure != nil { failures += 1 }
        return coded
    }

    /// Sets a member of a line.
    mutating func set(_ name: String, to value: FactValue, _ members: inout [JSONMember]) {
        switch value {
        case .number(let number): members.set(name, to: .number(number))
        case .text(let text): members.set(name, to: .string(text))
        case .duration(let time): time.map { members.set(name, to: .number($0.nanoseconds)) }
        case .optional(let text): text.map { members.set(name, to: .string($0)) }
        case .flag(let isSet): if isSet { members.set(name, to: .bool(true)) }
        case .key(let key): members.set(name, to: redaction.json(of: key))
        case .keys(let keys): members.set(name, to: .array(keys.map { redaction.json(of: $0) }))
        case .place(let origin): members.set(name, to: .number(number(of: origin)))
        case .value(let value): members.set(name, to: code(value))
        case .error(nil): break
        case .error(let error?): members.set(name, to: .string(redaction.text(of: error)))
        case .failure(let error, let failing):
            var parts: [JSONMember] = [
                .init("text", .string(redaction.text(of: error))),
                .init("type", .string("\(type(of: error))")),
            ]
            let isKept = failing.map { type(of: error) == $0 } ?? false
            if isKept, let value = code(error).json { parts.set("v", to: value) }
            members.set(name, to: .object(parts))
        }
    }

    /// The number of a place, which a line names at its first use.
    private mutating func number(of origin: Origin) -> Int {
        let number = placeNumbers[origin.place] ?? places.count
        if number == places.count {
            places.append(origin)
            placeNumbers[origin.place] = number
        }
        name(number)
        return number
    }

    private mutating func name(_ place: Int) {
        guard named.insert(place).inserted else { return }
        let origin = places[place]
        add(
            .place,
            [
                .init("at", .number(place)), .init("file", .string(origin.file)),
                .init("line", .number(origin.line)),
            ])
    }

    /// The number of a new system, and its name, which no other one has.
    mutating func addSystem(_ name: String) -> (number: Int, name: String) {
        systems += 1
        var (unique, count) = (name, names[name] ?? 0)
        repeat {
            count += 1
            unique = count == 1 ? name : "\(name) \(count)"
        } while count > 1 && names[unique] != nil
        names[unique] = 1
        names[name] = count
        return (systems, unique)
    }
}

extension [JSONMember] {
    /// Adds a value as JSON, or else its text, under the name with an "x".
    mutating func set(_ name: String, to value: CodedValue) {
        if let json = value.json { set(name, to: json) }
        if let text = value.text { set("\(name)x", to: .string(text)) }
    }
}
