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
    package init(_ value: any Sendable) {
        do {
            json = try Self.encode(value)
        } catch {
            failure = "\(error)"
        }
        if json == nil { text = ValueText(value).description }
    }

    private static func encode(_ value: Any) throws -> JSONValue? {
        switch value {
        case let text as String: return .string(text)
        case let number as Int: return .number(number)
        case let bool as Bool: return .bool(bool)
        case is Void: return .null
        default: break
        }
        // By its type, and not by a cast of the value: the cast of an optional looks at its content.
        if let type = type(of: value) as? any Encodable.Type { return try encode(value, as: type) }
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .tuple else { return nil }
        let parts = try mirror.children.map { try encode($0.value) }
        return parts.contains(nil) ? nil : .array(parts.compactMap(\.self))
    }

    private static func encode<Value: Encodable>(_ value: Any, as type: Value.Type) throws -> JSONValue {
        // The cast cannot fail: it is the value's own type.
        let data = try encoder.encode(value as! Value)
        // Values of the program itself are not limited in size, only in depth.
        return try JSONValue(parsing: Array(data), values: .max)
    }

    /// One for all: it is not changed after this.
    private static let encoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return encoder
    }()

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
