import Testing

@testable import ProductPage
@testable import ToolSupport

@Suite struct WrappingTests {
    @Test(
        "lines break at spaces, between wide characters, and inside a word only where they must",
        arguments: [
            ("", 10, []), ("   ", 10, []), ("one two three", 7, ["one two", "three"]),
            ("one two", 3, ["one", "two"]), ("one  two", 8, ["one  two"]), ("  one", 8, ["one"]),
            ("abcdefgh", 3, ["abc", "def", "gh"]), ("ab cdefgh", 4, ["ab", "cdef", "gh"]),
            ("鉄瓶鉄瓶", 5, ["鉄瓶", "鉄瓶"]), ("茶、茶。茶", 6, ["茶、", "茶。茶"]), ("tea鉄瓶", 5, ["tea鉄", "瓶"]),
            ("a\u{A0}b c", 3, ["a\u{A0}b", "c"]), ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 3, ["👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"]),
            ("cafe\u{301}s", 4, ["cafe\u{301}", "s"]),
            ("鉄", 1, ["鉄"]),
        ] as [(String, Int, [String])])
    func wrapping(text: String, columns: Int, expected: [String]) {
        #expect(text.wrapped(to: columns) == expected)
    }

    @Test("no line is too long and no character is lost, whatever the text and the width")
    func property() {
        let pieces = [
            "a", "word", " ", "  ", "鉄", "。", "👨‍👩‍👧‍👦", "e\u{301}", "\u{200B}", "🇫🇷", "-", "\u{A0}", "longerword",
        ]
        let texts = pieces.flatMap { first in
            pieces.flatMap { second in pieces.map { third in [first, second, third, second].joined() } }
        }
        for text in texts {
            for columns in 2...7 {
                let lines = text.wrapped(to: columns)
                #expect(lines.allSatisfy { DisplayWidth.of($0) <= columns }, "\(text) \(columns)")
                #expect(
                    lines.joined().filter { $0 != " " } == text.filter { $0 != " " }, "\(text) \(columns)")
            }
        }
    }
}
