/// Walks through two values in parallel with `Mirror`, and collects the differences for ``StateDiff``.
struct Comparison {
    private(set) var changes: [StateDiff.Change] = []
    private(set) var isComplete = true
    private let limits: StateDiff.Limits
    private var visited = 0

    init(_ limits: StateDiff.Limits) { self.limits = limits }

    mutating func compare(_ before: Any, _ after: Any, at path: String) {
        guard mayVisit() else { return }
        if let known = Self.areEqual(before, after), known { return }
        let (left, right) = (Mirror(reflecting: before), Mirror(reflecting: after))
        guard left.subjectType == right.subjectType, left.displayStyle == right.displayStyle else {
            return note(path, before, after)
        }
        switch left.displayStyle {
        case .optional: compareOptionals(left, right, before, after, path)
        case .collection: compareArrays(left, right, path)
        case .dictionary: compareDictionaries(left, right, path)
        case .set: compareSets(left, right, path)
        case .enum: compareCases(left, right, before, after, path)
        case .class, .foreignReference: compareObjects(before, after, path)
        case .struct where Self.differInText(before, after): note(path, before, after)
        case .struct, .tuple: compareParts(left, right, before, after, path)
        default: compareParts(left, right, before, after, path)
        }
    }

    private mutating func mayVisit() -> Bool {
        visited += 1
        if visited > limits.values || changes.count >= limits.changes { isComplete = false }
        return isComplete
    }

    /// Whether the values are equal; nil if they are not `Equatable` or of different types.
    private static func areEqual(_ before: Any, _ after: Any) -> Bool? {
        func compare<Value: Equatable>(_ before: Value) -> Bool? { (after as? Value).map { $0 == before } }
        return (before as? any Equatable).flatMap { compare($0) }
    }

    /// The types whose text is of more use than their parts.
    private static let describedTypes: Set = ["Date", "Decimal", "Duration", "Locale", "TimeZone", "URL"]

    /// Whether the values are of such a type, of the standard library or of Foundation, and their texts differ.
    private static func differInText(_ before: Any, _ after: Any) -> Bool {
        let name = String(reflecting: type(of: before)).split(separator: ".")
        guard name.count == 2, ["Swift", "Foundation", "FoundationEssentials"].contains(name[0]) else {
            return false
        }
        return describedTypes.contains(String(name[1])) && "\(before)" != "\(after)"
    }

    // MARK: Kinds

    private mutating func compareOptionals(
        _ left: Mirror, _ right: Mirror, _ before: Any, _ after: Any, _ path: String
    ) {
        switch (left.children.first?.value, right.children.first?.value) {
        case (let before?, let after?): compare(before, after, at: path)
        case (nil, nil): break
        default: note(path, before, after)
        }
    }

    private mutating func compareArrays(_ left: Mirror, _ right: Mirror, _ path: String) {
        let (before, after) = (left.children.map(\.value), right.children.map(\.value))
        let shorter = min(before.count, after.count)
        var start = 0
        while start < shorter, same(before[start], after[start]) { start += 1 }
        var end = 0
        while end < shorter - start, same(before[before.count - 1 - end], after[after.count - 1 - end]) {
            end += 1
        }
        let (removed, inserted) = (before[start..<before.count - end], after[start..<after.count - end])
        for (index, (old, new)) in zip(removed, inserted).enumerated() {
            compare(old, new, at: "\(path)[\(start + index)]")
        }
        for index in removed.indices.dropFirst(inserted.count) {
            note("\(path)[\(index)]", before: removed[index])
        }
        for index in inserted.indices.dropFirst(removed.count) {
            note("\(path)[\(index)]", after: inserted[index])
        }
    }

    /// Whether two elements have no differences.
    private mutating func same(_ before: Any, _ after: Any) -> Bool {
        if let known = Self.areEqual(before, after) { return known }
        var inner = Comparison(.init(changes: 1, values: max(0, limits.values - visited)))
        inner.compare(before, after, at: "")
        visited += inner.visited
        return inner.changes.isEmpty
    }

