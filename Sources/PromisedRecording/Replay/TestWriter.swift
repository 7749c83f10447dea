internal import PromisedSystem

extension Recording {
    /// The source of a test that reproduces the last turns: sends, answers of calls, the time between them, and the
    /// states that followed. It uses Swift Testing and `PromisedTesting`, and is ready to paste.
    ///
    /// ```swift
    /// import PromisedRecording
    ///
    /// func write(_ recording: Recording) throws {
    ///     print(
    ///         try recording.test(
    ///             ofLast: 5, of: "counter", Int.self, Int.self, making: "makeCounter(from: state, on: scheduler)",
    ///             endpoint: { "Shop.live.\($0)" }))
    /// }
    /// ```
    ///
    /// Values are in the test as JSON, which is decoded there. It begins with the latest state, before those turns, at
    /// which nothing was in flight.
    ///
    /// - Parameters:
    ///   - turns: How many turns are reproduced at least.
    ///   - name: The name of the system in the recording.
    ///   - state: The type of the states. The test names it, so it must not be private.
    ///   - event: The type of the events.
    ///   - system: Source that makes the system from `state` on `scheduler`, a `TestScheduler`.
    ///   - endpoint: Returns the source of the endpoint of a name.
    /// - Throws: A ``RecordingError`` if the recording has no such system, if its states or events were recorded as
    ///   text, or if the file cannot be read.
    public func test<State: Codable & Sendable, Event: Codable & Sendable>(
        ofLast turns: Int, of name: String, _ state: State.Type, _ event: Event.Type,
        making system: String = "makeSystem(from: state, on: scheduler)",
        endpoint: (String) -> String = { "client.\($0)" }
    ) throws(RecordingError) -> String {
        _ = try self.system(name, where: \.canBeRunAgain)
        let (last, turns) = (self.turns.upperBound, max(0, turns))
        var (stream, open, facts) = (SystemStream(self, name), SystemWork(), [RecordedFact]())
        var start: (state: JSONValue, turn: Int, time: Int?)?
        // The state after the last line, if no work is in flight there; a window may be open.
        var idle: (state: JSONValue, turn: Int, time: Int?)?
        // Facts are missing behind those that are known.
        var isOver = false
        while let fact = try stream.next() {
            if let place = idle, open.hasNoWindow(at: fact),
                start == nil || isOver || place.turn <= last - turns
            {
                (start, facts, isOver) = (place, [], false)
            }
            let isGap = stream.isGap(fact)
            if isGap { isOver = true }
            // An effect waited at the full states that the start has, which do not list it.
            if open.begins(fact) { (start, isOver) = (nil, true) }
            if !isOver { facts.append(fact) }
            open.update(fact, isGap: isGap, isIdle: stream.canStart(at: fact))
            idle = nil
            if open.isEmpty, case .value(let value) = stream.state {
                idle = (value, fact.turn, fact["t"]?.int)
            }
        }
        if let idle, start == nil || isOver || idle.turn <= last - turns { (start, facts) = (idle, []) }
        guard let start else {
            let reason = "work is in flight there and at all known states, so that no test can begin with one"
            throw .unknownState(turn: last, .init(path: file.path, line: 1, reason: reason))
        }
        var writer = TestWriter<Event>(state: start.state, time: start.time)
        for fact in facts { writer.add(fact) }
        return writer.test(
            of: "\(name), turns \(start.turn + 1) to \(facts.last?.turn ?? start.turn)", in: file.path,
            TestWriter<Event>.source(of: State.self),
            system, endpoint)
    }
}

/// Writes the source of a test.
private struct TestWriter<Event: Codable & Sendable> {
    private let first: JSONValue
    private var recorded: RecordedState
    /// The state that the test has asserted last.
    private var asserted: JSONValue
    /// Nil before the first fact with a time.
    private var time: Int?
    /// How far the clock has to be moved before the next line.
    private var pause = 0
    private var hasErrors = false
    private var lines: [String] = []
    /// The names of the called endpoints, and how often each was called.
    private var calls: [(name: String, count: Int)] = []
    private var open: [Int: (name: String, number: Int)] = [:]

    init(state: JSONValue, time: Int?) {
        (first, recorded, asserted, self.time) = (state, .value(state), state, time)
    }

    // MARK: Steps

    mutating func add(_ fact: RecordedFact) {
        switch ReplayLine(fact).isStimulus {
        case true where fact.kind == .answer: addAnswer(fact)
        case true where fact.kind == .fire: advance(to: fact)
        case true:
            advance(to: fact)
            write("test.send(try decode(\(Self.literal(fact["e"]))))  // \(Self.text(fact["e"]))")
        case false: break
        }
        if fact.kind == .call, let name = fact["name"]?.string, let id = fact["id"]?.int {
            let place = calls.firstIndex { $0.name == name } ?? calls.count
            if place == calls.count { calls.append((name, 0)) }
            calls[place].count += 1
            open[id] = (name, calls[place].count)
        }
        if let number = fact["s"]?.int { recorded.apply(fact, system: number) }
    }

