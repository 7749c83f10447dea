/// Pages in the encodings that shops use, after a first line with the charset that the server declares.
enum CharsetTarget {
    static func check(_ input: [UInt8]) {
        let end = input.firstIndex(of: 0x0A) ?? 0
        let type = String(decoding: input[..<end], as: UTF8.self)
        let body = Array(input[end...].dropFirst())
        let charset = PageCharset.charset(ofContentType: type) ?? type
        let text = SourceText.utf8(body, charset: charset)
        expect(String(validating: text, as: UTF8.self) != nil, "the text is UTF-8")
        expect(text == SourceText.utf8(body, charset: charset), "reading is deterministic")
        expect(text.count <= 3 * body.count, "a byte is one character at most")
        let isMarked = text.starts(with: [0xEF, 0xBB, 0xBF])
        expect(isMarked || SourceText.utf8(text, charset: "utf-8") == text, "clean text stays as it is")
        _ = try? ProductReader.read(body, charset: charset, from: "input")
    }
}