    private mutating func compareDictionaries(_ left: Mirror, _ right: Mirror, _ path: String) {
        func pairs(_ mirror: Mirror) -> [AnyHashable: Any] {
            var pairs: [AnyHashable: Any] = [:]
            for child in mirror.children {
                let pair = Mirror(reflecting: child.value).children.map(\.value)
                if pair.count == 2, let key = pair[0] as? AnyHashable { pairs[key] = pair[1] }
            }
            return pairs
        }
        let (before, after) = (pairs(left), pairs(right))
        for (key, name) in Self.sorted(Set(before.keys).union(after.keys)) {
            let path = "\(path)[\(name)]"
            switch (before[key], after[key]) {
            case (let old?, let new?): compare(old, new, at: path)
            case (let old?, nil): note(path, before: old)
            case (nil, let new?): note(path, after: new)
            case (nil, nil): break
            }
        }
    }

    private mutating func compareSets(_ left: Mirror, _ right: Mirror, _ path: String) {
        func members(_ mirror: Mirror) -> Set<AnyHashable> {
            Set(mirror.children.compactMap { $0.value as? AnyHashable })
        }
        let (before, after) = (members(left), members(right))
        for (member, _) in Self.sorted(before.subtracting(after)) { note(path, before: member.base) }
        for (member, _) in Self.sorted(after.subtracting(before)) { note(path, after: member.base) }
    }

    /// Sorted by their descriptions, so that the order is deterministic.
    private static func sorted(_ keys: Set<AnyHashable>) -> [(AnyHashable, String)] {
        keys.map { ($0, ValueText($0.base).description) }.sorted { $0.1 < $1.1 }
    }

    private mutating func compareCases(
        _ left: Mirror, _ right: Mirror, _ before: Any, _ after: Any, _ path: String
    ) {
        guard let old = left.children.first, let new = right.children.first, old.label == new.label else {
            // Two different cases, or a case without associated values, where only the names can differ.
            if String(describing: before) != String(describing: after) || !left.children.isEmpty
                || !right.children.isEmpty
            {
                note(path, before, after)
            }
            return
        }
        compare(old.value, new.value, at: Self.join(path, old.label))
    }

    private mutating func compareObjects(_ before: Any, _ after: Any, _ path: String) {
        let (old, new) = (before as AnyObject, after as AnyObject)
        if old !== new { note(path, "\(type(of: before))", "another \(type(of: after))", isText: true) }
    }

    private mutating func compareParts(
        _ left: Mirror, _ right: Mirror, _ before: Any, _ after: Any, _ path: String
    ) {
        let (old, new) = (Array(left.children), Array(right.children))
        guard !old.isEmpty, old.count == new.count else {
            if String(reflecting: before) != String(reflecting: after) { note(path, before, after) }
            return
        }
        for (old, new) in zip(old, new) { compare(old.value, new.value, at: Self.join(path, old.label)) }
    }

    private static func join(_ path: String, _ label: String?) -> String {
        guard let label else { return path }
        return path.isEmpty ? label : "\(path).\(label)"
    }

    // MARK: Collecting

    private mutating func note(_ path: String, _ before: Any, _ after: Any, isText: Bool = false) {
        let texts = DifferingTexts(
            isText ? "\(before)" : text(of: before), isText ? "\(after)" : text(of: after))
        add(path, cut(texts.before), cut(texts.after))
    }

    private mutating func note(_ path: String, before: Any) { add(path, cut(text(of: before)), nil) }
    private mutating func note(_ path: String, after: Any) { add(path, nil, cut(text(of: after))) }

    private mutating func add(_ path: String, _ before: String?, _ after: String?) {
        guard changes.count < limits.changes else { return isComplete = false }
        changes.append(.init(path: path, before: before, after: after))
    }

    private func text(of value: Any) -> String { ValueText(value).description }

    private func cut(_ text: String) -> String {
        text.count > limits.characters ? text.prefix(limits.characters) + "…" : text
    }
}
