internal import Foundation

/// A user's value as JSON, or as readable text where its type is not `Encodable` or does not encode it.
package struct CodedValue: Sendable, Hashable {
    /// The value as JSON; nil if it is only known as text.
    package var json: JSONValue?
    /// A description of the value; nil if it is known as JSON.
    package var text: String?
    /// Why the value was not encoded though its type is `Encodable`, as its `encode(to:)` says; otherwise nil.
    package var failure: String?

    /// A value that a recording holds.
    package init(json: JSONValue) { self.json = json }

    /// Encodes a value. A tuple is a list of its parts, `Void` is null.
    ///
    /// - Parameters:
    ///   - marksKeys: Whether the keys that are names of properties are marked: see ``name(ofMarked:)``.
    ///   - change: Called with the value and the parts of a tuple, to replace them.
    package init(_ value: Any, marksKeys: Bool = false, change: (Any) -> Any = { $0 }) {
        let encoder = marksKeys ? Self.markingEncoder : Self.encoder
        do {
            json = try Self.encode(change(value), encoder, change)
        } catch {
            failure = "\(error)"
        }
        if json == nil { text = Self.text(of: change(value), change) }
    }

    private static func text(of value: Any, _ change: (Any) -> Any) -> String {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .tuple else { return ValueText(value).description }
        return "(\(mirror.children.map { text(of: change($0.value), change) }.joined(separator: ", ")))"
    }

    private static func encode(_ value: Any, _ encoder: JSONEncoder, _ change: (Any) -> Any) throws
        -> JSONValue?
    {
        switch value {
        case let text as String: return .string(text)
        case let number as Int: return .number(number)
        case let bool as Bool: return .bool(bool)
        case is Void: return .null
        default: break
        }
        // By its type, and not by a cast of the value: the cast of an optional looks at its content.
        if let type = type(of: value) as? any Encodable.Type { return try encode(value, as: type, encoder) }
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .tuple else { return nil }
        let parts = try mirror.children.map { try encode(change($0.value), encoder, change) }
        return parts.contains(nil) ? nil : .array(parts.compactMap(\.self))
    }

    private static func encode<Value: Encodable>(
        _ value: Any, as type: Value.Type, _ encoder: JSONEncoder
    ) throws -> JSONValue {
        // The cast cannot fail: it is the value's own type.
        let data = try encoder.encode(value as! Value)
        // Values of the program itself are not limited in size, only in depth.
        return try JSONValue(parsing: Array(data), values: .max)
    }

    /// They are not changed after this.
    private static let (encoder, markingEncoder) = (
        makeEncoder(), makeEncoder(.custom { mark($0[$0.count - 1]) })
    )

    private static func makeEncoder(_ keys: JSONEncoder.KeyEncodingStrategy = .useDefaultKeys) -> JSONEncoder
    {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        encoder.keyEncodingStrategy = keys
        return encoder
    }

    /// Marks a key of a type that cannot have other keys: an enum, as `Codable` makes it for properties and cases.
    private static func mark(_ key: any CodingKey) -> any CodingKey {
        Mirror(reflecting: key).displayStyle == .enum
            ? MarkedKey(stringValue: "\u{0}\(key.stringValue)") : key
    }

    private struct MarkedKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// The name of a property or case that a marked key has; nil for any other key, such as that of a dictionary.
    static func name(ofMarked key: String) -> String? {
        key.hasPrefix("\u{0}") ? String(key.dropFirst()) : nil
    }

    /// The value as `type`. Members that it has lacked since are filled in; see ``JSONValue/decode(_:repairs:)``.
    package func decode<Value>(_ type: Value.Type, repairs: inout [String]) throws(DecodingProblem) -> Value {
        if let void = () as? Value { return void }
        guard let json, let decodable = type as? any Decodable.Type else {
            throw DecodingProblem(
                path: [], reason: "\(type) is not Decodable, or its value is known as text only")
        }
        // The cast cannot fail: the value was decoded as this type.
        return try json.decode(decodable, repairs: &repairs) as! Value
    }
}
