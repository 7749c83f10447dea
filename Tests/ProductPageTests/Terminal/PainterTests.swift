import Testing

@testable import ProductPage

@Suite struct PainterTests {
    private let size = ScreenSize(columns: 10, rows: 3)
    private let plain = Painter(hasColor: false)

    private func frame(_ lines: String...) -> Frame { Frame(size: size, lines: lines.map { Line($0) }) }

    @Test("only the lines that have changed are written, all at once, each cleared behind its end")
    func changes() {
        let old = frame("one", "two", "three")
        #expect(
            plain.paint(frame("one", "2", "three"), over: old)
                == "\u{1B}[?2026h\u{1B}[2;1H2\u{1B}[K\u{1B}[?2026l")
        #expect(plain.paint(old, over: old) == "")
        #expect(
            plain.paint(frame("one"), over: old)
                == "\u{1B}[?2026h\u{1B}[2;1H\u{1B}[K\u{1B}[3;1H\u{1B}[K\u{1B}[?2026l")
    }

    @Test("everything is written where nothing is known, or the size is another")
    func anew() {
        let new = frame("one")
        let all = plain.paint(new, over: nil)
        #expect(all.contains("\u{1B}[1;1Hone") && all.contains("\u{1B}[3;1H\u{1B}[K"))
        let wide = Frame(size: ScreenSize(columns: 11, rows: 3), lines: [Line("one")])
        #expect(plain.paint(new, over: wide) == all)
    }

    @Test("a full line is not cleared behind its end, where its last character stands")
    func fullLine() {
        let text = plain.paint(frame("0123456789"), over: frame())
        #expect(text == "\u{1B}[?2026h\u{1B}[1;1H0123456789\u{1B}[?2026l")
    }

    @Test("each ink has a look of its own with colour, and none without", arguments: Ink.allCases)
    func inks(ink: Ink) {
        let frame = Frame(size: size, lines: [Line("x", ink)])
        #expect(!plain.paint(frame, over: nil).contains("m"))
        let colored = Painter(hasColor: true).paint(frame, over: nil)
        #expect(colored.contains("\u{1B}[0m") == (ink != .plain))
        let looks = Set(
            Ink.allCases.map {
                Painter(hasColor: true).paint(Frame(size: size, lines: [Line("x", $0)]), over: nil)
            })
        #expect(looks.count == Ink.allCases.count)
    }

    @Test("a frame holds what fits: lines are cut, and rows too many are left out")
    func frames() {
        let line = Line("鉄瓶 Tetsubin").adding("more", .good)
        #expect(line.width == 17)
        let frame = Frame(size: size, lines: [line, Line("a"), Line("b"), Line("c")])
        #expect(frame.lines.count == 3)
        #expect(frame.lines[0] == Line("鉄瓶 Tets…"))
        #expect(Frame(size: size, lines: []).lines.count == 3)
    }

    @Test("foreign sequences end at the painter, whatever drew them")
    func gate() {
        let text = Painter(hasColor: true).paint(frame("a\u{1B}[2Jb\u{9B}1mc\u{202E}d\ne"), over: nil)
        var screen = TerminalScreen(columns: 10, rows: 3)
        screen.take(text.utf8)
        #expect(screen.strange == [])
        #expect(screen.lines[0] == "a\u{FFFD}[2Jb\u{FFFD}1m…")
    }

    @Test("a terminal without a size is of the customary one, and no size is beyond all screens")
    func sizes() {
        #expect(ScreenSize(columns: 0, rows: 0) == ScreenSize(columns: 80, rows: 24))
        #expect(ScreenSize(columns: 65535, rows: 65535) == ScreenSize(columns: 1000, rows: 500))
    }
}
