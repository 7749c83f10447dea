extension JSONReader {
    var peek: UInt8? { position < end ? bytes[position] : nil }

    mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    func failure(_ reason: String, at offset: Int? = nil) -> Failure {
        Failure(offset: offset ?? position, reason: reason)
    }

    /// What stands at the position, in words for a message.
    var found: String {
        guard position < end else { return "the end of the text" }
        let scalars = String(decoding: bytes[position..<min(position + 4, end)], as: UTF8.self).unicodeScalars
        guard let scalar = scalars.first else { return "nothing" }
        let text = String(scalar)
        let code = String(scalar.value, radix: 16, uppercase: true)
        return !scalar.isUnsafeToShow
            ? "'\(text)'" : "U+\(String(repeating: "0", count: max(0, 4 - code.count)))\(code)"
    }

    mutating func word(_ word: String, _ value: JSON) throws(Failure) -> JSON {
        let start = position
        for byte in word.utf8 where !take(byte) { throw failure("expected \(word)", at: start) }
        return value
    }

    /// The literal's own text: nothing is computed, so nothing is lost.
    mutating func number() throws(Failure) -> String {
        let start = position
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "-")) { _ = take(UInt8(ascii: "+")) }
            try digits()
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func digits() throws(Failure) {
        let start = position
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        if position == start { throw failure("expected a digit but found \(found)") }
    }

    mutating func string() throws(Failure) -> String {
        let start = position
        position += 1
        var text: [UInt8] = []
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                try escape(into: &text)
            case 0..<0x20 where !allowsControlCharacters:
                throw failure("a string must not contain \(found); write it as an escape")
            default:
                text.append(byte)
                position += 1
            }
        }
        throw failure("a string begins here but does not end", at: start)
    }

    private mutating func escape(into text: inout [UInt8]) throws(Failure) {
        position += 1
        guard let kind = peek else { throw failure("the text ends inside an escape") }
        position += 1
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(kind)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text += try unicodeEscape().utf8
        default: throw failure("unknown escape '\\' before \(foundBefore)", at: position - 2)
        }
    }

    private var foundBefore: String {
        var back = self
        back.position -= 1
        return back.found
    }

    /// Half a surrogate pair is no character: it becomes U+FFFD, and the rest of the text is kept.
    private mutating func unicodeEscape() throws(Failure) -> String {
        let first = try fourHexDigits()
        guard UTF16.isLeadSurrogate(first) else { return String(decoding: [first], as: UTF16.self) }
        let afterFirst = position
        if take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
            let second = try fourHexDigits()
            if UTF16.isTrailSurrogate(second) { return String(decoding: [first, second], as: UTF16.self) }
        }
        position = afterFirst
        return "\u{FFFD}"
    }

    private mutating func fourHexDigits() throws(Failure) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw failure("expected four hexadecimal digits but found \(found)")
            }
            value = value << 4 | UInt16(digit)
            position += 1
        }
        return value
    }
}
