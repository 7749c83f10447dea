/// Turns the bytes of a file or an answer into clean UTF-8.
enum SourceText {
    /// A byte-order mark decides and is removed; without one it is what the server said, then what the page
    /// says itself, then UTF-8. What is malformed becomes U+FFFD: one bad character in a description is no
    /// reason to show no product.
    ///
    /// - Parameter charset: As in the answer's `Content-Type`; a name that is not known counts for nothing.
    static func utf8(_ bytes: [UInt8], charset: String? = nil) -> [UInt8] {
        let (encoding, markLength) =
            mark(bytes) ?? (charset.flatMap(TextEncoding.init) ?? PageCharset.declared(in: bytes) ?? .utf8, 0)
        let text = bytes.dropFirst(markLength)
        // As most are; a page that needs no change needs no copies.
        if encoding == .utf8, String(validating: text, as: UTF8.self) != nil { return Array(text) }
        return Array(encoding.text(text).utf8)
    }

    private static func mark(_ bytes: [UInt8]) -> (TextEncoding, length: Int)? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16(highByteFirst: true), 2) }
        if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16(highByteFirst: false), 2) }
        return nil
    }
}
