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
    /// What has not ended ends with the recording.
    ///
    /// - Complexity: Reads the whole file.
    /// - Throws: A ``RecordingError`` if the file cannot be read any more.
    public func chromeTrace() throws(RecordingError) -> String {
        var (writer, timeline, names) = (FactWriter(), Timeline(), [Int: String]())
        try file.forEachFact(from: 0, limits) { fact in
            _ = writer.write(fact)
            timeline.add(fact, event: writer.event(fact))
            names.merge(writer.systems.mapValues(\.name)) { $1 }
            return true
        }
        var trace = ChromeTrace(end: timeline.now)
        for (system, name) in names.sorted(by: { $0.key < $1.key }) { trace.add(system, name) }
        for (turn, next) in zip(timeline.turns, timeline.turns.dropFirst().map(\.start) + [.max]) {
            trace.add(turn, next: next)
        }
        for span in timeline.spans { trace.add(span) }
        return JSONValue.object([
            "displayTimeUnit": .string("ms"), "otherData": .object(["program": .string(header.program)]),
            "traceEvents": .array(trace.events),
        ])
        .text
    }
}

/// Events of Chrome's trace format.
private struct ChromeTrace {
    private enum Lane: Int, CaseIterable { case turns = 1, queue, calls, effects }

    let end: Int
    private(set) var events: [JSONValue] = []
    private var spans = 0

    init(end: Int) { self.end = end }

    mutating func add(_ system: Int, _ name: String) {
        let names = [(0, "process_name", name)] + Lane.allCases.map { ($0.rawValue, "thread_name", "\($0)") }
        for (lane, kind, name) in names {
            events.append(
                .object([
                    "ph": .string("M"), "name": .string(kind), "pid": .number(system), "tid": .number(lane),
                    "args": .object(["name": .string(name)]),
                ]))
        }
    }

    /// - Parameter next: The start of the next turn. Only what ends before it can be a slice of a thread, as slices of
    ///   one must nest.
    mutating func add(_ turn: Timeline.Turn, next: Int) {
        let arguments: JSONValue = .object([
            "turn": .number(turn.number), "event": .string(turn.event), "outcome": .string(turn.outcome),
        ])
        if turn.wait > 0 {
            addSpan(turn.name, turn.system, .queue, turn.start - turn.wait, turn.start, arguments)
        }
        guard let duration = turn.duration, turn.start + duration <= next else {
            return addSpan(
                turn.name, turn.system, .turns, turn.start, turn.duration.map { turn.start + $0 }, arguments)
        }
        let slice = event("X", turn.name, turn.system, .turns, turn.start, arguments)
        events.append(
            .object(
                (slice + [.init("dur", Self.microseconds(duration))]).reduce(into: []) {
                    $0.set($1.key, to: $1.value)
                }))
    }

    mutating func add(_ span: Timeline.Span) {
        addSpan(
            span.name, span.system, span.kind == .call ? .calls : .effects, span.start, span.end,
            .object(["detail": .string(span.detail), "outcome": .string(span.outcome)]))
    }

    private mutating func addSpan(
        _ name: String, _ system: Int, _ lane: Lane, _ start: Int, _ end: Int?, _ arguments: JSONValue
    ) {
        spans += 1
        for (phase, time) in [("b", start), ("e", end ?? self.end)] {
            let members =
                event(phase, name, system, lane, time, arguments) + [.init("id", .string("\(spans)"))]
            events.append(.object(members.reduce(into: []) { $0.set($1.key, to: $1.value) }))
        }
    }

    private func event(
        _ phase: String, _ name: String, _ system: Int, _ lane: Lane, _ time: Int, _ arguments: JSONValue
    ) -> [JSONMember] {
        [
            .init("ph", .string(phase)), .init("cat", .string("\(lane)")), .init("name", .string(name)),
            .init("pid", .number(system)), .init("tid", .number(lane.rawValue)),
            .init("ts", Self.microseconds(time)),
            .init("args", arguments),
        ]
    }

    private static func microseconds(_ nanoseconds: Int) -> JSONValue {
        .number("\(Double(nanoseconds) / 1_000)")
    }
}
