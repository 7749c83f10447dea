/// A step of a path into a value.
package enum ValuePathPart: Sendable, Hashable {
    case key(String)
    case index(Int)

    var json: JSONValue {
        switch self {
        case .key(let key): .string(key)
        case .index(let index): .number(index)
        }
    }

    init?(json: JSONValue) {
        guard let part = json.string.map({ Self.key($0) }) ?? json.int.map({ .index($0) }) else { return nil }
        self = part
    }
}

/// Why a patch cannot be read or applied: it was made for another value, or is damaged.
package struct PatchProblem: Error, Sendable, Equatable {
    package let reason: String
}

/// The difference between two values, as a list of changes that are applied in order.
///
/// As JSON, `[path, value]` sets a value, `[path]` removes a member of an object, `[path, index, removed, [inserted…]]`
/// replaces elements of an array, and `[path, "from", key]` renames a member, whose path is the new one. A path is a list
/// of keys and indices.
package struct ValuePatch: Sendable, Hashable {
    struct PatchOperation: Sendable, Hashable {
        let path: [ValuePathPart]
        /// The elements that are replaced, of the array at the path; nil if the value itself is set or removed.
        var elements: (Range<Int>)?
        /// The elements in place of the old ones; or the new value, none for a removal.
        var values: [JSONValue] = []
        /// The former key of a member that is renamed.
        var formerKey: String?

        /// The approximate length of its text.
        var size: Int { 10 * path.count + JSONValue.array(values).size() }
    }

    var changes: [PatchOperation] = []
    /// Whether members may be renamed; only while a difference is made.
    var renames = false

    package var isEmpty: Bool { changes.isEmpty }

    /// The places that it changes.
    package var paths: [[ValuePathPart]] { changes.map(\.path) }

    // MARK: As JSON

    package init(json: JSONValue) throws(PatchProblem) {
        guard let items = json.array else { throw PatchProblem(reason: "it is no list") }
        for item in items {
            guard let change = PatchOperation(json: item.array ?? []) else {
                throw PatchProblem(reason: "a change is unknown")
            }
            changes.append(change)
        }
    }

    package var json: JSONValue {
        .array(
            changes.map { change in
                let path = JSONValue.array(change.path.map(\.json))
                if let key = change.formerKey { return .array([path, .string("from"), .string(key)]) }
                guard let range = change.elements else { return .array([path] + change.values) }
                return .array([path, .number(range.lowerBound), .number(range.count), .array(change.values)])
            })
    }

    /// A line for each change, such as `lines[2].count: 3 → 4`.
    ///
    /// - Parameter old: The value that the changes are applied to.
    package func lines(from old: JSONValue) -> [String] {
        var value = old
        return changes.indices.map { index in
            // Its indices are those after the changes before. The last one is not applied: it may be a large copy.
            if index > 0 { try? changes[index - 1].apply(to: &value) }
            let change = changes[index]
            let new = Self.text(of: change.values[...])
            if let range = change.elements {
                let elements = value.value(at: change.path)?.array ?? []
                let removed = Self.text(of: elements[range.clamped(to: 0..<elements.count)])
                let parts = [range.isEmpty ? "" : "- \(removed)", change.values.isEmpty ? "" : "+ \(new)"]
                let text = parts.filter { !$0.isEmpty }.joined(separator: " ")
                return "\(change.path.text)[\(range.lowerBound)]: \(text)"
            }
            if let key = change.formerKey { return "\(change.path.text): was \(key)" }
            let before = value.value(at: change.path)?.shortText
            let text =
                change.values.isEmpty ? "- \(before ?? "")" : before.map { "\($0) → \(new)" } ?? "+ \(new)"
            return change.path.isEmpty ? text : "\(change.path.text): \(text)"
        }
    }

    /// Of many values, the first ones.
    private static func text(of values: ArraySlice<JSONValue>) -> String {
        let texts = values.prefix(10).map(\.shortText)
        return (values.count > 10 ? texts + ["… \(values.count) in all"] : texts).joined(separator: ", ")
    }

    // MARK: Applying

    /// The value after the changes.
    package func applied(to value: JSONValue) throws(PatchProblem) -> JSONValue {
        var value = value
        try apply(to: &value)
        return value
    }

    /// Changes a value, in place where nothing else refers to its parts. After an error, it is of no use.
    package func apply(to value: inout JSONValue) throws(PatchProblem) {
        for change in changes { try change.apply(to: &value) }
    }
}

