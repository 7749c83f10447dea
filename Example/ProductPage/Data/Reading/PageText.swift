import Foundation

/// The text of a file or an answer as UTF-8.
struct PageText {
    var bytes: [UInt8]
    /// The name of the encoding, if not all of the bytes were text in it; the rest is U+FFFD then.
    var malformed: String?

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
        let named = (mark?.label ?? charset).flatMap(TextEncoding.init)
        let encoding = named ?? Self.declared(in: given) ?? .utf8
        let text = given.dropFirst(mark?.bytes.count ?? 0)
        // As most are; a page that needs no change needs no copies.
        if encoding.isUTF8, String(validating: text, as: UTF8.self) != nil {
            bytes = Array(text)
            return
        }
        let (decoded, isWhole) = encoding.text(text)
        bytes = Array(decoded.utf8)
        malformed = isWhole ? nil : encoding.label.uppercased()
    }

    /// From `<meta charset="…">`, or the older `<meta http-equiv="Content-Type" content="…; charset=…">`.
    private static func declared(in bytes: [UInt8]) -> TextEncoding? {
        guard bytes.first(where: { !$0.isHTMLSpace }) == UInt8(ascii: "<") else { return nil }
        var pieces = HTMLTokenizer(Array(bytes.prefix(maximumOffset)))
        while let piece = pieces.next() {
            guard piece.name == "meta" else { continue }
            let isType = piece["http-equiv"]?.lowercased() == "content-type"
            let older = isType ? piece["content"].flatMap(TextEncoding.label(ofContentType:)) : nil
            guard let label = piece["charset"] ?? older else { continue }
            // The tag was found as ASCII, so it cannot be UTF-16.
            return label.lowercased().hasPrefix("utf-16") ? nil : TextEncoding(label: label)
        }
        return nil
    }
}
