extension JSONValue {
    /// The value as text that can stand in an element of a page, and that a browser reads without a loss: a number that
    /// may not be exact there is a text that begins with `\u{1}#`.
    func writePage(to output: inout [UInt8]) {
        var bytes: [UInt8] = []
        forPage.write(to: &bytes)
        for byte in bytes {
            // Only in a text, and only there could it begin a tag.
            if byte == UInt8(ascii: "<") { output += "\\u003c".utf8 } else { output.append(byte) }
        }
    }

    var forPage: JSONValue {
        switch self {
        case .number(let literal)
        where literal.utf8.count > 15 && Int(literal)?.magnitude ?? .max > 1 << 53:
            .string("\u{1}#\(literal)")
        case .string(let text) where text.utf8.first == 1: .string("\u{1}\(text)")
        case .array(let elements): .array(elements.map(\.forPage))
        case .object(let members): .object(members.map { .init($0.key, $0.value.forPage) })
        default: self
        }
    }
}

extension RecordedState {
    /// As the page has it: `{"v": …}` for a value, `{"x": …}` for a text, `{"u": …}` with the reason if it is unknown.
    /// A value that is too large for a page is described.
    var page: JSONValue {
        switch self {
        case .value(let value) where value.size(upTo: Self.maximumPageSize) > Self.maximumPageSize:
            .object(["x": .string("\(value.shortText), too large for this page")])
        case .value(let value): .object(["v": value])
        case .text(let text): .object(["x": .string(text)])
        case .unknown(_, let reason): .object(["u": .string(reason)])
        }
    }

    static let maximumPageSize = 4 << 20
}
