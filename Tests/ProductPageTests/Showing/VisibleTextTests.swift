import Testing

@testable import ProductPage
@testable import ToolSupport

@Suite struct VisibleTextTests {
    @Test("commands are seen to have been there, spaces stay spaces, and text is left alone")
    func commands() {
        #expect("a\u{1B}[2Jb\u{9B}c\u{202E}d".visible == "a\u{FFFD}[2Jb\u{FFFD}c\u{FFFD}d")
        #expect("a\r\n\t\u{85}\u{2028}\u{2029}b".visible == "a      b")
        for text in ["Ålesund “lamp”", "鉄瓶 Tetsubin", "عود", "한국어", "e\u{301}\u{323}", ""] {
            #expect(text.visible == text)
        }
    }

    @Test("what has no width goes, wherever it hides")
    func invisible() {
        let hidden =
            "\u{200B}\u{200C}\u{200D}\u{2060}\u{2064}\u{FEFF}\u{AD}\u{34F}\u{115F}\u{3164}\u{FFA0}\u{180E}"
        let more = "\u{FE00}\u{FE0F}\u{206F}\u{E0001}\u{E0061}\u{E007F}\u{E0100}\u{1D173}\u{2800}"
        for scalar in (hidden + more).unicodeScalars {
            #expect("pay\(scalar)pal".visible == "paypal", "\(scalar.value)")
            #expect("\(scalar)".visible == "")
        }
    }

    @Test("emoji stay together, and so do the letters of scripts that need a joiner")
    func joined() {
        let family = "\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467}"
        let heart = "\u{2764}\u{FE0F}\u{200D}\u{1F525}"
        let persian = "\u{645}\u{6CC}\u{200C}\u{62E}\u{648}\u{627}\u{647}\u{645}"
        let sinhala = "\u{DC1}\u{DCA}\u{200D}\u{DBB}\u{DD3}"
        for text in [family, heart, persian, sinhala, "1\u{FE0F}\u{20E3}"] { #expect(text.visible == text) }
        #expect("\u{1F469}\u{200D}\u{200D}x".visible == "\u{1F469}x")
        #expect("a\u{200C}\u{645}".visible == "a\u{645}")
    }

    @Test("marks do not pile up")
    func marks() {
        let pile = "a" + String(repeating: "\u{301}", count: 1000) + "b"
        #expect(pile.visible.unicodeScalars.count == 10)
        #expect("ก็ำ".visible == "ก็ำ")
    }

    @Test("what is invisible between marks lets them pile up no higher")
    func marksApart() {
        for (letter, apart) in [
            ("a", "\u{200B}"), ("a", "\u{34F}"), ("\u{628}", "\u{200D}"), ("\u{628}", "\u{AD}"),
        ] {
            let pile = letter + String(repeating: apart + "\u{64B}", count: 1000)
            #expect(pile.visible.unicodeScalars.filter { $0 == "\u{64B}" }.count == 8)
            #expect(pile.visible.visible == pile.visible)
        }
    }

    @Test("a text is cut by its characters, and by what they are made of")
    func shortened() {
        #expect("abc".shortened(to: 3) == "abc")
        #expect("abcd".shortened(to: 3) == "ab…")
        #expect("éàç".shortened(toScalars: 2) == "é…")
        let pile = "a" + String(repeating: "\u{301}", count: 1_000_000)
        #expect(pile.shortened(to: 5).unicodeScalars.count <= 40)
    }
}
