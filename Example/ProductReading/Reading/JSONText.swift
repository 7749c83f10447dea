import Foundation

/// Reads the JSON in scripts that may have more around it, and forgives what shops get wrong.
///
/// Templates write JSON by hand: line breaks and quotation marks inside strings, commas too many or too few,
/// values left out, comments around it. What could be meant in two ways is malformed: half a price is worse
/// than none. Every byte is looked at once.
struct JSONText {
    struct Failure: Error {
        /// Where, as an editor counts, and why.
        var description: String
    }

    static let maximumDepth = 512

    private var scanner = ByteScanner([])
    private var depth = 0
    /// The bracket that closes the open list.
    private var bracket: UInt8 = 0
    /// How many values and names there may be in all scripts: each takes far more memory than its bytes.
    private let limit: Int
    private var count = 0
    private let today: Day

    init(limit: Int = 250_000, today: Day = Day()) { (self.limit, self.today) = (limit, today) }

    /// The arrays and objects in a text, one after the other.
    mutating func values(_ text: [UInt8], in range: Range<Int>) throws(Failure) -> [JSON] {
        scanner = ByteScanner(text, in: range)
        depth = 0
        // In some scripts even the first quotation mark is written as an entity.
        let object = text[range].drop { $0 != UInt8(ascii: "{") }.dropFirst().drop(while: \.isHTMLSpace)
        if object.starts(with: "&quot;".utf8) {
            scanner = ByteScanner(Array(Entities.decoded(String(decoding: text[range], as: UTF8.self)).utf8))
        }
        var values: [JSON] = []
        scanner.skip(while: \.isHTMLSpace)
        let (start, isEmpty) = (scanner.position, scanner.isAtEnd)
        while !scanner.isAtEnd {
            // Around JSON there are CDATA, comments, a semicolon, the name of a function.
            if scanner.byte.isOne(of: "{[") {
                values.append(try value())
            } else if scanner.isAt("/*") {
                scanner.skip(behind: "*/")
            } else if !scanner.skipped("<![cdata[") {
                scanner.skip()
            }
        }
        if values.isEmpty, !isEmpty { throw failure("there is no { or [ in it", at: start) }
        return values
    }

    private func failure(_ reason: String, at offset: Int? = nil) -> Failure {
        let before = scanner.bytes[..<(offset ?? scanner.position)]
        let lines = before.split(separator: 0x0A, omittingEmptySubsequences: false)
        let column = String(decoding: lines.last ?? [], as: UTF8.self).count + 1
        return Failure(description: "line \(lines.count), column \(column): \(reason)")
    }

    /// The next byte that is neither white space nor a comment.
    private mutating func next() throws(Failure) -> UInt8 {
        while !scanner.isAtEnd {
            if scanner.isAt("//") {
                scanner.skip(behind: "\n")
            } else if scanner.isAt("/*") {
                scanner.skip(behind: "*/")
            } else if scanner.byte.isJSONSpace {
                scanner.skip()
            } else {
                return scanner.byte
            }
        }
        throw failure("the text ends before its brackets close")
    }

