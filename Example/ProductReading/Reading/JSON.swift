/// A JSON value; its numbers are decimals, written out, so that a price keeps its digits.
///
/// Microdata and RDFa are read into the same shape as JSON-LD, so that one reader understands all three.
enum JSON: Sendable, Equatable {
    /// Also whatever cannot be kept, such as a number of four hundred digits.
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSON])
    case object([String: JSON])
}

extension JSON {
    /// An object; what only says that it is a list or a set is that list.
    static func node(_ members: Node, on today: Day) -> JSON {
        let list = members.count == 1 ? members["@list"] ?? members["@set"] : nil
        return list ?? .object(members.marked(on: today))
    }

    /// The members of an object; nothing for anything else.
    var members: [String: JSON]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// JSON-LD makes no difference between a value and an array of it, so neither do its readers.
    var elements: [JSON] {
        switch self {
        case .array(let elements): elements.flatMap(\.elements)
        case .null: []
        default: [self]
        }
    }

    /// The first of them, however many there are: many products may refer to one list.
    func elements(upTo count: Int) -> [JSON] {
        guard case .array(let elements) = self else { return self == .null || count == 0 ? [] : [self] }
        var found: [JSON] = []
        for element in elements {
            found += element.elements(upTo: count - found.count)
            if found.count == count { break }
        }
        return found
    }

    var first: JSON? { elements(upTo: 1).first }

    /// A text as JSON-LD writes one: plain, a number, with a language (`{"@value": …}`), or the first of
    /// several.
    var text: String? {
        switch first {
        case .string(let text), .number(let text): text
        case .object(let members): members["@value"]?.text
        default: nil
        }
    }

    /// The text on one line, as people read it.
    var line: String? { text.flatMap(PlainText.line) }

    /// The text as an address or an id.
    var address: String? { text.flatMap(PlainText.address) }
}
