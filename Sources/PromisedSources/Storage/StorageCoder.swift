public import Foundation

/// Turns values into data and back.
public struct StorageCoder<Value: Sendable>: Sendable {
    /// Turns a value into data; nil if that is not possible: setting the value is then an error.
    let encode: (@Sendable (Value) throws -> Data)?
    /// Turns data into a value; nil if that is not possible: stored data is then not read.
    let decode: (@Sendable (Data) throws -> Value)?

    /// Creates a coder of two functions.
    ///
    /// - Parameters:
    ///   - encode: Turns a value into data. Called when the value is written, on that thread.
    ///   - decode: Turns data into a value. Called when the value is read, on that thread. It should throw an error if
    ///     the data is not whole.
    public init(
        encode: @escaping @Sendable (Value) throws -> Data, decode: @escaping @Sendable (Data) throws -> Value
    ) {
        (self.encode, self.decode) = (encode, decode)
    }

    init(
        encoding: (@Sendable (Value) throws -> Data)? = nil,
        decoding: (@Sendable (Data) throws -> Value)? = nil
    ) {
        (encode, decode) = (encoding, decoding)
    }

    /// For values that are in memory only.
    static var none: StorageCoder { StorageCoder() }
}

extension StorageCoder where Value: Codable {
    /// JSON, with sorted keys. A number ends with a newline, as a part of it would be a number, too: one without is an
    /// error.
    public static var json: StorageCoder { StorageCoder(encode: JSONData.encode, decode: JSONData.decode) }
}

extension StorageCoder where Value: Encodable {
    /// JSON that is written and never read.
    public static var json: StorageCoder { StorageCoder(encoding: JSONData.encode) }
}

extension StorageCoder where Value: Decodable {
    /// JSON that is read and never written.
    public static var json: StorageCoder { StorageCoder(decoding: JSONData.decode) }
}

extension StorageCoder where Value: DataConvertible {
    /// The type's own coding.
    public static var own: StorageCoder {
        StorageCoder(encode: { try $0.data() }, decode: { try Value(data: $0) })
    }
}

private enum JSONData {
    /// Only a number is still valid when its end is missing.
    struct Unfinished: Error, CustomStringConvertible {
        var description: String { "it ends in the middle of a number" }
    }

    static let newline = UInt8(ascii: "\n")

    @Sendable static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let data = try encoder.encode(value)
        return isNumber(data) ? data + [newline] : data
    }

    @Sendable static func decode<Value: Decodable>(_ data: Data) throws -> Value {
        if isNumber(data) { throw Unfinished() }
        return try JSONDecoder().decode(Value.self, from: data)
    }

    /// Whether the data may be a part of a longer number.
    private static func isNumber(_ data: Data) -> Bool {
        data.last.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
    }
}
