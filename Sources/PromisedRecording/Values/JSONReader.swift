/// Bounds of the reader, so that no input exhausts the stack or the memory.
package enum JSONLimits {
    /// How many arrays and objects may be inside each other.
    package static let depth = 256
    /// The length of a number.
    package static let numberBytes = 400
    /// How many values a text may have; each takes up to about 100 bytes of memory.
    package static let values = 4_000_000
}

/// Why a text is not read as JSON.
package struct JSONProblem: Error, Sendable, Equatable {
    package let reason: String
    /// The byte at which it was noticed, from 0.
    package let offset: Int
}

extension JSONValue {
    /// Reads UTF-8 text that holds one value, in which there are at most so many.
    package init(parsing bytes: [UInt8], values: Int = JSONLimits.values) throws(JSONProblem) {
        var reader = JSONReader(bytes, limit: values)
        self = try reader.document()
    }
}

/// Reads one JSON text. Its depth of calls is bounded by ``JSONLimits/depth``.
struct JSONReader {
    private let bytes: [UInt8]
    private let limit: Int
    private var index = 0
    private var depth = 0
    /// How many values were read.
    private(set) var count = 0

    init(_ bytes: [UInt8], limit: Int) { (self.bytes, self.limit) = (bytes, limit) }

    mutating func document() throws(JSONProblem) -> JSONValue {
        let value = try value()
        skipSpace()
        if index < bytes.count { throw problem("text follows the value") }
        return value
    }

    private mutating func value() throws(JSONProblem) -> JSONValue {
        count += 1
        if count > limit { throw problem("there are more than \(limit) values") }
        skipSpace()
        switch current {
        case "{", "[":
            depth += 1
            defer { depth -= 1 }
            if depth > JSONLimits.depth { throw problem("more than \(JSONLimits.depth) values are nested") }
            return try skips("{") ? .object(object()) : .array(array())
        case "\"": return .string(try string())
        case "t" where skips(word: "true"): return .bool(true)
        case "f" where skips(word: "false"): return .bool(false)
        case "n" where skips(word: "null"): return .null
        default: return .number(try number())
        }
    }

    private mutating func array() throws(JSONProblem) -> [JSONValue] {
        var elements: [JSONValue] = []
        index += 1
        if skips("]") { return [] }
        repeat { elements.append(try value()) } while skips(",")
        if !skips("]") { throw problem("',' or ']' is expected") }
        return elements
    }

    private mutating func object() throws(JSONProblem) -> [JSONMember] {
        var (members, isSorted): ([JSONMember], Bool) = ([], true)
        if skips("}") { return [] }
        repeat {
            skipSpace()
            let key = try string()
            if !skips(":") { throw problem("':' is expected") }
            if isSorted, let last = members.last { isSorted = last.key.byteOrder(to: key) < 0 }
            members.append(.init(key, try value()))
        } while skips(",")
        if !skips("}") { throw problem("',' or '}' is expected") }
        if isSorted { return members }
        members.sort { $0.key.byteOrder(to: $1.key) < 0 }
        for (member, next) in zip(members, members.dropFirst()) where member.key.byteOrder(to: next.key) == 0
        {
            throw problem("an object has a key twice")
        }
        return members
    }

    private mutating func string() throws(JSONProblem) -> String {
        if current != "\"" { throw problem("a text is expected") }
        index += 1
        var (start, unescaped, bits): (Int, [UInt8], UInt8) = (index, [], 0)
        while index < bytes.count, current >= " " {
            if current == "\"" {
                let rest = bytes[start..<index]
                index += 1
                // ASCII need not be checked.
                if unescaped.isEmpty, bits < 0x80 { return String(decoding: rest, as: UTF8.self) }
                guard let text = String(validating: unescaped + rest, as: UTF8.self) else {
                    throw problem("a text is no UTF-8")
                }
                return text
            } else if current == "\\" {
                unescaped += bytes[start..<index]
                unescaped += String(try escape()).utf8
                start = index
            } else {
                bits |= bytes[index]
                index += 1
            }
        }
        throw problem("a text has no end, or holds a control character")
    }

    private mutating func escape() throws(JSONProblem) -> Unicode.Scalar {
        index += 1
        let letter = current
        index += 1
        switch letter {
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "\"", "\\", "/": return letter
        case "u": break
        default: throw problem("an escape is unknown")
        }
        let unit = try hexadecimal()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        // The first half of a pair; the second one follows.
        guard unit < 0xDC00, skips(word: "\\u"), case let low = try hexadecimal(), 0xDC00..<0xE000 ~= low,
            let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        else { throw problem("a surrogate is alone") }
        return scalar
    }

    private mutating func hexadecimal() throws(JSONProblem) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Character(current).hexDigitValue, current.isASCII else {
                throw problem("an escape has no four digits")
            }
            unit = unit << 4 | UInt32(digit)
            index += 1
        }
        return unit
    }

    private mutating func number() throws(JSONProblem) -> String {
        let start = index
        if current == "-" { index += 1 }
        let first = current
        let whole = skipDigits()
        var isNumber = whole == 1 || whole > 1 && first != "0"
        if isNumber, skips(word: ".") { isNumber = skipDigits() > 0 }
        if isNumber, skips(word: "e") || skips(word: "E") {
            if current == "+" || current == "-" { index += 1 }
            isNumber = skipDigits() > 0
        }
        if !isNumber { throw problem("a value is expected") }
        if index - start > JSONLimits.numberBytes { throw problem("a number is too long") }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    // MARK: Bytes

    /// The next byte; 0, which no JSON text has outside of texts, at the end.
    private var current: Unicode.Scalar { index < bytes.count ? Unicode.Scalar(bytes[index]) : "\0" }

    private mutating func skipDigits() -> Int {
        let start = index
        while "0"..."9" ~= current { index += 1 }
        return index - start
    }

    private mutating func skipSpace() {
        while current == " " || current == "\n" || current == "\r" || current == "\t" { index += 1 }
    }

    private mutating func skips(_ scalar: Unicode.Scalar) -> Bool {
        skipSpace()
        if current != scalar { return false }
        index += 1
        return true
    }

    private mutating func skips(word: StaticString) -> Bool {
        let isThere = index < bytes.count && word.withUTF8Buffer { bytes[index...].starts(with: $0) }
        if isThere { index += word.utf8CodeUnitCount }
        return isThere
    }

    private func problem(_ reason: String) -> JSONProblem {
        JSONProblem(reason: reason, offset: min(index, bytes.count))
    }
}
