import Foundation

/// Japanese text in EUC-JP, which Foundation on Linux cannot read. The characters are those of Shift JIS, in an order
/// of its own.
enum EUCText {
    /// The text as UTF-8, with U+FFFD for an invalid character, or one of the rare ones of JIS X 0212.
    static func utf8(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var (result, rest) = ([UInt8](), bytes)
        var known: [[UInt8]: String] = [:]
        while let first = rest.first {
            let character = Array(rest.prefix(first == 0x8F ? 3 : 2))
            let isWhole = first > 0x80 && character.count == (first == 0x8F ? 3 : 2)
            let isCharacter = isWhole && character.dropFirst().allSatisfy { $0 > 0xA0 && $0 < 0xFF }
            rest = rest.dropFirst(isCharacter ? character.count : 1)
            guard first >= 0x80 else {
                result.append(first)
                continue
            }
            let text = known[character] ?? (isCharacter ? decoded(character) : nil) ?? "\u{FFFD}"
            known[character] = text
            result += text.utf8
        }
        return result
    }

    /// Rows and columns of 94 characters become rows of two, with other gaps; half-width letters stay.
    private static func decoded(_ character: [UInt8]) -> String? {
        let shiftJIS = PageText.encoding("shift_jis") ?? .shiftJIS
        if character[0] == 0x8E { return String(bytes: character[1...], encoding: shiftJIS) }
        guard character[0] > 0xA0, character[0] < 0xFF else { return nil }
        let (row, column) = (character[0] - 0xA0, character[1] - 0xA0)
        let first = (row - 1) / 2 + (row <= 62 ? 0x81 : 0xC1)
        let second = row.isMultiple(of: 2) ? column + 0x9E : column + (column < 64 ? 0x3F : 0x40)
        return String(bytes: [first, second], encoding: shiftJIS)
    }
}
