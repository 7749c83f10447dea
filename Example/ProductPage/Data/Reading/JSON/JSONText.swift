import Foundation

/// The JSON in a text that may have more around it, with what shops get wrong put right.
///
/// Templates write JSON by hand: line breaks and quotation marks inside strings, commas too many or too few,
/// values left out, comments around it. `JSONDecoder` forgives some of that, and this is the rest. Every
/// byte is looked at once.
struct JSONText {
    struct Failure: Error {
        /// The byte, counted from the start of the bytes given.
        var offset: Int
        var reason: String
    }

    /// As deep as `JSONDecoder` goes.
    static let maximumDepth = 512
    /// A value takes far more memory than the two bytes that spell it, and so does a member's name.
    static let maximumValues = 250_000

    private let bytes: [UInt8]
    private let end: Int
    private var position: Int
    private var fixed: [UInt8] = []
    private var open: [UInt8] = []
    /// The last byte written that is not white space.
    private var last: UInt8 = 0
    private(set) var valueCount = 0

    init(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    /// The arrays and objects in the text, one after the other.
    mutating func values(limit: Int = Self.maximumValues) throws(Failure) -> [JSON] {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        var values: [JSON] = []
        let beginning = position
        var start = position
        while position < end {
            let byte = bytes[position]
            if open.isEmpty {
                guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else {
                    skip()
                    continue
                }
                start = position
            }
            try step(byte, limit)
            guard open.isEmpty else { continue }
            guard let value = try? decoder.decode(JSON.self, from: Data(fixed)) else {
                throw Failure(offset: start, reason: "malformed")
            }
            values.append(value)
            fixed = []
        }
        if !open.isEmpty { throw Failure(offset: end, reason: "the text ends before its brackets close") }
        let first = bytes[beginning..<end].firstIndex { !$0.isHTMLSpace }
        if values.isEmpty, let first { throw Failure(offset: first, reason: "there is no { or [ in it") }
        return values
    }

    /// What stands around JSON: comments, CDATA, a semicolon, the name of a function.
    private mutating func skip() {
        let section = "<![CDATA["
        if bytes[position..<end].starts(with: "/*".utf8) { return skipComment() }
        position += bytes[position..<end].starts(with: section.utf8) ? section.utf8.count : 1
    }

    private mutating func step(_ byte: UInt8, _ limit: Int) throws(Failure) {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            separate()
            open.append(byte + 2)
            guard open.count <= Self.maximumDepth else {
                throw failure("nested deeper than \(Self.maximumDepth) levels")
            }
            valueCount += 1
            write(byte)
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            guard open.popLast() == byte else { throw failure("a bracket closes that is not open") }
            fillIn()
            write(byte)
        case UInt8(ascii: ","):
            fillIn()
            // The second of two, or one before the first.
            if ",{[".utf8.contains(last) { position += 1 } else { write(byte) }
            valueCount += 1
        case UInt8(ascii: ":"):
            valueCount += 1
            write(byte)
        case UInt8(ascii: "\""), UInt8(ascii: "'"): string(byte)
        case UInt8(ascii: "/"): skipComment()
        default: write(byte)
        }
        guard valueCount <= limit else { throw failure("more than \(Self.maximumValues) values and names") }
    }

    private func failure(_ reason: String) -> Failure { Failure(offset: position, reason: reason) }

    private mutating func write(_ byte: UInt8) {
        fixed.append(byte)
        if !byte.isHTMLSpace { last = byte }
        position += 1
    }

    /// `"price": ,` is a template without a price.
    private mutating func fillIn() {
        if last == UInt8(ascii: ":") { fixed += Array("null".utf8) }
    }

    /// A comma, where one value follows another without.
    private mutating func separate() {
        if "\"}]".utf8.contains(last), !open.isEmpty { fixed.append(UInt8(ascii: ",")) }
    }

    private mutating func skipComment() {
        let rest = bytes[position..<end]
        let (isLine, isBlock) = (rest.starts(with: "//".utf8), rest.starts(with: "/*".utf8))
        guard isLine || isBlock else { return position += 1 }
        position = rest.dropFirst(2).firstRange(of: (isLine ? "\n" : "*/").utf8)?.upperBound ?? end
    }
}

extension JSONText {
    private static let escapes = Set("\"\\/bfnrtu".utf8)

    private mutating func string(_ quote: UInt8) {
        separate()
        write(quote)
        while position < end {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\\"): escape(quote)
            case quote where closes:
                write(byte)
                last = UInt8(ascii: "\"")
                return
            case quote: fixed += [UInt8(ascii: "\\"), byte]; position += 1
            case 0..<0x20: fixed += byte == 0x0A ? Array("\\n".utf8) : [0x20]; position += 1
            default: write(byte)
            }
        }
    }

    /// What is no escape in JSON stands for itself.
    private mutating func escape(_ quote: UInt8) {
        position += 1
        guard position < end else { return }
        let byte = bytes[position]
        if Self.escapes.contains(byte) || byte == quote { fixed.append(UInt8(ascii: "\\")) }
        if byte >= 0x20 { write(byte) }
    }

    /// Whether the quotation mark ends the string: then something follows that may stand behind a value.
    private var closes: Bool {
        var next = position + 1
        var hasBreak = false
        while next < end, bytes[next].isHTMLSpace {
            hasBreak = hasBreak || bytes[next] == 0x0A
            next += 1
        }
        guard next < end else { return true }
        return ",:}]/".utf8.contains(bytes[next]) || hasBreak && "\"'".utf8.contains(bytes[next])
    }
}
