/// The text of a file or an answer as UTF-8.
struct PageText {
    var bytes: [UInt8]
    /// The name of the encoding, if not all of the bytes were text in it; the rest is U+FFFD then.
    var malformed: String?

    private static let marks: [(bytes: [UInt8], label: String)] = [
        ([0xEF, 0xBB, 0xBF], "utf-8"), ([0xFE, 0xFF], "utf-16be"), ([0xFF, 0xFE], "utf-16le"),
    ]

    /// A byte-order mark decides and is removed; without one it is what the server said, then what the page
    /// says itself, then UTF-8. What is malformed becomes U+FFFD: one bad character in a description is no
    /// reason to show no product.
    ///
    /// - Parameter charset: As in the answer's `Content-Type`; a name that is not known counts for nothing.
    init(_ given: [UInt8], charset: String? = nil) {
        let mark = Self.marks.first { given.starts(with: $0.bytes) }
        let named = (mark?.label ?? charset).flatMap(TextEncoding.init)
        let encoding = named ?? PageCharset.declared(in: given) ?? .utf8
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
}