    private mutating func value() throws(Failure) -> JSON {
        count += 1
        guard count <= limit else { throw failure("more than \(limit) values and names") }
        switch scanner.byte {
        case UInt8(ascii: "{"):
            var members: Node = [:]
            try list(to: UInt8(ascii: "}")) { reader throws(Failure) in
                let (name, value) = try reader.member()
                if members[name] == nil { members[name] = value }
            }
            return .node(members, on: today)
        case UInt8(ascii: "["):
            var elements: [JSON] = []
            try list(to: UInt8(ascii: "]")) { reader throws(Failure) in elements.append(try reader.value()) }
            return .array(elements)
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try string())
        default: return try literal()
        }
    }

    /// The elements between brackets, each read by `read`, with commas too many or too few.
    private mutating func list(
        to bracket: UInt8, _ read: (inout Self) throws(Failure) -> Void
    ) throws(Failure) {
        depth += 1
        let outer = self.bracket
        self.bracket = bracket
        guard depth <= Self.maximumDepth else {
            throw failure("nested deeper than \(Self.maximumDepth) levels")
        }
        scanner.skip()
        while try next() != bracket {
            if scanner.byte.isOne(of: "}]") { throw failure("a bracket closes that is not open") }
            if !scanner.skipped(",") { try read(&self) }
        }
        scanner.skip()
        depth -= 1
        self.bracket = outer
    }

    private mutating func member() throws(Failure) -> (String, JSON) {
        guard scanner.byte.isOne(of: "\"'"), case .string(let name) = try value(),
            try next() == UInt8(ascii: ":")
        else { throw failure("malformed") }
        scanner.skip()
        // `"price": ,` is a template without a price.
        return (Vocabulary.name(name), try next().isOne(of: ",}") ? .null : try value())
    }

    private static let words: [String: JSON] = [
        "true": .bool(true), "false": .bool(false), "null": .null, "undefined": .null, "none": .null,
    ]

    /// A number or a word; what cannot be kept is null and costs nothing else.
    private mutating func literal() throws(Failure) -> JSON {
        let start = scanner.position
        let word = scanner.skip { !$0.isHTMLSpace && !$0.isOne(of: ",:{}[]\"'/") }
        if let known = Self.words[word.lowercased()] { return known }
        guard Double(word) != nil else { throw failure("malformed", at: start) }
        let number = Decimal(string: word, locale: Locale(identifier: "en_US_POSIX"))
        return number.map { $0.isNaN ? .null : .number(DecimalText.plain($0)) } ?? .null
    }

    private mutating func string() throws(Failure) -> String {
        let quote = scanner.byte
        scanner.skip()
        var text: [UInt8] = []
        while !scanner.isAtEnd {
            let byte = scanner.byte
            scanner.skip()
            if byte == quote, isEndOfString { return String(decoding: text, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                text += escaped()
            } else {
                text.append(byte < 0x20 && byte != 0x0A ? 0x20 : byte)
            }
        }
        throw failure("the text ends before its brackets close")
    }

    /// Whether something follows the quotation mark that may stand behind a string.
    private var isEndOfString: Bool {
        var rest = scanner
        let space = rest.skip(while: \.isJSONSpace)
        guard rest.isAt(","), bracket == UInt8(ascii: "}") else {
            return rest.isAtEnd || rest.byte.isOne(of: ",:}]/")
                || rest.byte.isOne(of: "\"'") && space.utf8.contains(0x0A)
        }
        // Behind a comma in an object stands a name.
        rest.skip()
        rest.skip(while: \.isJSONSpace)
        return rest.isAtEnd || rest.byte.isOne(of: "\"',}/")
    }

    /// A character without a meaning as an escape in JSON stands for itself.
    private mutating func escaped() -> [UInt8] {
        let byte = scanner.byte
        scanner.skip()
        switch byte {
        case 0..<0x20: return []
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"), UInt8(ascii: "t"): return [0x20]
        case UInt8(ascii: "u"):
            // `00e9`, or the two halves of a character beyond the first 65,536.
            var units: [UInt16] = []
            repeat {
                let digits = String(decoding: (0..<4).map { scanner[$0] }, as: UTF8.self)
                units.append(UInt16(digits, radix: 16) ?? 0xFFFD)
                scanner.skip(4)
            } while UTF16.isLeadSurrogate(units[units.count - 1]) && scanner.skipped("\\u")
            return Array(String(decoding: units, as: UTF16.self).utf8)
        default: return [byte]
        }
    }
}

extension UInt8 {
    /// Templates bring spaces that no line breaks at, and byte-order marks.
    fileprivate var isJSONSpace: Bool { isHTMLSpace || isOne(of: "\u{A0}\u{FEFF}") }
}
