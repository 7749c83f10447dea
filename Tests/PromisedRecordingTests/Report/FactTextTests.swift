import Testing

@testable import PromisedRecording

/// Values, durations and facts as text.
@Suite struct FactTextTests {
    @Test(
        "what Swift encodes for a case of an enum is shown as its source",
        arguments: [
            (#"{"add":{"_0":"tea","count":2}}"#, #".add("tea", count: 2)"#), (#"{"next":{}}"#, ".next"),
            (#"{"a":{"_0":{"b":{"_0":1}}}}"#, ".a(.b(1))"), (#"{"name":"Tea"}"#, #"{"name":"Tea"}"#),
            (#"{"a":{},"b":{}}"#, #"{"a":{},"b":{}}"#), ("[1,null]", "[1,null]"), (#""text""#, #""text""#),
        ])
    func source(value: String, text: String) throws { #expect(try json(value).swiftText == text) }

    @Test("a long value is cut") func long() throws {
        let text = String(repeating: "x", count: 1_000)
        #expect(JSONValue.object(["add": .object(["_0": .string(text)])]).swiftText == ".add(…)")
        #expect(JSONValue.string(text).swiftText.count == 80)
    }

    @Test(
        "a duration has three digits and a unit",
        arguments: [
            (0, "0 ns"), (999, "999 ns"), (1_000, "1 µs"), (12_345, "12.3 µs"), (123_456_789, "123 ms"),
            (9_876_543_210, "9.88 s"), (3_600_000_000_000, "3600 s"),
        ])
    func durations(nanoseconds: Int, text: String) { #expect(nanoseconds.timeText == text) }

    @Test("every kind of fact has a text or is there for others, with and without its members")
    func kinds() throws {
        for kind in RecordedFact.Kind.allCases {
            var writer = FactWriter()
            let text = writer.write(.init(turn: 1, kind, .object([]), line: 7))
            #expect((text == nil) == (kind == .key || kind == .place), "\(kind)")
        }
    }

    @Test("instants that are negative, fall, or are as large as can be do not matter") func instants() {
        var timeline = Timeline()
        for (turn, time) in [5, -1, 3, Int.max, Int.min].enumerated() {
            let fields: JSONValue = .object([
                "t": .number(time), "d": .number(time), "w": .number(time), "o": "settled",
            ])
            timeline.add(.init(turn: turn + 1, .turn, fields), event: "e")
        }
        #expect(timeline.items.map(\.start) == [5, 5, 5, 5, 5])
        #expect(timeline.items.allSatisfy { $0.duration ?? -1 >= 0 && $0.wait >= 0 })
    }

    @Test("of the work in flight at a full state, runs, calls and async work have lanes, and nothing else")
    func lanes() {
        var timeline = Timeline()
        let work: JSONValue = .array([.object(["s": 1, "id": 1, "run": 1, "turn": 1, "hold": 1])])
        let names = RecordedFact.openKinds.map(\.name) + ["events"]
        let open = names.sorted().map { JSONMember($0, work) }
        timeline.add(.init(turn: 1, .key, .object([JSONMember("open", .object(open))])), event: "")
        #expect(timeline.items.map(\.kind) == [.effect, .call, .work])
    }

    @Test("the instants of an appended session follow those before, and end what was in flight nowhere")
    func sessions() {
        var timeline = Timeline()
        func add(_ turn: Int, _ kind: RecordedFact.Kind, _ fields: KeyValuePairs<String, JSONValue>) {
            timeline.add(.init(turn: turn, kind, .object(fields)), event: "e")
        }
        add(0, .recording, [:])
        add(1, .begin, ["t": 100, "turn": 1])
        add(1, .call, ["t": 200, "id": 1, "name": "find"])
        add(1, .recording, [:])
        add(2, .begin, ["t": 50, "turn": 1])
        add(2, .answer, ["t": 60, "id": 1])
        add(2, .turn, ["t": 70, "turn": 1, "o": "settled"])
        #expect(timeline.items.map(\.kind) == [.event, .call, .event])
        #expect(timeline.items.map(\.start) == [100, 200, 250])
        #expect(timeline.items.map(\.duration) == [nil, nil, 20])
    }

    @Test("an event is that of its sending, or of middleware; a value that is not Codable is a text")
    func references() {
        var writer = FactWriter()
        func text(_ turn: Int, _ kind: RecordedFact.Kind, _ fields: KeyValuePairs<String, JSONValue>)
            -> String?
        {
            writer.write(.init(turn: turn, kind, .object(fields)))?.text
        }
        let go = JSONValue.object(["go": .object([])])
        #expect(
            text(4, .send, ["s": 1, "id": 7, "e": go, "by": "middleware"]) == ".go is sent by middleware")
        #expect(text(5, .begin, ["s": 1, "id": 7, "turn": 2]) == ".go begins")
        #expect(
            text(5, .call, ["s": 1, "id": 1, "name": "find", "inx": "Query()", "by": "turn 2"])
                == "find(Query()) is called by turn 5")
        #expect(text(5, .answer, ["s": 1, "id": 1, "outx": "Hit()"]) == "find answers Hit()")
        #expect(text(6, .turn, ["s": 2, "ex": "Event(1)", "o": "settled"]) == "Event(1)")
        #expect(text(6, .turn, ["s": 1, "turn": 2, "o": "cancelled"]) == ".go of turn 5 ends: cancelled")
        #expect(text(7, .turn, ["s": 1, "e": go, "as": "other", "o": "settled"]) == #""other""#)
        #expect(text(7, .run, ["s": 1, "run": 3, "key": .null]) == "run 3 starts")
        #expect(writer.timeline.items.map(\.name) == [".go", "find", "Event", "\"other\"", "effect"])
        #expect(writer.timeline.items.map(\.turn) == [5, 5, 6, 7, 7])
        #expect(
            text(8, .turn, ["s": 2, "ex": "Event(2)", "o": "settled", "u": .bool(true)])
                == "Event(2): nothing takes it")
    }

    @Test(
        "what is in flight where a recording of the last turns begins can end in it, and is not added twice")
    func openWork() {
        var timeline = Timeline()
        func add(_ turn: Int, _ kind: RecordedFact.Kind, _ fields: KeyValuePairs<String, JSONValue>) {
            timeline.add(.init(turn: turn, kind, .object(fields)), event: "e")
        }
        let call = JSONValue.object(["s": 1, "id": 3, "name": "find", "t": 10])
        let run = JSONValue.object(["s": 1, "run": 3, "key": "search", "t": 20])
        for turn in [800, 900] {
            add(turn, .key, ["open": .object(["calls": .array([call]), "runs": .array([run])])])
        }
        add(901, .answer, ["s": 1, "id": 3, "t": 30])
        #expect(timeline.items.map(\.name) == ["search", "find"])
        #expect(timeline.items.map(\.end) == [nil, 30])
    }
}
