import TestSupport
import Testing

@testable import PromisedRecording

@Suite("JSON texts") struct JSONReaderTests {
    @Test("a value that is written is read as the same value, whatever its texts and keys are")
    func roundTrip() throws {
        var generator = SeededGenerator(seed: firstSeed())
        for _ in 0..<rounds(500, stress: 20_000) {
            let value = JSONValue.random(depth: 4, using: &generator)
            #expect(try json(value.text) == value)
            #expect(!value.text.contains { $0 == "\n" })
        }
    }

    @Test(
        "texts of every kind are read",
        arguments: [
            (#"[]"#, JSONValue.array([])), (#" { } "#, .object([])), (#"true"#, .bool(true)),
            (#"null"#, .null),
            (#"-0"#, .number("-0")), (#"9223372036854775808"#, .number("9223372036854775808")),
            (#"0.1e-400"#, .number("0.1e-400")), (#""\u0000\n\/\"\\""#, .string("\0\n/\"\\")),
            (#""\ud83d\uDE00""#, .string("😀")),
            (#"{"b":1,"a":2}"#, .object(["a": .number(2), "b": .number(1)])),
            (#"[1,[2,[]],"x"]"#, .array([.number(1), .array([.number(2), .array([])]), .string("x")])),
            (#"{"":null}"#, .object(["": .null])),
        ]) func reading(text: String, value: JSONValue) throws
    {
        #expect(try json(text) == value)
    }

    @Test(
        "what is no JSON is refused with the reason and the byte",
        arguments: [
            ("", "a value is expected", 0), ("[", "a value is expected", 1),
            ("[1", "',' or ']' is expected", 2),
            ("[1,]", "a value is expected", 3), (#"{"a"}"#, "':' is expected", 4),
            (#"{1:2}"#, "a text is expected", 1),
            (#"{"a":1,}"#, "a text is expected", 7), ("01", "a value is expected", 2),
            ("1.", "a value is expected", 2),
            ("1e+", "a value is expected", 3), ("-", "a value is expected", 1),
            ("+1", "a value is expected", 0),
            ("nul", "a value is expected", 0), ("1 2", "text follows the value", 2),
            (#""\x""#, "an escape is unknown", 3),
            (#""\u12"#, "an escape has no four digits", 5),
            (#""\u+123""#, "an escape has no four digits", 3),
            (#""\ud83d""#, "a surrogate is alone", 7), (#""\ud83dx""#, "a surrogate is alone", 7),
            (#""\ude00""#, "a surrogate is alone", 7), (#""\ud83d\u0041""#, "a surrogate is alone", 13),
            (#""a"#, "a text has no end, or holds a control character", 2),
            (#""\"#, "an escape is unknown", 2),
            ("\"\n\"", "a text has no end, or holds a control character", 1),
            ("\0", "a value is expected", 0),
            (#"{"a":1,"b":2,"a":3}"#, "an object has a key twice", 19), ("[1}", "',' or ']' is expected", 2),
        ]) func refusal(text: String, reason: String, offset: Int) throws
    {
        let problem = #expect(throws: JSONProblem.self) { try json(text) }
        #expect(problem == JSONProblem(reason: reason, offset: offset))
    }

    @Test(
        "invalid UTF-8 is refused, in texts with and without escapes and outside of texts",
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0x5C, 0x6E, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0xEF, 0xBB, 0xBF, 0x31],
            [0x22, 0xC0, 0x80, 0x22], [0x5B, 0xFF],
        ] as [[UInt8]]) func invalidUTF8(bytes: [UInt8])
    {
        #expect(throws: JSONProblem.self) { try json(bytes) }
    }

    @Test("keys that are equal to Swift, but of other bytes, are different keys")
    func canonicallyEquivalentKeys() throws {
        let value = try json("{\"e\u{301}\":1,\"é\":2}")
        #expect(value["e\u{301}"] == .number(1) && value["é"] == .number(2))
        #expect(JSONValue.string("e\u{301}") != .string("é"))
    }

    @Test("depth, the length of a number, and the number of values are limited")
    func limits() throws {
        let nested = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
        #expect(try json(nested(256)).depth == 256)
        #expect(throws: JSONProblem(reason: "more than 256 values are nested", offset: 256)) {
            try json(nested(257))
        }
        #expect(throws: JSONProblem.self) { try json(String(repeating: "{\"a\":[", count: 100_000)) }
        #expect(try json(String(repeating: "7", count: 400)) == .number(String(repeating: "7", count: 400)))
        #expect(throws: JSONProblem.self) { try json(String(repeating: "7", count: 1_000_000)) }
        #expect(try json("[1,2,3]", values: 4).array?.count == 3)
        #expect(throws: JSONProblem(reason: "there are more than 3 values", offset: 5)) {
            try json("[1,2,3]", values: 3)
        }
    }

    @Test("every prefix of a text, and every text with one byte changed, is read or refused")
    func damage() throws {
        let text = #"{"a":[1,-2.5e3,{"é":"\u00e9\n"}],"b":{"c":null,"d":[true,false,[]]},"e":"\ud83d\ude00"}"#
        let bytes = Array(text.utf8)
        for end in bytes.indices { #expect(throws: JSONProblem.self) { try json(Array(bytes[..<end])) } }
        for index in bytes.indices {
            for byte in UInt8.min ... .max {
                var changed = bytes
                changed[index] = byte
                guard let value = try? json(changed) else { continue }
                #expect(try json(value.text) == value)
            }
        }
    }
}
