import Foundation

/// The text of a file or an answer as UTF-8.
struct PageText {
    private(set) var bytes: [UInt8]
    /// The name of the encoding, if not all of the bytes were text in it; the rest is U+FFFD then.
    private(set) var malformed: String?

    private static let marks: [(bytes: [UInt8], label: String)] = [
        ([0xEF, 0xBB, 0xBF], "utf-8"), ([0xFE, 0xFF], "utf-16be"), ([0xFF, 0xFE], "utf-16le"),
    ]
    /// Further down, browsers do not look for a declaration either.
    private static let maximumOffset = 8 * 1024

    /// A byte-order mark decides and is removed; without one it is what the server said, then what the page
    /// says itself, then UTF-8. What is malformed becomes U+FFFD: one bad character in a description is no
    /// reason to show no product.
    ///
    /// - Parameter charset: As in the answer's `Content-Type`; a name that is not known counts for nothing.
    init(_ given: [UInt8], charset: String? = nil) {
        let mark = Self.marks.first { given.starts(with: $0.bytes) }
        let label = [mark?.label, charset, mark == nil ? Self.declared(in: given) : nil].compactMap { $0 }
            .first { Self.encoding($0) != nil }
        let encoding = label.flatMap(Self.encoding) ?? .utf8
        let text = given.dropFirst(mark?.bytes.count ?? 0)
        if encoding == .utf8 {
            bytes = Array(text)
            // As most are; a page that needs no change needs no copies.
            guard String(validating: text, as: UTF8.self) == nil else { return }
            bytes = Array(String(decoding: text, as: UTF8.self).utf8)
        } else if let decoded = String(bytes: text, encoding: encoding) {
            bytes = Array(decoded.utf8)
            return
        } else {
            bytes = Self.byCharacter(text, encoding)
        }
        malformed = label?.uppercased() ?? "UTF-8"
    }

    /// Each character of one length or the other, so that one without a meaning costs only itself.
    private static func byCharacter(_ bytes: ArraySlice<UInt8>, _ encoding: String.Encoding) -> [UInt8] {
        let lengths = encoding.rawValue & 0xFFF == 0x100 ? [2, 4] : [1, 2]
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
        return Array(result.utf8)
    }

    /// From `<meta charset="…">`, or the older `<meta http-equiv="Content-Type" content="…; charset=…">`.
    private static func declared(in bytes: [UInt8]) -> String? {
        guard bytes.first(where: { !$0.isHTMLSpace }) == UInt8(ascii: "<") else { return nil }
        var pieces = HTMLTokenizer(Array(bytes.prefix(maximumOffset)))
        while let piece = pieces.next() {
            guard piece.name == "meta" else { continue }
            let isType = piece["http-equiv"]?.lowercased() == "content-type"
            let older = isType ? piece["content"].flatMap(charset(ofContentType:)) : nil
            guard let label = piece["charset"] ?? older else { continue }
            // The tag was found as ASCII, so it cannot be UTF-16.
            return label.lowercased().hasPrefix("utf-16") ? nil : label
        }
        return nil
    }

    /// The parameter of a content type: `ISO-8859-15` of `text/html; charset="ISO-8859-15"`.
    static func charset(ofContentType type: String) -> String? {
        let label = type.firstMatch(of: /;\s*charset\s*=\s*["']?([^"';]+)/.ignoresCase())?.1
        return label.flatMap { PlainText.line(String($0)) }
    }

    /// `nil` for a name that is not known.
    static func encoding(_ label: String) -> String.Encoding? {
        let key = label.lowercased().filter { $0.isLetter || $0.isNumber }
        let number = encodings[key.replacing("cp125", with: "windows125")]
        return number.map { String.Encoding(rawValue: $0 < 0x100 ? $0 : 0x8000_0000 | $0) }
    }

    /// By Foundation's numbers, or else by those of Core Foundation, which knows more encodings.
    ///
    /// Pages that call themselves Latin 1 are Windows-1252, as every browser reads them, and `gb2312` is its
    /// superset.
    private static let encodings: [String: UInt] = [
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
}
