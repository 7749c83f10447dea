import Testing

@testable import ProductPage
@testable import ToolSupport

@Suite struct DisplayWidthTests {
    @Test(
        "a character takes the columns that terminals give it",
        arguments: [
            ("a", 1), ("é", 1), ("e\u{301}", 1), ("ß", 1), ("鉄", 2), ("ー", 2), ("한", 2), ("ｱ", 1), ("Ａ", 2),
            ("🪁", 2), ("👍🏽", 2), ("👨‍👩‍👧‍👦", 2), ("👩🏽‍🚀", 2), ("🇫🇷", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("❤", 1), ("❤️", 2), ("1️⃣", 2),
            ("☺︎", 1),
            ("⌚", 2), ("⌚︎", 2), ("…", 1), ("⠋", 1), ("✓", 1), ("\u{200B}", 0), ("\u{FEFF}", 0), ("\u{AD}", 0),
            ("ไ", 1), ("ที่", 1), ("नि", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("ع", 1), ("\u{A0}", 1),
            ("　", 2), ("〈", 2), ("𠮷", 2), ("\u{FFFD}", 1), ("\u{301}", 0),
        ] as [(String, Int)])
    func characters(character: String, width: Int) {
        #expect(character.count == 1)
        #expect(DisplayWidth.of(character) == width)
    }

    @Test("a text takes what its characters take")
    func texts() {
        #expect(DisplayWidth.of("") == 0)
        #expect(DisplayWidth.of("鉄瓶 Tetsubin") == 13)
        #expect(DisplayWidth.of("👨‍👩‍👧‍👦🇫🇷 cafe\u{301}") == 9)
    }
}
