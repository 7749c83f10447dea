import Foundation

/// HTML character references: `&eacute;`, `&#233;`, `&#xE9;`.
enum Entities {
    /// No name or number worth decoding is longer.
    private static let maximumLength = 12

    /// The text with each reference replaced once; other ampersands (`AT&T`, `&unknown;`) stay.
    static func decoded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        let pieces = text.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        var result = Array(pieces[0])
        for piece in pieces.dropFirst() {
            let end = piece.prefix(maximumLength).firstIndex(of: UInt8(ascii: ";"))
            if let end, let scalar = character(String(Substring(piece[..<end]))) {
                result += String(scalar).utf8
                result += piece[end...].dropFirst()
            } else {
                result.append(UInt8(ascii: "&"))
                result += piece
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Those of HTML 4, and of the punctuation that PHP writes as well.
    private static let names = Table.numbers(PackageResources.entities_txt)

    private static func character(_ name: String) -> Unicode.Scalar? {
        guard name.hasPrefix("#") else { return names[name].flatMap(Unicode.Scalar.init) }
        let isHex = name.lowercased().hasPrefix("#x")
        let digits = name.dropFirst(isHex ? 2 : 1)
        guard digits.first?.isHexDigit == true, let value = UInt32(digits, radix: isHex ? 16 : 10) else {
            return nil
        }
        // As browsers read numbers: 128 to 159 are meant as Windows-1252, and an invalid character is U+FFFD.
        if (0x80...0x9F).contains(value) {
            let meant = String(bytes: [UInt8(value)], encoding: .windowsCP1252)
            return meant?.unicodeScalars.first ?? "\u{FFFD}"
        }
        return value == 0 ? "\u{FFFD}" : Unicode.Scalar(value) ?? "\u{FFFD}"
    }
}