extension ValuePatch.PatchOperation {
    init?(json parts: [JSONValue]) {
        path = parts.first?.array?.compactMap { ValuePathPart(json: $0) } ?? []
        guard path.count == parts.first?.array?.count else { return nil }
        if parts.count == 4 {
            guard let index = parts[1].int, let removed = parts[2].int, let inserted = parts[3].array,
                index >= 0,
                removed >= 0, index <= .max - removed
            else { return nil }
            (elements, values) = (index..<index + removed, inserted)
        } else if parts.count == 3 {
            guard parts[1].string == "from", let key = parts[2].string, case .key? = path.last else {
                return nil
            }
            formerKey = key
        } else {
            guard parts.count <= 2 else { return nil }
            values = Array(parts.dropFirst())
        }
    }

    func apply(to value: inout JSONValue) throws(PatchProblem) {
        // Many patches must not make a value deeper than one that can be read.
        if path.count + JSONValue.array(values).depth > JSONLimits.depth {
            throw PatchProblem(reason: "the value would be too deep")
        }
        guard apply(to: &value, path[...]) else { throw PatchProblem(reason: "\(path.text) does not exist") }
    }

    /// - Returns: False if the place does not exist. Then the value is of no use.
    private func apply(to value: inout JSONValue, _ path: ArraySlice<ValuePathPart>) -> Bool {
        // A part is taken out while it is changed, so that it is not copied.
        switch (value, path.first) {
        case (.array(var items), nil) where elements.map { $0.upperBound <= items.count } ?? false:
            value = .null
            items.replaceSubrange(elements ?? 0..<0, with: values)
            value = .array(items)
        case (_, nil):
            guard elements == nil, let new = values.first else { return false }
            value = new
        case (.array(var items), .index(let index)?):
            guard items.indices.contains(index) else { return false }
            value = .null
            guard apply(to: &items[index], path.dropFirst()) else { return false }
            value = .array(items)
        case (.object(var members), .key(let key)?):
            value = .null
            let place = members.place(of: key)
            if path.count == 1, let formerKey {
                let former = members.place(of: formerKey)
                guard former.isFound, !place.isFound else { return false }
                let member = members.remove(at: former.index)
                members.insert(.init(key, member.value), at: members.place(of: key).index)
            } else if path.count == 1, elements == nil, !place.isFound || values.isEmpty {
                if place.isFound { members.remove(at: place.index) }
                guard place.isFound || !values.isEmpty else { return false }
                for value in values { members.insert(.init(key, value), at: place.index) }
            } else {
                guard place.isFound, apply(to: &members[place.index].value, path.dropFirst()) else {
                    return false
                }
            }
            value = .object(members)
        default: return false
        }
        return true
    }
}

// MARK: Paths

extension [ValuePathPart] {
    /// In Swift's notation, such as `lines[2].count`.
    package var text: String {
        reduce(into: "") { text, part in
            switch part {
            case .key(let key): text += text.isEmpty ? key : ".\(key)"
            case .index(let index): text += "[\(index)]"
            }
        }
    }
}

extension JSONValue {
    /// The value at a path; nil if there is none.
    package func value(at path: [ValuePathPart]) -> JSONValue? {
        path.reduce(self as JSONValue?) { value, part in
            switch part {
            case .key(let key): value?[key]
            case .index(let index): value?.array.flatMap { $0.indices.contains(index) ? $0[index] : nil }
            }
        }
    }
}
