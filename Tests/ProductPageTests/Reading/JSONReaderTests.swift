import Testing

@testable import ProductPage

@Suite struct JSONReaderTests {
    private func read(_ text: String, controls: Bool = false) throws -> JSON {
        var reader = JSONReader(Array(text.utf8), allowsControlCharacters: controls)
        return try reader.document()
    }

    private func problem(_ text: String) -> String {
        do {
            return "a value: \(try read(text))"
        } catch let failure as JSONReader.Failure {
            return "\(TextPosition(of: failure.offset, in: Array(text.utf8))): \(failure.reason)"
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [
        "0", "-0", "129.90", "19.99", "0.1", "1e400", "1E-7", "-12.50e+3", "12345678901234567890123",
    ])
    func numbersKeepTheirText(literal: String) throws {
        #expect(try read(literal) == .number(literal))
        #expect(try read("[\(literal)]") == .array([.number(literal)]))
    }

    @Test(arguments: ["01", "1.", ".5", "+1", "-", "1e", "1e+", "NaN", "Infinity", "0x10", "--1"])
    func whatIsNoNumberIsRefused(literal: String) {
        #expect(throws: JSONReader.Failure.self) { try read(literal) }
    }

    @Test func everyEscapeIsRead() throws {
        #expect(try read(#""\"\\\/\b\f\n\r\t\u0041\u00e9""#) == .string("\"\\/\u{8}\u{C}\n\r\tAé"))
    }

    @Test func surrogatePairsAreOneCharacterAndHalvesAreReplaced() throws {
        #expect(try read(#""\uD83E\uDE81""#) == .string("🪁"))
        #expect(try read(#""a\uD83Eb""#) == .string("a\u{FFFD}b"))
        #expect(try read(#""a\uDE81b""#) == .string("a\u{FFFD}b"))
        #expect(try read(#""\uD83E\uD83E\uDE81""#) == .string("\u{FFFD}🪁"))
        #expect(try read(#""\uD83E\n""#) == .string("\u{FFFD}\n"))
    }

    @Test func containersNestAndTheLastOfTwoMembersCounts() throws {
        let text =
            " { \"a\" : [ 1 , { } , [ ] , { \"b\" : null } ] ,\r\n \"a2\":true, \"c\" : 1, \"c\" : 2 } "
        #expect(
            try read(text)
                == .object([
                    "a": .array([.number("1"), .object([:]), .array([]), .object(["b": .null])]),
                    "a2": .bool(true), "c": .number("2"),
                ]))
    }

    @Test func errorsSayWhereAndWhat() {
        #expect(problem("{\"a\": 1,\n  \"b\" 2}") == "line 2, column 7: expected ':' but found '2'")
        #expect(problem("[1 2]") == "line 1, column 4: expected ',' or ']' but found '2'")
        #expect(problem("[1,\r\n\r\n]") == "line 3, column 1: expected a value but found ']'")
        #expect(problem("{'a': 1}") == "line 1, column 2: expected a member's name in quotes but found '''")
        #expect(problem("[\"é\", é]") == "line 1, column 7: expected a value but found 'é'")
        #expect(problem("{} x") == "line 1, column 4: expected the end of the text but found 'x'")
        #expect(problem("[\"abc") == "line 1, column 2: a string begins here but does not end")
        #expect(problem("tru") == "line 1, column 1: expected true")
        #expect(problem("") == "line 1, column 1: expected a value but found the end of the text")
        #expect(problem("\u{1B}") == "line 1, column 1: expected a value but found U+001B")
        #expect(problem(#"["\x"]"#) == "line 1, column 3: unknown escape '\\' before 'x'")
    }

    @Test func controlCharactersInStringsAreRefusedUnlessAllowed() throws {
        #expect(
            problem("\"a\nb\"") == "line 1, column 3: a string must not contain U+000A; write it as an escape"
        )
        #expect(try read("\"a\nb\"", controls: true) == .string("a\nb"))
    }

    @Test(arguments: ["[", "{\"a\":", "[{\"a\":"])
    func nestingAHundredThousandDeepIsAnErrorAndNoCrash(opening: String) {
        let text = String(repeating: opening, count: 100_000)
        #expect(problem(text).hasSuffix("nested deeper than 512 levels"))
    }

    @Test func nestingWithinTheBoundIsRead() throws {
        let text = String(repeating: "[", count: 512) + "1" + String(repeating: "]", count: 512)
        #expect("\(try read(text))" == text)
    }

    @Test func theNumberOfValuesIsBounded() throws {
        var reader = JSONReader(Array("[1,2,3]".utf8), valueLimit: 3)
        #expect(throws: JSONReader.Failure.self) { try reader.document() }
        var roomier = JSONReader(Array("[1,2,3]".utf8), valueLimit: 4)
        #expect(throws: Never.self) { try roomier.document() }
        // A member's name takes as much room as a value.
        var members = JSONReader(Array(#"{"a":1}"#.utf8), valueLimit: 2)
        #expect(throws: JSONReader.Failure.self) { try members.document() }
        var roomierMembers = JSONReader(Array(#"{"a":1}"#.utf8), valueLimit: 3)
        #expect(throws: Never.self) { try roomierMembers.document() }
    }

    @Test func everyPrefixOfADocumentIsAnError() {
        // Every kind of value; the closing brackets make every prefix an incomplete one.
        let bytes = Array(
            #"{"a":[1,-2.5e+3,"é\u00e9\uD83E\uDE81\n",{"b":null,"c":[true,false,{}]}],"d":"🪁"}"#.utf8)
        for length in 0..<bytes.count {
            var reader = JSONReader(bytes, in: 0..<length)
            #expect(throws: JSONReader.Failure.self) { try reader.document() }
        }
        var whole = JSONReader(bytes)
        #expect(throws: Never.self) { try whole.document() }
    }

    @Test func writingGivesOneLineWithSortedMembersAndNothingATerminalObeys() throws {
        let value = JSON.object([
            "b": .number("129.90"), "a": .string("x\"\\\n\u{1B}[2J\u{202E}é"),
            "c": .array([.null, .bool(true)]),
        ])
        let text = #"{"a":"x\"\\\n\u001b[2J\u202eé","b":129.90,"c":[null,true]}"#
        #expect("\(value)" == text)
        #expect(try read(text) == value)
    }
}
