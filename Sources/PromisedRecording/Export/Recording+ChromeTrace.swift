extension Recording {
    /// The recording in Chrome's trace format, which Perfetto and other viewers of traces open: a process for each
    /// system, with lanes for its turns, its queue, its effects and its calls.
    ///
    /// ```swift
    /// func export(_ path: String) throws {
    ///     let text = try Recording(contentsOf: path).chromeTrace()
    ///     try text.write(toFile: "trace.json", atomically: true, encoding: .utf8)
    /// }
    /// ```
    ///
    /// Work in flight ends with the recording.
    ///
    /// - Complexity: Reads the whole file.
    /// - Throws: A ``RecordingError`` if the file cannot be read any more.
    public func chromeTrace() throws(RecordingError) -> String {
        var (writer, names) = (FactWriter(hasStates: false), [Int: String]())
        try forEachFact(from: turns.lowerBound, &writer) { fact, _, writer in
            _ = writer.write(fact)
            if fact.kind == .system || fact.kind.beginsSegment {
                names.merge(writer.systems.mapValues(\.name)) { $1 }
            }
        }
        var trace = ChromeTrace(end: writer.timeline.now)
        for (system, name) in names.sorted(by: { $0.key < $1.key }) { trace.add(system, name) }
        let (items, turns) = (writer.timeline.items, writer.timeline.items.filter(\.isTurn))
        for item in items where !item.isTurn { trace.add(item, item.kind == .call ? .calls : .effects) }
        for (turn, next) in zip(turns, turns.dropFirst().map(\.start) + [.max]) {
            trace.add(turn, next: next)
        }
        let program = JSONValue.object(["program": .string(header.program)]).text
        let events = String(decoding: trace.events, as: UTF8.self)
        return "{\"displayTimeUnit\":\"ms\",\"otherData\":\(program),\"traceEvents\":[\n\(events)\n]}\n"
    }
}

/// Events of Chrome's trace format.
private struct ChromeTrace {
    enum Lane: Int, CaseIterable { case turns = 1, queue, calls, effects }

    let end: Int
    /// As text: millions of values would take much memory.
    private(set) var events: [UInt8] = []
    private var count = 0

    init(end: Int) { self.end = end }

    mutating func add(_ system: Int, _ name: String) {
        let names = [(0, "process_name", name)] + Lane.allCases.map { ($0.rawValue, "thread_name", "\($0)") }
        for (lane, kind, name) in names {
            append(
                .object([
                    "ph": .string("M"), "name": .string(kind), "pid": .number(system), "tid": .number(lane),
                    "args": .object(["name": .string(name)]),
                ]))
        }
    }

    /// - Parameter next: The start of the next turn. Only a turn that ends before it can be a slice of a thread, as
    ///   slices of one must nest.
    mutating func add(_ turn: Timeline.Item, next: Int) {
        if turn.wait > 0 { add(turn, .queue, from: turn.start - turn.wait, to: turn.start) }
        guard let duration = turn.duration, duration <= next - turn.start else { return add(turn, .turns) }
        add("X", turn, .turns, at: turn.start, .init("dur", Self.microseconds(duration)))
    }

    /// Adds a slice by its beginning and its end, which may overlap others of its lane.
    mutating func add(_ item: Timeline.Item, _ lane: Lane, from start: Int? = nil, to end: Int? = nil) {
        let id = JSONMember("id", .string("\(count)"))
        add("b", item, lane, at: start ?? item.start, id)
        add("e", item, lane, at: end ?? item.end ?? self.end, id)
    }

    private mutating func add(
        _ phase: String, _ item: Timeline.Item, _ lane: Lane, at time: Int, _ member: JSONMember
    ) {
        let arguments: JSONValue = .object([
            "turn": .number(item.turn), "detail": .string(item.detail), "outcome": .string(item.outcome),
        ])
        var members: [JSONMember] = [member]
        members.set("ph", to: .string(phase))
        members.set("cat", to: .string("\(lane)"))
        members.set("name", to: .string(item.name))
        members.set("pid", to: .number(item.system))
        members.set("tid", to: .number(lane.rawValue))
        members.set("ts", to: Self.microseconds(time))
        members.set("args", to: arguments)
        append(.object(members))
    }

    private static func microseconds(_ nanoseconds: Int) -> JSONValue {
        .number("\(Double(nanoseconds) / 1_000)")
    }

    private mutating func append(_ event: JSONValue) {
        if count > 0 { events += ",\n".utf8 }
        count += 1
        event.write(to: &events)
    }
}
