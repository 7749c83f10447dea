import Foundation

/// How bytes spell text, by the names that servers and pages use for it.
struct TextEncoding: Sendable {
    static let utf8 = TextEncoding(label: "utf-8", encoding: .utf8)

    let label: String
    private let encoding: String.Encoding

    private init(label: String, encoding: String.Encoding) {
        self.label = label
        self.encoding = encoding
    }

    /// `nil` for a name that is not known.
    init?(label given: String) {
        let label = given.lowercased().filter { !$0.isWhitespace }
        guard let encoding = Self.encoding(label) else { return nil }
        self.init(label: label, encoding: encoding)
    }

    var isUTF8: Bool { encoding == .utf8 }

    /// The text, and whether all of the bytes were text.
    func text(_ bytes: ArraySlice<UInt8>) -> (String, isWhole: Bool) {
        if encoding == .utf8 { return (String(decoding: bytes, as: UTF8.self), false) }
        if let text = String(bytes: bytes, encoding: encoding) { return (text, true) }
        return (byCharacter(bytes), false)
    }

    /// Pages that call themselves Latin 1 are Windows-1252, as every browser reads them, and `gb2312` is
    /// its superset. Foundation has more encodings than names for them: those go by the numbers of Core
    /// Foundation.
    private static func encoding(_ label: String) -> String.Encoding? {
        let digits = label.drop { !$0.isNumber }
        switch label {
        case "utf-8", "utf8": return .utf8
        case "utf-16", "utf-16le": return .utf16LittleEndian
        case "utf-16be": return .utf16BigEndian
        case "macintosh": return .macOSRoman
        case "iso-2022-jp": return .iso2022JP
        case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "l1", "us-ascii", "ascii", "cp1252":
            return .windowsCP1252
        case "gbk", "gb2312", "gb18030", "x-gbk": return number(0x0632)
        case "big5", "big5-hkscs": return number(0x0A03)
        case "euc-kr", "ks_c_5601-1987": return number(0x0422)
        case "euc-jp", "x-euc-jp": return .japaneseEUC
        case "shift_jis", "sjis", "x-sjis", "shift-jis", "windows-31j", "cp932":
            return number(0x0420)
        case "koi8-r": return number(0x0A02)
        case "koi8-u": return number(0x0A08)
        case "windows-874", "tis-620": return number(0x041D)
        case _ where label.hasPrefix("windows-125") || label.hasPrefix("cp125"):
            return Self.windows.firstIndex(of: String(digits)).map { number(0x0500 + UInt($0)) }
        case _ where label.hasPrefix("iso-8859-"), _ where label.hasPrefix("iso8859-"):
            return UInt(label.split(separator: "-").last ?? "").flatMap {
                (2...16).contains($0) ? number(0x0200 + $0) : nil
            }
        default: return nil
        }
    }

    /// In Core Foundation's order.
    private static let windows = [
        "1252", "1250", "1251", "1253", "1254", "1255", "1256", "1257", "1258",
    ]

    private static func number(_ value: UInt) -> String.Encoding { .init(rawValue: 0x8000_0000 | value) }
}

extension TextEncoding {
    /// Character by character, of one byte or of two, so that one without a meaning costs itself and not the
    /// text.
    private func byCharacter(_ bytes: ArraySlice<UInt8>) -> String {
        var known: [[UInt8]: String?] = [:]
        func character(_ bytes: ArraySlice<UInt8>) -> String? {
            let key = Array(bytes)
            if let text = known[key] { return text }
            let text = String(bytes: key, encoding: encoding)
            known[key] = .some(text)
            return text
        }
        var (result, rest) = ("", bytes)
        let lengths = label.hasPrefix("utf-16") ? [2, 4] : [1, 2]
        while !rest.isEmpty {
            let text = lengths.lazy.compactMap { length in
                character(rest.prefix(length)).map { ($0, length) }
            }.first
            result += text?.0 ?? "\u{FFFD}"
            rest = rest.dropFirst(text?.1 ?? lengths[0])
        }
        return result
    }
}
