/// The text of a file or an answer as UTF-8.
struct PageText {
    var bytes: [UInt8]
    /// The name of the encoding, if not all of the bytes were text in it; the rest is U+FFFD then.
    var malformed: String?

    /// A byte-order mark decides and is removed; without one it is what the server said, then what the page
    /// says itself, then UTF-8. What is malformed becomes U+FFFD: one bad character in a description is no
    /// reason to show no product.
    ///
    /// - Parameter charset: As in the answer's `Content-Type`; a name that is not known counts for nothing.
    init(_ given: [UInt8], charset: String? = nil) {
        let (encoding, markLength) =
            Self.mark(given) ?? (charset.flatMap(TextEncoding.init) ?? PageCharset.declared(in: given), 0)
        let text = given.dropFirst(markLength)
        // As most are; a page that needs no change needs no copies.
        if encoding?.isUTF8 ?? true, String(validating: text, as: UTF8.self) != nil {
            bytes = Array(text)
            return
        }
        let (decoded, isWhole) = (encoding ?? .utf8).text(text)
        bytes = Array(decoded.utf8)
        malformed = isWhole ? nil : (encoding ?? .utf8).label.uppercased()
    }

    private static func mark(_ bytes: [UInt8]) -> (TextEncoding?, length: Int)? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (TextEncoding(label: "utf-16be"), 2) }
        if bytes.starts(with: [0xFF, 0xFE]) { return (TextEncoding(label: "utf-16le"), 2) }
        return nil
    }
}
