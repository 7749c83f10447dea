/// Pages in the encodings that shops use, after a first line with the charset that the server declares.
enum CharsetTarget {
    static func check(_ input: [UInt8]) {
        let end = input.firstIndex(of: 0x0A) ?? 0
        let type = String(decoding: input[..<end], as: UTF8.self)
        let body = input[end...].dropFirst()
        let charset = TextEncoding.label(ofContentType: type) ?? type
        expectCatalogueOrReason(Array(body), charset: charset)
        guard let encoding = TextEncoding(label: charset) else { return }
        let (text, _) = encoding.text(body)
        expect(text.utf8.elementsEqual(encoding.text(body).0.utf8), "reading is deterministic")
        expect(text.utf8.count <= 3 * body.count, "a byte is one character at most")
        guard encoding.isUTF8, let valid = String(validating: body, as: UTF8.self) else { return }
        expect(text.utf8.elementsEqual(valid.utf8), "valid text stays as it is")
    }
}
