/// A JSON value. A number keeps its literal, so that 2^63 and 0.1 stay exact; the members of an object are sorted by
/// the bytes of their keys, each of which exists once.
///
/// Texts are equal if their bytes are: `String` takes canonically equivalent ones as equal, and a recording must not.
package enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])

    package static func number(_ number: Int) -> Self { .number("\(number)") }

    /// An object of these members, in any order; the last one of a key counts.
    package static func object(_ members: KeyValuePairs<String, JSONValue>) -> Self {
        .object(members.reduce(into: []) { $0.set($1.key, to: $1.value) })
    }

    package var int: Int? { if case .number(let literal) = self { Int(literal) } else { nil } }
    package var string: String? { if case .string(let text) = self { text } else { nil } }
    package var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    package var object: [JSONMember]? { if case .object(let members) = self { members } else { nil } }

    /// The value of a member; nil if there is none, or if this is no object.
    package subscript(key: String) -> JSONValue? { object?[key] }

    /// How many arrays and objects are inside each other.
    package var depth: Int {
        switch self {
        case .array(let elements): 1 + (elements.lazy.map(\.depth).max() ?? 0)
        case .object(let members): 1 + (members.lazy.map(\.value.depth).max() ?? 0)
        default: 0
        }
    }
}

/// A member of an object.
package struct JSONMember: Sendable, Hashable {
    package let key: String
    package var value: JSONValue

    package init(_ key: String, _ value: JSONValue) { (self.key, self.value) = (key, value) }

    package static func == (left: Self, right: Self) -> Bool {
        left.key.byteOrder(to: right.key) == 0 && left.value == right.value
    }
}

extension JSONValue: Hashable {
    package static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left.byteOrder(to: right) == 0
        case (.string(let left), .string(let right)): left.byteOrder(to: right) == 0
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }
}

extension [JSONMember] {
    package subscript(key: String) -> JSONValue? {
        let place = place(of: key)
        return place.isFound ? self[place.index].value : nil
    }

    /// Where the member with this key is, or belongs.
    func place(of key: String) -> (index: Int, isFound: Bool) {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            let order = self[middle].key.byteOrder(to: key)
            if order == 0 { return (middle, true) }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return (low, false)
    }

    package mutating func set(_ key: String, to value: JSONValue) {
        let (index, isFound) = place(of: key)
        if isFound { self[index].value = value } else { insert(.init(key, value), at: index) }
    }
}

extension String {
    /// The order of the bytes of both: negative, 0 or positive.
    func byteOrder(to other: String) -> Int {
        let order = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in
                for index in 0..<min(left.count, right.count) where left[index] != right[index] {
                    return Int(left[index]) - Int(right[index])
                }
                return left.count - right.count
            }
        }
        if let order, let order { return order }
        return utf8.elementsEqual(other.utf8) ? 0 : utf8.lexicographicallyPrecedes(other.utf8) ? -1 : 1
    }
}
