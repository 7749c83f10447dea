import Testing

@testable import ProductPage

@Suite struct KeyDecoderTests {
    @Test(
        "the bytes of a key, whole and cut at every place",
        arguments: [
            ("a", [.character("a")]), ("é", [.character("é")]), ("鉄", [.character("鉄")]),
            ("🪁", [.character("🪁")]), ("\u{1B}[A", [.up]), ("\u{1B}[B", [.down]), ("\u{1B}[C", [.right]),
            ("\u{1B}[D", [.left]), ("\u{1B}OA", [.up]), ("\u{1B}OH", [.home]), ("\u{1B}[H", [.home]),
            ("\u{1B}[1~", [.home]), ("\u{1B}[7~", [.home]), ("\u{1B}[F", [.end]), ("\u{1B}[4~", [.end]),
            ("\u{1B}[8~", [.end]), ("\u{1B}[3~", [.delete]), ("\u{1B}[5~", [.pageUp]),
            ("\u{1B}[6~", [.pageDown]), ("\u{1B}[1;5C", [.right]), ("\u{1B}[3;2~", [.delete]),
            ("\u{1B}[15~", []), ("\u{1B}[I", []), ("\u{1B}[?62;4c", []), ("\r", [.enter]), ("\n", [.enter]),
            ("\t", [.tab]), ("\u{7F}", [.backspace]), ("\u{8}", [.backspace]), ("\u{4}", [.control("d")]),
            ("\u{C}", [.control("l")]), ("\u{0}", []), ("\u{1B}q", []), ("\u{1B}aq", [.character("q")]),
            ("\u{1B}é", []), ("\u{1B}\r", []),
            ("\u{1B}\u{1B}[A", [.escape, .up]), ("\u{1B}]11;rgb:0/0/0\u{7}q", [.character("q")]),
            ("\u{1B}]11;rgb:0/0/0\u{1B}\\q", [.character("q")]), ("\u{1B}P1$r0m\u{1B}\\q", [.character("q")]),
            ("\u{1B}[200~qa\u{1B}[A\u{3}\r\u{1B}[201~n", [.character("n")]),
            ("ab", [.character("a"), .character("b")]),
            ("\u{1B}[\u{1B}[A", [.up]),
        ] as [(String, [Key])])
    func keys(text: String, expected: [Key]) {
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            var decoder = KeyDecoder()
            let keys = decoder.decode(bytes[..<cut]) + decoder.decode(bytes[cut...])
            #expect(keys == expected, "cut at \(cut)")
            #expect(!decoder.isWaiting)
        }
        var decoder = KeyDecoder()
        #expect(bytes.flatMap { decoder.decode([$0]) } == expected)
    }

    @Test("Esc alone is known by what does not follow")
    func escape() {
        var decoder = KeyDecoder()
        #expect(decoder.decode([0x1B]) == [])
        #expect(decoder.isWaiting)
        #expect(decoder.timeOut() == .escape)
        #expect(!decoder.isWaiting)
        #expect(decoder.timeOut() == nil)
        #expect(decoder.decode(Array("\u{1B}[".utf8)) == [])
        #expect(decoder.timeOut() == nil)
        #expect(decoder.decode([UInt8(ascii: "A")]) == [.character("A")])
    }

    @Test("what is pasted ends at the latest when nothing has followed")
    func endlessPaste() {
        var decoder = KeyDecoder()
        #expect(decoder.decode(Array("\u{1B}[200~q\u{1B}".utf8)) == [])
        #expect(decoder.isWaiting && decoder.isPasting)
        #expect(decoder.timeOut() == nil)
        #expect(!decoder.isWaiting && !decoder.isPasting)
        #expect(decoder.decode(Array("q".utf8)) == [.character("q")])
    }

    @Test(
        "malformed UTF-8 is dropped, and the next key is not",
        arguments: [[0xFF], [0x80], [0xC3], [0xE9, 0x89], [0xF0, 0x9F], [0xED, 0xA0, 0x80], [0xC0, 0xAF]]
            as [[UInt8]])
    func malformed(bytes: [UInt8]) {
        var decoder = KeyDecoder()
        #expect(decoder.decode(bytes + [UInt8(ascii: "q")]) == [.character("q")])
    }

    @Test("what begins and never ends is let go of, so that keys work again")
    func endless() {
        var decoder = KeyDecoder()
        #expect(
            decoder.decode(Array("\u{1B}]".utf8) + Array(repeating: UInt8(ascii: "x"), count: 9000)) == [])
        #expect(decoder.decode(Array("q".utf8)) == [.character("q")])
    }

    @Test("any bytes at all are taken, whole or one by one, with the same keys")
    func anything() {
        let pieces: [UInt8] = [0x1B, 0x5B, 0x4F, 0x5D, 0x41, 0x7E, 0x32, 0x30, 0x9C, 0xC3, 0xF0, 0x07, 0x71]
        for first in pieces {
            for second in pieces {
                for third in pieces {
                    for fourth in pieces {
                        let bytes = [first, second, third, fourth]
                        var (whole, single) = (KeyDecoder(), KeyDecoder())
                        #expect(whole.decode(bytes) == bytes.flatMap { single.decode([$0]) })
                    }
                }
            }
        }
    }
}