    /// Moves the clock to the time of a fact, after the state before is asserted.
    private mutating func advance(to fact: RecordedFact) {
        assert()
        let before = time ?? ReplayLine(fact).time.nanoseconds
        let duration = max(0, ReplayLine(fact).time.nanoseconds - before)
        (pause, time) = (pause + duration, before + duration)
    }

    private mutating func write(_ line: String) {
        let units = [(1_000_000_000, "seconds"), (1_000_000, "milliseconds"), (1_000, "microseconds")]
        let (size, unit) = units.first { pause % $0.0 == 0 } ?? (1, "nanoseconds")
        if pause > 0 { lines.append("test.advance(by: .\(unit)(\(pause / size)))") }
        pause = 0
        lines.append(line)
    }

    private mutating func addAnswer(_ fact: RecordedFact) {
        guard let id = fact["id"]?.int, let (name, number) = open[id] else { return }
        advance(to: fact)
        let call = "call: .number(\(number))"
        if let value = fact["interim"] {
            write("\(Self.name(name)).report(try decode(\(Self.literal(value))), \(call))")
        } else if let error = fact["error"] {
            hasErrors = true
            let text = Self.literal(error["text"]?.string ?? "")
            write("\(Self.name(name)).reject(RecordedFailure(description: \(text)), \(call))")
        } else {
            write("\(Self.name(name)).fulfill(try decode(\(Self.literal(fact["out"]))), \(call))")
        }
        write("test.advance()")
    }

    private mutating func assert() {
        guard case .value(let value) = recorded, value != asserted else { return }
        for line in ValuePatch(from: asserted, to: value).lines(from: asserted) {
            write("// \(line.escapedForTerminal)")
        }
        write("try test.assert(decode(\(Self.literal(value))))")
        asserted = value
    }

    // MARK: Source

    mutating func test(
        of title: String, in path: String, _ state: String, _ system: String, _ endpoint: (String) -> String
    ) -> String {
        assert()
        let stubs = calls.map { "let \(Self.name($0.name)) = Stub(\(endpoint($0.name)), on: scheduler)" }
        let counts = calls.map { "#expect(\(Self.name($0.name)).calls.count == \($0.count))" }
        let error =
            hasErrors
            ? "private struct RecordedFailure: Error, CustomStringConvertible { let description: String }\n\n"
            : ""
        let body =
            ["let scheduler = TestScheduler()"] + stubs
            + [
                "let state: \(state) = try decode(\(Self.literal(first)))",
                "let test = TestSystem(\(system), on: scheduler, exhaustivity: .off)",
            ] + lines + counts + ["test.finish()"]
        let hasSpecialNumbers = body.contains { line in
            ["\"inf\"", "\"-inf\"", "\"nan\""].contains { line.contains($0) }
        }
        let decoding =
            hasSpecialNumbers
            ? [
                "let decoder = JSONDecoder()",
                "decoder.nonConformingFloatDecodingStrategy = .convertFromString(",
                #"    positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")"#,
                "return try decoder.decode(Value.self, from: Data(json.utf8))",
            ] : ["try JSONDecoder().decode(Value.self, from: Data(json.utf8))"]
        return """
            import Foundation
            import PromisedSystem
            import PromisedTesting
            import Testing

            @Suite(\(Self.literal(title)))
            struct RecordedTurns {
                @Test func areTheSame() throws {
            \(body.map { "        \($0)" }.joined(separator: "\n"))
                }
            }

            \(error)private func decode<Value: Decodable>(_ json: String) throws -> Value {
            \(decoding.map { "    \($0)" }.joined(separator: "\n"))
            }

            extension TestSystem {
                fileprivate func assert(_ state: State) { assert { $0 = state } }
            }

            """
    }

    /// The name of a type, without its module.
    static func source(of type: Any.Type) -> String {
        let name = String(reflecting: type)
        return name.contains("<") ? name : name.split(separator: ".").dropFirst().joined(separator: ".")
    }

    /// A name for a variable.
    private static func name(_ text: String) -> String {
        let letters = text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
        return "stub\(String(letters.prefix(1)).uppercased())\(String(letters.dropFirst()))"
    }

    /// JSON, with escapes for the characters that source cannot have, or that hide its order.
    private static func literal(_ value: JSONValue?) -> String {
        var json = ""
        for scalar in (value?.text ?? "null").unicodeScalars {
            if String(scalar).escapedForTerminal == String(scalar) {
                json.unicodeScalars.append(scalar)
            } else {
                for unit in UTF16.encode(scalar) ?? .init() {
                    let digits = String(unit, radix: 16)
                    json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return literal(json)
    }

    /// A text as a raw literal, in which nothing of the text means anything.
    private static func literal(_ text: String) -> String {
        var marks = "#"
        while text.contains("\"\(marks)") || text.contains("\\\(marks)") { marks += "#" }
        return "\(marks)\"\(text.escapedForTerminal)\"\(marks)"
    }

    private static func text(_ value: JSONValue?) -> String {
        var repairs: [String] = []
        let event = try? value?.decodeAny(Event.self, repairs: &repairs)
        return (event.map { ValueText(event: $0).description } ?? "").escapedForTerminal
    }
}
