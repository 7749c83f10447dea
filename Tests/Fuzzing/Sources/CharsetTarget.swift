import Foundation

/// Pages in the encodings that shops use, after a first line with the charset that the server declares.
enum CharsetTarget {
    static func check(_ input: [UInt8]) {
        let end = input.firstIndex(of: 0x0A) ?? 0
        let type = String(decoding: input[..<end], as: UTF8.self)
        let body = input[end...].dropFirst()
        let charset = PageText.charset(ofContentType: type) ?? type
        expectCatalogueOrReason(Array(body), charset: charset)
        let text = PageText(Array(body), charset: charset)
        let again = PageText(Array(body), charset: charset)
        expect(text.bytes == again.bytes && text.malformed == again.malformed, "reading is deterministic")
        expect(text.bytes.count <= 3 * body.count, "a byte is one character at most")
        expect(String(validating: text.bytes, as: UTF8.self) != nil, "what is read is text")
        guard PageText.encoding(charset) == .utf8, String(validating: body, as: UTF8.self) != nil else {
            return
        }
        expect(text.malformed == nil, "valid text stays as it is")
    }
}
