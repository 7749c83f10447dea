extension JSONValue {
    /// Appends the value as UTF-8 text in one line.
    package func write(to output: inout [UInt8]) {
        switch self {
        case .null: output += "null".utf8
        case .bool(let bool): output += (bool ? "true" : "false").utf8
        case .number(let literal): output += literal.utf8
        case .string(let text): Self.write(text, to: &output)
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                element.write(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let members):
            output.append(UInt8(ascii: "{"))
            Self.write(members, to: &output)
            output.append(UInt8(ascii: "}"))
        }
    }

    /// Appends members, without the braces around them.
    static func write(_ members: [JSONMember], to output: inout [UInt8]) {
        for (index, member) in members.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            write(member.key, to: &output)
            output.append(UInt8(ascii: ":"))
            member.value.write(to: &output)
        }
    }

    /// Appends a text in quotes. Only the necessary escapes are written.
    private static func write(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): output += "\\n".utf8
            case 0..<0x20: output += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }

    /// The value as text in one line.
    package var text: String {
        var output: [UInt8] = []
        write(to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// Its text, or the beginning of it and "…".
    package var shortText: String {
        size(upTo: 80) <= 80
            ? text
            : object.map { "{\($0.count) members}" }
                ?? array.map { "[\($0.count) elements]" } ?? "\(text.prefix(79))…"
    }

    /// The approximate length of its text. A longer text than `limit` is not measured further.
    func size(upTo limit: Int = .max) -> Int {
        switch self {
        case .null, .bool: return 4
        case .number(let text), .string(let text): return text.utf8.count + 2
        case .array(let elements):
            return elements.reduce(2) { $0 > limit ? $0 : $0 + 1 + $1.size(upTo: limit - $0) }
        case .object(let members):
            return members.reduce(2) {
                $0 > limit ? $0 : $0 + 4 + $1.key.utf8.count + $1.value.size(upTo: limit - $0)
            }
        }
    }
}
