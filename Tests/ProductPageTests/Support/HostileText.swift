import Foundation
import Testing

/// Text that would do something to a terminal, or hide in it.
enum HostileText {
    /// In the middle of words, so that what is left of it can be looked for.
    static let text =
        "a\u{1B}[2J\u{9B}31mb\u{7}\u{8}\u{7F}\u{85}\u{90}c\u{202E}d\u{2066}e\u{200F}\u{61C}f\u{2028}g\u{2029}h\u{200B}i"
        + "\u{2060}j\u{FEFF}k\u{E0041}\u{E007F}l\u{AD}m\u{200D}n\u{200C}o\u{3164}p\u{FE0F}q\u{180E}r\r\n\ts"

    /// The same as the inside of a JSON string, every character of it as an escape.
    static let escaped = text.utf16.map { unit in
        let code = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - code.count) + code
    }.joined()

    /// Whether any line has something in it that must not reach a terminal.
    static func isIn(_ output: String) -> Bool {
        output.unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0x0A: false
            case 0..<0x20, 0x7F..<0xA0: true
            case 0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF, 0xAD, 0x3164, 0x180E: true
            case 0xFE00...0xFE0F, 0xE0000...0xE0FFF: true
            default: false
            }
        }
    }
}
