/// A JSON value that keeps its numbers as they were written.
///
/// Foundation's readers go through a binary fraction, where 129.90 has no exact value; a price must not.
enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    /// The literal's text, in JSON's grammar.
    case number(String)
    case string(String)
    case array([JSON])
    case object([String: JSON])
}

extension JSON {
    /// The members of an object; nothing for anything else.
    var members: [String: JSON]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// JSON-LD makes no difference between a value and an array of one, so neither do its readers.
    var elements: [JSON] {
        switch self {
        case .array(let elements): elements
        case .null: []
        default: [self]
        }
    }
}
