/// Reads one JSON document from UTF-8 bytes.
///
/// Foreign input cannot hurt it: open containers are kept on a list rather than on the call stack, and
/// both their depth and the number of values and names are bounded.
///
/// ```swift
/// var reader = JSONReader(Array(#"{"price": 129.90}"#.utf8))
/// let value = try reader.document()  // .object(["price": .number("129.90")])
/// ```
struct JSONReader {
    /// Why and where reading stopped.
    struct Failure: Error, Equatable {
        /// The byte, counted from the start of the bytes given.
        var offset: Int
        var reason: String
    }

    static let maximumDepth = 512
    /// Keeps what is built in proportion: a value takes far more memory than the two bytes that spell it, and
    /// so does a member's name, which counts as one.
    static let maximumValues = 250_000

    let bytes: [UInt8]
    let end: Int
    var position: Int
    /// Scripts in web pages carry line breaks inside strings, which JSON forbids and browsers' tools forgive.
    let allowsControlCharacters: Bool
    private let valueLimit: Int
    private(set) var valueCount = 0

    init(
        _ bytes: [UInt8], in range: Range<Int>? = nil, allowsControlCharacters: Bool = false,
        valueLimit: Int = Self.maximumValues
    ) {
        self.bytes = bytes
        position = range?.lowerBound ?? 0
        end = range?.upperBound ?? bytes.count
        self.allowsControlCharacters = allowsControlCharacters
        self.valueLimit = valueLimit
    }

    /// The one value in the bytes. Of members with the same name the last counts.
    mutating func document() throws(Failure) -> JSON {
        var open: [Container] = []
        while true {
            guard var value = try scalarOrContainer(opening: &open) else { continue }
            // A finished value belongs to the innermost open container, and may finish that as well.
            while true {
                skipSpace()
                // Asked for its kind alone: a copy of the container would make `accept` copy its contents.
                guard let isObject = open.last?.isObject else {
                    if position < end { throw failure("expected the end of the text but found \(found)") }
                    return value
                }
                open[open.count - 1].accept(value)
                if take(UInt8(ascii: ",")) {
                    if isObject { open[open.count - 1].key = try key() }
                    break
                }
                guard take(UInt8(ascii: isObject ? "}" : "]")) else {
                    throw failure("expected ',' or '\(isObject ? "}" : "]")' but found \(found)")
                }
                value = open.removeLast().value
            }
        }
    }
}

extension JSONReader {
    /// An array or object whose closing bracket has not come yet.
    private struct Container {
        var isObject: Bool
        var elements: [JSON] = []
        var members: [String: JSON] = [:]
        var key = ""

        var closing: UInt8 { UInt8(ascii: isObject ? "}" : "]") }
        var value: JSON { isObject ? .object(members) : .array(elements) }

        mutating func accept(_ value: JSON) {
            if isObject { members[key] = value } else { elements.append(value) }
        }
    }

    /// A complete value, or `nil` when a container was opened and its first value is next.
    private mutating func scalarOrContainer(opening open: inout [Container]) throws(Failure) -> JSON? {
        skipSpace()
        try count()
        switch peek {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            var container = Container(isObject: peek == UInt8(ascii: "{"))
            position += 1
            skipSpace()
            if take(container.closing) { return container.value }
            guard open.count < Self.maximumDepth else {
                throw failure("nested deeper than \(Self.maximumDepth) levels")
            }
            if container.isObject { container.key = try key() }
            open.append(container)
            return nil
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"): return .number(try number())
        case let byte? where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte):
            return .number(try number())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: throw failure("expected a value but found \(found)")
        }
    }

    private mutating func count() throws(Failure) {
        valueCount += 1
        guard valueCount <= valueLimit else {
            throw failure("more than \(Self.maximumValues) values and names")
        }
    }

    private mutating func key() throws(Failure) -> String {
        skipSpace()
        try count()
        guard peek == UInt8(ascii: "\"") else {
            throw failure("expected a member's name in quotes but found \(found)")
        }
        let key = try string()
        skipSpace()
        guard take(UInt8(ascii: ":")) else { throw failure("expected ':' but found \(found)") }
        return key
    }
}
