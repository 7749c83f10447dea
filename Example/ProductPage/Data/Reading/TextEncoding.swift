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
    init?(label: String) {
        let label = label.lowercased()
        let key = label.filter { $0.isLetter || $0.isNumber }.replacing("cp125", with: "windows125")
        guard let number = Self.numbers[key] else { return nil }
        self.init(label: label, encoding: .init(rawValue: number < 0x100 ? number : 0x8000_0000 | number))
    }

    /// The parameter of a content type: `ISO-8859-15` of `text/html; charset="ISO-8859-15"`.
    static func label(ofContentType type: String) -> String? {
        let label = type.firstMatch(of: /;\s*charset\s*=\s*["']?([^"';]+)/.ignoresCase())?.1
        return label.flatMap { PlainText.line(String($0)) }
    }

    var isUTF8: Bool { encoding == .utf8 }

    /// By Foundation's numbers, or else by those of Core Foundation, which knows more encodings.
    ///
    /// Pages that call themselves Latin 1 are Windows-1252, as every browser reads them, and `gb2312` is its
    /// superset.
    private static let numbers: [String: UInt] = [
        "utf8": 4, "utf16": 0x1400_0100, "utf16le": 0x1400_0100, "utf16be": 0x1000_0100,
        "iso88591": 0x0500, "latin1": 0x0500, "usascii": 0x0500, "ascii": 0x0500, "iso88592": 0x0202,
        "iso88594": 0x0204, "iso88595": 0x0205, "iso88596": 0x0206, "iso88597": 0x0207, "iso88598": 0x0208,
        "iso88599": 0x0209, "iso885913": 0x020D, "iso885915": 0x020F, "iso885916": 0x0210,
        "windows1250": 0x0501, "windows1251": 0x0502, "windows1252": 0x0500, "windows1253": 0x0503,
        "windows1254": 0x0504, "windows1255": 0x0505, "windows1256": 0x0506, "windows1257": 0x0507,
        "windows1258": 0x0508, "windows874": 0x041D, "tis620": 0x041D, "koi8r": 0x0A02, "koi8u": 0x0A08,
        "gbk": 0x0632, "gb2312": 0x0632, "gb18030": 0x0632, "big5": 0x0A03, "big5hkscs": 0x0A03,
        "euckr": 0x0422, "ksc56011987": 0x0422, "eucjp": 3, "iso2022jp": 21, "shiftjis": 0x0420,
        "sjis": 0x0420, "xsjis": 0x0420, "windows31j": 0x0420, "cp932": 0x0420, "macintosh": 30,
    ]

    /// The text, and whether all of the bytes were text.
    func text(_ bytes: ArraySlice<UInt8>) -> (String, isWhole: Bool) {
        if isUTF8 { return (String(decoding: bytes, as: UTF8.self), false) }
        if let text = String(bytes: bytes, encoding: encoding) { return (text, true) }
        // Character by character, each of one length or the other, so that one without a meaning costs only itself.
        let lengths = label.hasPrefix("utf-16") ? [2, 4] : [1, 2]
        var known: [ArraySlice<UInt8>: String?] = [:]
        func character(_ bytes: ArraySlice<UInt8>) -> String? {
            let text = known[bytes] ?? String(bytes: bytes, encoding: encoding)
            known[bytes] = .some(text)
            return text
        }
        var (result, rest) = ("", bytes)
        while !rest.isEmpty {
            let length = lengths.first { character(rest.prefix($0)) != nil } ?? lengths[0]
            result += character(rest.prefix(length)) ?? "\u{FFFD}"
            rest = rest.dropFirst(length)
        }
        return (result, false)
    }
}
