import Foundation

/// HTML character references: `&eacute;`, `&#233;`, `&#xE9;`.
enum Entities {
    /// The text with each reference replaced once; what is no reference (`AT&T`, `&unknown;`) stays.
    static func decoded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "&"), let (scalar, length) = reference(bytes[(position + 1)...]) {
                result += String(scalar).utf8
                position += 1 + length
            } else {
                result.append(byte)
                position += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// No name or number worth decoding is longer.
    private static let maximumLength = 12

    /// The character, and how many bytes after the `&` spell it.
    private static func reference(_ bytes: ArraySlice<UInt8>) -> (Unicode.Scalar, Int)? {
        guard let end = bytes.prefix(maximumLength).firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = String(decoding: bytes[bytes.startIndex..<end], as: UTF8.self)
        let length = end - bytes.startIndex + 1
        guard name.hasPrefix("#") else { return EntityNames.table[name].map { ($0, length) } }
        let isHex = name.hasPrefix("#x") || name.hasPrefix("#X")
        let digits = name.dropFirst(isHex ? 2 : 1)
        guard let first = digits.first, first.isHexDigit, let value = UInt32(digits, radix: isHex ? 16 : 10)
        else { return nil }
        return (scalar(value), length)
    }

    /// As browsers read numbers: 128 to 159 are meant as Windows-1252, and what is no character is U+FFFD.
    private static func scalar(_ value: UInt32) -> Unicode.Scalar {
        if value == 0 { return "\u{FFFD}" }
        if (0x80...0x9F).contains(value) {
            let meant = String(bytes: [UInt8(value)], encoding: .windowsCP1252)
            return meant?.unicodeScalars.first ?? "\u{FFFD}"
        }
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }
}
