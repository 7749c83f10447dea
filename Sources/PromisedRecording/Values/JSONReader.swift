/// Bounds on what is read, so that no input exhausts the stack or the memory.
package struct JSONLimits: Sendable {
    /// How many arrays and objects may be inside each other.
    package static let depth = 256
    /// The length of a number.
    package static let numberBytes = 400
    /// How many values a text may have; each takes up to about 100 bytes of memory.
    package var values = 4_000_000
}

/// Why a text is not read as JSON.
package struct JSONProblem: Error, Sendable, Equatable {
    package let reason: String
    /// The byte at which it was noticed, from 0.
    package let offset: Int
}

extension JSONValue {
    /// Reads UTF-8 text that holds one value.
    package init(
        parsing bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits = .init()
    ) throws(JSONProblem) {
        var reader = JSONReader(bytes, values: limits.values)
        self = try reader.document()
    }
}

/// Reads one JSON text. Its depth of calls is bounded by ``JSONLimits/depth``.
struct JSONReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let limit: Int
    private var index = 0
    private var depth = 0
    /// How many values were read.
    private(set) var count = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>, values: Int) { (self.bytes, limit) = (bytes, values) }

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
            if depth > JSONLimits.depth {
                throw problem("more than \(JSONLimits.depth) values are inside each other")
            }
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

    private mutating func object() throws(JSONProblem) -> [JSONValue.Member] {
        var (members, isSorted): ([JSONValue.Member], Bool) = ([], true)
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
        let isUnique = zip(members, members.dropFirst()).allSatisfy { $0.key.byteOrder(to: $1.key) != 0 }
        if !isUnique { throw problem("an object has a key twice") }
        return members
    }

    // MARK: Texts

    private mutating func string() throws(JSONProblem) -> String {
        if current != "\"" { throw problem("a text is expected") }
        index += 1
        var (start, unescaped): (Int, [UInt8]) = (index, [])
        while index < bytes.count, current >= " " {
            switch current {
            case "\"":
                index += 1
                let rest = UnsafeBufferPointer(rebasing: bytes[start..<index - 1])
                let text =
                    unescaped.isEmpty
                    ? String(validating: rest, as: UTF8.self)
                    : String(validating: unescaped + rest, as: UTF8.self)
                guard let text else { throw problem("a text is no UTF-8") }
                return text
            case "\\":
                unescaped += bytes[start..<index]
                unescaped += String(try escape()).utf8
                start = index
            default: index += 1
            }
        }
        throw problem("a text has no end, or holds a control character")
    }

    private mutating func escape() throws(JSONProblem) -> Unicode.Scalar {
        index += 2
        switch bytes[min(index, bytes.count) - 1] {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "\\") where index <= bytes.count: return "\\"
        case UInt8(ascii: "u"): break
        default: throw problem("an unknown escape")
        }
        let unit = try hexadecimal()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        // The first half of a pair; the second one follows.
        guard unit < 0xDC00, skips(word: "\\u"), case let low = try hexadecimal(), 0xDC00..<0xE000 ~= low
        else {
            throw problem("a lone surrogate")
        }
        return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))!
    }

    private mutating func hexadecimal() throws(JSONProblem) -> UInt32 {
        let digits = bytes[min(index, bytes.count)...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
            let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw problem("an escape has no four hexadecimal digits") }
        index += 4
        return unit
    }

    // MARK: Numbers and words

    private mutating func number() throws(JSONProblem) -> String {
        let start = index
        if current == "-" { index += 1 }
        let first = current
        let whole = skipDigits()
        var isNumber = whole == 1 || whole > 1 && first != "0"
        if isNumber, current == "." {
            index += 1
            isNumber = skipDigits() > 0
        }
        if isNumber, current == "e" || current == "E" {
            index += 1
            if current == "+" || current == "-" { index += 1 }
            isNumber = skipDigits() > 0
        }
        if !isNumber { throw problem("a value is expected") }
        if index - start > JSONLimits.numberBytes {
            throw problem("a number has over \(JSONLimits.numberBytes) digits")
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func skipDigits() -> Int {
        let start = index
        while "0"..."9" ~= current { index += 1 }
        return index - start
    }

    // MARK: Bytes

    /// The next byte; 0, which no JSON text has outside of texts, at the end.
    private var current: Unicode.Scalar { index < bytes.count ? Unicode.Scalar(bytes[index]) : "\0" }

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
