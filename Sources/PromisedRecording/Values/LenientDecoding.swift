internal import Foundation

/// Why a recorded value is no value of a type.
package struct DecodingProblem: Error, Sendable, Equatable, CustomStringConvertible {
    package let path: [ValuePathPart]
    package let reason: String

    package var description: String { path.isEmpty ? reason : "\(path.text): \(reason)" }
}

extension JSONValue {
    /// The value as a type, which may have changed since it was recorded.
    ///
    /// A member that the type has and the value has not becomes `nil`, `""`, `0`, `false`, an empty collection, or a
    /// structure of these, at most 64 times; members that the type does not have are ignored. A case of an enum is
    /// never made up: that is an error.
    ///
    /// - Parameter repairs: A line is appended for each member that was filled in.
    package func decode<Value: Decodable>(
        _ type: Value.Type, repairs: inout [String]
    ) throws(DecodingProblem) -> Value {
        var (value, missing): (JSONValue, [[ValuePathPart]]) = (self, [])
        while true {
            do {
                return try value.decode(type)
            } catch DecodingError.keyNotFound(let key, let context) where missing.count < 64 {
                let path = (context.codingPath + [key]).map(\.part)
                missing.append(path)
                value.fill(path, .null)
                repairs.append("\(path.text): missing in the recording, filled in")
            } catch let error as DecodingError {
                let (part, path, reason) = error.parts
                guard missing.contains(path), value.value(at: path) == .null else {
                    throw DecodingProblem(path: path, reason: reason)
                }
                guard value.fill(path, emptyOf: part, in: type) else {
                    throw DecodingProblem(
                        path: path, reason: "missing in the recording, and not to be made up")
                }
            } catch {
                throw DecodingProblem(path: [], reason: "\(error)")
            }
        }
    }

    private func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try Self.decoder.decode(type, from: Data(text.utf8))
    }

    private mutating func fill(_ path: [ValuePathPart], _ value: JSONValue) {
        // The path exists: decoding has just come there.
        try? ValuePatch.PatchOperation(path: path, values: [value]).apply(to: &self)
    }

    /// - Returns: False if another value is not as good as the empty one: then it is the raw value of an enum, whose
    ///   cases are not made up.
    private mutating func fill<Whole: Decodable>(
        _ path: [ValuePathPart], emptyOf part: Any.Type?, in type: Whole.Type
    ) -> Bool {
        for value in Self.values(of: part).reversed() {
            fill(path, value)
            do { _ = try decode(type) } catch DecodingError.dataCorrupted(let context)
                where context.codingPath.map(\.part) == path
            { return false } catch {}
        }
        return true
    }

    /// The empty value of a type that JSON has, and another one.
    private static func values(of type: Any.Type?) -> [JSONValue] {
        switch type {
        case is String.Type, is Data.Type: [.string(""), .string("AAAA")]
        case is Bool.Type: [.bool(false), .bool(true)]
        case is any Numeric.Type, is Date.Type: [.number(0), .number(101)]
        case is [Any].Type: [.array([])]
        default: [.object([])]
        }
    }

    /// One for all: it is not changed after this.
    private static let decoder = {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return decoder
    }()
}

extension DecodingError {
    /// The expected type, its place, and the type found there.
    fileprivate var parts: (type: Any.Type?, path: [ValuePathPart], reason: String) {
        switch self {
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            (type, context.codingPath.map(\.part), context.debugDescription)
        case .keyNotFound(_, let context), .dataCorrupted(let context):
            (nil, context.codingPath.map(\.part), context.debugDescription)
        @unknown default: (nil, [], "\(self)")
        }
    }
}

extension CodingKey {
    fileprivate var part: ValuePathPart { intValue.map { .index($0) } ?? .key(stringValue) }
}
