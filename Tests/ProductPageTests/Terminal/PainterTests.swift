import Testing

@testable import ProductPage
@testable import ToolSupport

@Suite struct PainterTests {
    private func paint(_ lines: [Line], over old: [String]? = nil, hasColor: Bool = false) -> String {
        Painter(hasColor: hasColor).paint(lines, over: old?.map { Line($0) }, columns: 10)
    }

    @Test(
        "only the lines that have changed are written, all at once, each cleared behind its end unless it is full",
        arguments: [
            (["one", "2"], ["one", "two"], "\u{1B}[2;1H2\u{1B}[K"), (["one", "two"], ["one", "two"], nil),
            (["", "two"], ["one", "two"], "\u{1B}[1;1H\u{1B}[K"),
            (["one", "two"], nil, "\u{1B}[1;1Hone\u{1B}[K\u{1B}[2;1Htwo\u{1B}[K"),
            (["0123456789"], nil, "\u{1B}[1;1H0123456789"),
        ] as [([String], [String]?, String?)])
    func changes(lines: [String], old: [String]?, expected: String?) {
        let text = paint(lines.map { Line($0) }, over: old)
        #expect(text == (expected.map { "\u{1B}[?2026h" + $0 + "\u{1B}[?2026l" } ?? ""))
    }

    @Test("each ink has a look of its own with colour, and none without")
    func inks() {
        #expect(
            Set(Style.allCases.map { paint([Line("x", $0)], hasColor: true) }).count == Style.allCases.count)
        #expect(Set(Style.allCases.map { paint([Line("x", $0)]) }).count == 1)
    }

    @Test("foreign sequences end at the line, whatever draws them")
    func gate() {
        var screen = TerminalScreen(columns: 10, rows: 1)
        screen.take(paint([Line("a\u{1B}[2Jb").adding("\u{9B}1m\n")]).utf8)
        #expect(screen.strange == [] && screen.lines == ["a\u{FFFD}[2Jb\u{FFFD}1m"])
    }

    @Test("a terminal without a size is of the customary one, and no size is beyond all screens")
    func sizes() {
        #expect(ScreenSize(columns: 0, rows: 0) == ScreenSize(columns: 80, rows: 24))
        #expect(ScreenSize(columns: 65535, rows: 65535) == ScreenSize(columns: 1000, rows: 500))
    }
}
