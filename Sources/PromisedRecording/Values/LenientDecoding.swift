internal import Foundation

/// Why a recorded value is no value of a type.
package struct DecodingProblem: Error, Sendable, Equatable, CustomStringConvertible {
    package let path: [PathPart]
    package let reason: String

    package var description: String { path.isEmpty ? reason : "\(path.text): \(reason)" }
}

extension JSONValue {
    /// The value as a type, which may have changed since it was recorded.
    ///
    /// A member that the type has and the value has not becomes `nil`, `""`, `0`, `false`, an empty collection, or a
    /// structure of these, at most 64 times; members that the type does not have are ignored. A case of an enum is
    /// never made up, nor a value of another type that decodes a single value: these are errors.
    ///
    /// - Parameter repairs: A line is appended for each member that was filled in.
    package func decode<Value: Decodable>(
        _ type: Value.Type, repairs: inout [String]
    ) throws(DecodingProblem) -> Value {
        let found = Repairs()
        do {
            let value = try RecordedDecoder(value: self, codingPath: [], repairs: found).decode(type)
            repairs += found.lines
            return value
        } catch {
            throw DecodingProblem(error)
        }
    }
}

extension DecodingProblem {
    fileprivate init(_ error: any Error) {
        switch error {
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.keyNotFound(_, let context), DecodingError.dataCorrupted(let context):
            self.init(path: context.codingPath.map { $0.part }, reason: context.debugDescription)
        default: self.init(path: [], reason: "\(error)")
        }
    }
}

extension CodingKey {
    fileprivate var part: PathPart { intValue.map { .index($0) } ?? .key(stringValue) }
}

/// The members that were filled in.
private final class Repairs {
    var lines: [String] = []
}

/// Decodes a value of a recording. A value that is nil is missing: only its members are filled in.
private struct RecordedDecoder: Decoder, SingleValueDecodingContainer {
    let value: JSONValue?
    let codingPath: [any CodingKey]
    let repairs: Repairs
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func inner(_ value: JSONValue?, _ key: any CodingKey) -> Self {
        Self(value: value, codingPath: codingPath + [key], repairs: repairs)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let members = value == nil ? [] : value?.object else { throw mismatch("an object") }
        return KeyedDecodingContainer(RecordedMembers(decoder: self, members: members))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = value?.array else { throw mismatch("a list") }
        return RecordedElements(decoder: self, elements: elements)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { value == nil || value == .null }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        switch (type, value) {
        case (is String.Type, .string(let text)?): return text as! Value
        case (is Bool.Type, .bool(let bool)?): return bool as! Value
        case (is Data.Type, let value?), (is URL.Type, let value?), (is Decimal.Type, let value?):
            return try JSONDecoder().decode(type, from: Data(value.text.utf8))
        case (let type as any LiteralNumber.Type, .number(let text)?):
            if let number = type.init(text) { return number as! Value }
        case (let type as any LiteralNumber.Type, .string(let text)?)
        where ["inf", "-inf", "nan"].contains(text):
            if let number = type.init(text) { return number as! Value }
        case (is String.Type, _), (is Bool.Type, _), (is any LiteralNumber.Type, _): break
        default: return try Value(from: self)
        }
        throw mismatch("\(type)")
    }

    /// A member that does not exist.
    func fill<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let path = codingPath.map { $0.part }.text
        repairs.lines.append("\(path): missing in the recording, filled in as an empty \(type)")
        if repairs.lines.count > 64 { throw mismatch("no more than 64 missing members") }
        let empty: Any? =
            switch type {
            case is String.Type: ""
            case is Bool.Type: false
            case let type as any LiteralNumber.Type: type.init("0")
            case let type as any ExpressibleByArrayLiteral.Type: Self.emptyList(type)
            case let type as any ExpressibleByDictionaryLiteral.Type: Self.emptyTable(type)
            default: nil
            }
        return try empty as? Value ?? Value(from: self)
    }

    private static func emptyList<List: ExpressibleByArrayLiteral>(_: List.Type) -> Any { [] as List }
    private static func emptyTable<Table: ExpressibleByDictionaryLiteral>(_: Table.Type) -> Any {
        [:] as Table
    }

    func mismatch(_ expected: String) -> DecodingError {
        .dataCorrupted(
            .init(
                codingPath: codingPath,
                debugDescription: "expected \(expected), found \(value?.shortText ?? "nothing")"))
    }
}

private struct RecordedMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: RecordedDecoder
    let members: [JSONValue.Member]

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { members.compactMap { Key(stringValue: $0.key) } }

    func inner(_ key: any CodingKey) -> RecordedDecoder { decoder.inner(members[key.stringValue], key) }
    func contains(_ key: Key) -> Bool { members.place(of: key.stringValue).isFound }
    func decodeNil(forKey key: Key) -> Bool { members[key.stringValue] == .null }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let inner = inner(key)
        return try inner.value == nil ? inner.fill(type) : inner.decode(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try inner(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try inner(key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { inner(PlainKey(stringValue: "super")) }
    func superDecoder(forKey key: Key) -> any Decoder { inner(key) }
}

private struct RecordedElements: UnkeyedDecodingContainer {
    let decoder: RecordedDecoder
    let elements: [JSONValue]
    var currentIndex = 0

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    mutating func next() throws -> RecordedDecoder {
        if isAtEnd { throw decoder.mismatch("more elements") }
        defer { currentIndex += 1 }
        return decoder.inner(elements[currentIndex], PlainKey(stringValue: "", intValue: currentIndex))
    }

    mutating func decodeNil() -> Bool {
        let isNil = !isAtEnd && elements[currentIndex] == .null
        if isNil { currentIndex += 1 }
        return isNil
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().decode(type) }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> { try next().container(keyedBy: type) }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next().unkeyedContainer()
    }
    mutating func superDecoder() throws -> any Decoder { try next() }
}

private struct PlainKey: CodingKey {
    let stringValue: String
    var intValue: Int?

    init(stringValue: String, intValue: Int?) { (self.stringValue, self.intValue) = (stringValue, intValue) }
    init(stringValue: String) { self.init(stringValue: stringValue, intValue: nil) }
    init(intValue: Int) { self.init(stringValue: "", intValue: intValue) }
}

/// A number that is read from its literal in JSON, or from its name, such as "nan".
private protocol LiteralNumber: LosslessStringConvertible {}
extension Int: LiteralNumber {}
extension Int8: LiteralNumber {}
extension Int16: LiteralNumber {}
extension Int32: LiteralNumber {}
extension Int64: LiteralNumber {}
extension UInt: LiteralNumber {}
extension UInt8: LiteralNumber {}
extension UInt16: LiteralNumber {}
extension UInt32: LiteralNumber {}
extension UInt64: LiteralNumber {}
extension Float: LiteralNumber {}
extension Double: LiteralNumber {}
