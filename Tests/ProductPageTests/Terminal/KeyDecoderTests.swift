import Testing

@testable import ProductPage
@testable import ToolSupport

@Suite struct KeyDecoderTests {
    @Test(
        "the bytes of a key, whole and cut at every place; malformed ones are dropped, and the next key is not",
        arguments: [
            ("a", ["a"]), ("é", ["é"]), ("鉄a", ["鉄", "a"]), ("🪁", ["🪁"]), (" ", ["Space"]),
            ("ab", ["a", "b"]),
            ("\u{1B}[A", ["↑"]), ("\u{1B}[B", ["↓"]), ("\u{1B}[C", ["→"]), ("\u{1B}[D", ["←"]),
            ("\u{1B}OA", ["↑"]), ("\u{1B}OH", ["Home"]), ("\u{1B}[H", ["Home"]), ("\u{1B}[1~", ["Home"]),
            ("\u{1B}[7~", ["Home"]), ("\u{1B}[F", ["End"]), ("\u{1B}[4~", ["End"]), ("\u{1B}[8~", ["End"]),
            ("\u{1B}[3~", ["Del"]), ("\u{1B}[5~", ["PgUp"]), ("\u{1B}[6~", ["PgDn"]),
            ("\u{1B}[1;5C", ["→"]), ("\u{1B}[3;2~", ["Del"]), ("\u{1B}[15~", []), ("\u{1B}[I", []),
            ("\u{1B}[?62;4c", []), ("\u{4}", ["Ctrl-D"]), ("\u{C}", ["Ctrl-L"]),
            ("\u{0}\u{7F}\r\u{8}", ["Backspace", "Enter", "Backspace"]),
            ("\u{1B}q", []), ("\u{1B}aq", ["q"]), ("\u{1B}é", []), ("\u{1B}\r", []),
            ("\u{1B}\u{1B}[A", ["Esc", "↑"]),
            ("\u{1B}[200~qa\u{1B}[A\u{3}\r\u{1B}[201~n", ["n"]), ("\u{1B}[\u{1B}[A", ["↑"]),
            ("\u{1B}[" + String(repeating: "0;", count: 5000) + "~q", ["q"]),
        ] as [(String, [String])])
    func keys(text: String, expected: [String]) { expect(Array(text.utf8), expected) }

    @Test(
        arguments: [
            [0xFF], [0x80], [0xC3], [0xE9, 0x89], [0xF0, 0x9F], [0xED, 0xA0, 0x80], [0xC0, 0xAF],
        ] as [[UInt8]])
    func malformed(bytes: [UInt8]) { expect(bytes + [UInt8(ascii: "q")], ["q"]) }

    private func expect(_ bytes: [UInt8], _ expected: [String]) {
        for cut in stride(from: 0, through: bytes.count, by: max(1, bytes.count / 50)) {
            var decoder = KeyDecoder()
            #expect(
                decoder.decode(bytes[..<cut]) + decoder.decode(bytes[cut...]) == expected, "cut at \(cut)")
            #expect(decoder.patience == nil)
        }
    }

    @Test(
        "what has begun is known, or let go of, when nothing follows",
        arguments: [
            ("\u{1B}", 50, ["Esc"]), ("a", nil, []), ("\u{1B}[", 50, []), ("\u{1B}[200~", 1000, []),
            ("\u{1B}[200~q", 1000, []), ("\u{1B}[200~q\u{1B}", 1000, []), ("\u{1B}[200~q\u{1B}[2", 1000, []),
        ] as [(String, Int?, [String])])
    func timeOut(begun: String, patience: Int?, expected: [String]) {
        var decoder = KeyDecoder()
        _ = decoder.decode(begun.utf8)
        #expect(decoder.patience == patience.map { .milliseconds($0) })
        #expect(decoder.timeOut() == expected)
        #expect(decoder.patience == nil && decoder.timeOut() == [])
        #expect(decoder.decode("A".utf8) == ["A"])
    }

    @Test("any bytes at all are taken, whole or one by one, with the same keys")
    func anything() {
        let pieces: [UInt8] = [0x1B, 0x5B, 0x4F, 0x5D, 0x41, 0x7E, 0x32, 0x30, 0x9C, 0xC3, 0xF0, 0x07, 0x71]
        let pairs = pieces.flatMap { first in pieces.map { [first, $0] } }
        for bytes in pairs.flatMap({ pair in pairs.map { pair + $0 } }) {
            var (whole, single) = (KeyDecoder(), KeyDecoder())
            #expect(whole.decode(bytes) == bytes.flatMap { single.decode([$0]) })
        }
    }
}
