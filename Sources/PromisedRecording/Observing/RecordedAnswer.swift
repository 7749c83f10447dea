internal import Promise

/// An error of a call in a recording, which has only its description: that of a type that is not kept whole. See
/// `failing` of `Endpoint`.
public struct RecordedError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of the error's type.
    public let type: String
    /// The description of the error.
    public let description: String
}

/// An answer of a call that was recorded.
package enum RecordedAnswer<Output: Sendable>: Sendable {
    case interim(Output), value(Output), error(any Error)

    /// - Parameter failing: The type of the errors that are kept whole.
    package init?(
        _ fact: RecordedFact, _ failing: (any (Error & Codable).Type)?, repairs: inout [String]
    ) throws(DecodingProblem) {
        func decode(_ key: String) throws(DecodingProblem) -> Output? {
            if let text = fact["\(key)x"]?.string {
                throw DecodingProblem(path: [], reason: "it is known as text only, '\(text)'")
            }
            guard let value = fact[key] else { return nil }
            return try CodedValue(json: value).decode(Output.self, repairs: &repairs)
        }
        if let value = try decode("interim") {
            self = .interim(value)
        } else if let value = try decode("out") {
            self = .value(value)
        } else if let error = fact["error"] {
            self = .error(try Self.error(error, failing, &repairs))
        } else {
            return nil
        }
    }

    private static func error(
        _ error: JSONValue, _ failing: (any (Error & Codable).Type)?, _ repairs: inout [String]
    ) throws(DecodingProblem) -> any Error {
        func decode<Failure: Error & Codable>(_ type: Failure.Type, _ value: JSONValue)
            throws(DecodingProblem) -> any Error
        { try value.decode(type, repairs: &repairs) }
        if let failing, let value = error["v"] { return try decode(failing, value) }
        let type = error["type"]?.string ?? ""
        if type == "\(CancellationError.self)" { return CancellationError() }
        return RecordedError(type: type, description: error["text"]?.string ?? "")
    }
}
