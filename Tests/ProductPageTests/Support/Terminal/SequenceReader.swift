/// Takes apart what is sent to a terminal. A piece may come in several reads.
struct SequenceReader: Sendable {
    enum Token: Sendable, Equatable {
        case scalar(Unicode.Scalar)
        case control(UInt8)
        case sequence(String, Character)
        /// What this reader has never heard of, or no UTF-8.
        case strange(String)
    }

    private var waiting: [UInt8] = []

    mutating func read(_ bytes: some Sequence<UInt8>) -> [Token] {
        waiting += bytes
        var tokens: [Token] = []
        var place = 0
        while let (token, length) = Self.next(waiting[place...]) {
            tokens.append(token)
            place += length
        }
        waiting.removeFirst(place)
        return tokens
    }

    /// The next token and its length; nil where it is not whole yet.
    private static func next(_ bytes: ArraySlice<UInt8>) -> (Token, Int)? {
        guard let first = bytes.first else { return nil }
        switch first {
        case 0x1B: return sequence(bytes)
        case 0x00...0x1F, 0x7F: return (.control(first), 1)
        default: break
        }
        let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard bytes.count >= length else { return nil }
        let text = String(validating: bytes.prefix(length), as: UTF8.self)
        guard let text, let scalar = text.unicodeScalars.first, text.unicodeScalars.count == 1 else {
            return (.strange("byte \(first)"), 1)
        }
        // The 8-bit forms of the control sequences.
        if (0x80...0x9F).contains(scalar.value) { return (.strange("C1 \(scalar.value)"), length) }
        return (.scalar(scalar), length)
    }

    private static func sequence(_ bytes: ArraySlice<UInt8>) -> (Token, Int)? {
        guard let second = bytes.dropFirst().first else { return nil }
        guard second == UInt8(ascii: "[") else { return (.strange("ESC \(second)"), 2) }
        let body = bytes.dropFirst(2)
        guard let end = body.firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
        let final = Character(Unicode.Scalar(body[end]))
        let parameters = String(decoding: body[..<end], as: UTF8.self)
        return (.sequence(parameters, final), end - bytes.startIndex + 1)
    }
}
