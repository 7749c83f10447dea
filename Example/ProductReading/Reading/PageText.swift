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
    /// says itself, then UTF-8. A malformed character becomes U+FFFD: one bad character in a description is no
    /// reason to show no product.
    ///
    /// - Parameter charset: As in the answer's `Content-Type`; a name that is not known counts for nothing.
    init(_ given: [UInt8], charset: String? = nil) {
        let mark = Self.marks.first { given.starts(with: $0.bytes) }
        let label = [mark?.label, charset, mark == nil ? Self.declared(in: given) : nil].compactMap { $0 }
            .first { Self.encoding($0) != nil }
        let encoding = label.flatMap(Self.encoding) ?? .utf8
        let text = given.dropFirst(mark?.bytes.count ?? 0)
        if encoding == .japaneseEUC {
            bytes = EUCText.utf8(text)
            guard String(decoding: bytes, as: UTF8.self).contains("\u{FFFD}") else { return }
        } else if encoding == .utf8 {
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

    /// `nil` for a name that is not known, and for an encoding that this system cannot read: not even ASCII, it would
    /// make nothing of a page.
    static func encoding(_ label: String) -> String.Encoding? {
        let key = label.lowercased().filter { $0.isLetter || $0.isNumber }
        let number = encodings[key.replacing("cp125", with: "windows125")]
        let encoding = number.map { String.Encoding(rawValue: UInt($0 < 0x100 ? $0 : 0x8000_0000 | $0)) }
        guard let encoding, encoding != .japaneseEUC, !key.hasPrefix("utf16") else { return encoding }
        return String(bytes: "<{".utf8, encoding: encoding) == "<{" ? encoding : nil
    }

    /// By Foundation's numbers, or else by those of Core Foundation, which knows more encodings.
    ///
    /// Pages that call themselves Latin 1 are Windows-1252, as every browser reads them, and `gb2312` is its
    /// superset.
    private static let encodings = Table.numbers(PackageResources.encodings_txt)
}
