import TestSupport

@testable import PromisedRecording

extension JSONValue {
    /// A value of any kind, with at most so many levels.
    static func random(depth: Int, using generator: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 5), using: &generator) {
        case 0: return .null
        case 1: return .bool(.random(using: &generator))
        case 2: return .number(.random(in: 0..<4, using: &generator))
        case 3, 4: return .string(texts.randomElement(using: &generator) ?? "")
        case 5, 6:
            let count = Int.random(in: 0..<7, using: &generator)
            return .array((0..<count).map { _ in random(depth: depth - 1, using: &generator) })
        case 7:
            let ids = Array(0..<Int.random(in: 0..<9, using: &generator)).shuffled(using: &generator)
            return .array(
                ids.map { id in
                    .object(["id": .number(id), "value": random(depth: depth - 1, using: &generator)])
                })
        default:
            var members: [JSONMember] = []
            for _ in 0..<Int.random(in: 0..<6, using: &generator) {
                members.set(
                    texts.randomElement(using: &generator) ?? "",
                    to: random(depth: depth - 1, using: &generator))
            }
            return .object(members)
        }
    }

    /// The value with a few parts of it replaced.
    func mutated(using generator: inout SeededGenerator) -> JSONValue {
        if Int.random(in: 0..<8, using: &generator) == 0 { return .random(depth: 2, using: &generator) }
        switch self {
        case .array(var elements):
            for index in elements.indices where Int.random(in: 0..<4, using: &generator) == 0 {
                elements[index] = elements[index].mutated(using: &generator)
            }
            if let index = elements.indices.randomElement(using: &generator), Bool.random(using: &generator) {
                elements.remove(at: index)
            }
            if Bool.random(using: &generator) {
                let index = Int.random(in: 0...elements.count, using: &generator)
                elements.insert(.random(depth: 1, using: &generator), at: index)
            }
            return .array(elements)
        case .object(var members):
            for index in members.indices where Int.random(in: 0..<3, using: &generator) == 0 {
                members[index].value = members[index].value.mutated(using: &generator)
            }
            return .object(members)
        default: return .random(depth: 1, using: &generator)
        }
    }

    /// Keys and texts that are easily confused or damaged.
    private static let texts = [
        "", "a", "b", "id", "é", "e\u{301}", "\u{0}", "\"\\\n\u{1F}", "</script>", "😀\u{200D}👩", "\u{FFFD}",
        "a longer text that takes memory of its own",
    ]
}

/// A value read from text.
func json(_ text: String, values: Int = 4_000_000) throws -> JSONValue {
    try json(Array(text.utf8), values: values)
}

func json(_ bytes: [UInt8], values: Int = 4_000_000) throws -> JSONValue {
    try JSONValue(parsing: bytes, values: values)
}
