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
}
