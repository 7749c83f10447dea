/// Files other than text, by their first bytes: the name of a file says nothing, and a server may be wrong.
enum BinaryFile {
    private static let marks: [(start: [UInt8], place: Int, kind: String)] = [
        (Array("%PDF".utf8), 0, "a PDF document"), ([0x89] + Array("PNG".utf8), 0, "a picture"),
        ([0xFF, 0xD8, 0xFF], 0, "a picture"), (Array("GIF8".utf8), 0, "a picture"),
        (Array("WEBP".utf8), 8, "a picture"), (Array("ftypavif".utf8), 4, "a picture"),
        (Array("ftyphei".utf8), 4, "a picture"), (Array("PK\u{3}\u{4}".utf8), 0, "a ZIP archive"),
        ([0x1F, 0x8B], 0, "compressed data"),
    ]

    /// For example `a PDF document`; nil where it may be text.
    static func kind(_ bytes: [UInt8]) -> String? {
        marks.first { bytes.dropFirst($0.place).starts(with: $0.start) }?.kind
    }

    static func reason(_ kind: String) -> String { "is \(kind), and neither a page nor JSON" }
}
