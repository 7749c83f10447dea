import Foundation

/// A JSON value; its numbers are decimals, written out, so that a price keeps its digits.
///
/// Microdata and RDFa are read into the same shape as JSON-LD, so that one reader understands all three.
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

    /// A text as JSON-LD writes one: plain, a number, with a language (`{"@value": …}`), or the first of
    /// several.
    var text: String? {
        switch elements.first {
        case .string(let text), .number(let text): text
        case .object(let members): members["@value"]?.text
        default: nil
        }
    }
}

extension JSON: Decodable {
    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// What cannot be kept, such as a number of four hundred digits, is null and costs nothing else.
    init(from decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: Name.self) {
            let members = try object.allKeys.map {
                (Vocabulary.name($0.stringValue), try object.decode(JSON.self, forKey: $0))
            }
            self = .object(Dictionary(members) { first, _ in first })
        } else if var array = try? decoder.unkeyedContainer() {
            var elements: [JSON] = []
            while !array.isAtEnd { elements.append(try array.decode(JSON.self)) }
            self = .array(elements)
        } else {
            let value = try decoder.singleValueContainer()
            if let text = try? value.decode(String.self) {
                self = .string(text)
            } else if let flag = try? value.decode(Bool.self) {
                self = .bool(flag)
            } else if let number = try? value.decode(Decimal.self), !number.isNaN {
                self = .number(DecimalText.plain(number))
            } else {
                self = .null
            }
        }
    }
}
