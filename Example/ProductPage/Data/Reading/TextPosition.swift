/// Where a byte stands in a text, as an editor counts: from 1, columns in characters.
struct TextPosition: Equatable, CustomStringConvertible {
    var line = 1
    var column = 1

    init(of offset: Int, in bytes: [UInt8]) {
        var previous: UInt8 = 0
        for byte in bytes.prefix(max(0, offset)) {
            let isNewLine = byte == 0x0A || byte == 0x0D
            if isNewLine {
                // CR LF ends one line, not two.
                if !(previous == 0x0D && byte == 0x0A) { line += 1 }
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
            previous = byte
        }
    }

    var description: String { "line \(line), column \(column)" }
}
