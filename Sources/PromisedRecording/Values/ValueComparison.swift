extension ValuePatch {
    /// The difference that makes `new` of `old`.
    ///
    /// - Parameter renaming: Whether a member may be renamed, as when the case of an enum changes: shorter where the
    ///   value is large.
    package init(from old: JSONValue, to new: JSONValue, renaming: Bool = false) {
        renames = renaming
        compare(old, new, [])
        renames = false
    }

    /// How far the next element that is the same is looked for in an array.
    private static let maximumGap = 64

    private mutating func compare(_ old: JSONValue, _ new: JSONValue, _ path: [ValuePathPart]) {
        let count = changes.count
        switch (old, new) {
        case (.object(let old), .object(let new)): compare(old, new, path)
        case (.array(let old), .array(let new)): compare(old, new, path)
        default: if old != new { changes.append(.init(path: path, values: [new])) }
        }
        // The whole value, if that is shorter.
        guard changes.count > count + 1 else { return }
        let size = changes[count...].reduce(0) { $0 + $1.size }
        guard 10 * path.count + new.size(upTo: size) < size else { return }
        changes.replaceSubrange(count..., with: [.init(path: path, values: [new])])
    }

    private mutating func compare(_ old: [JSONMember], _ new: [JSONMember], _ path: [ValuePathPart]) {
        if renames, old.count == 1, new.count == 1, old[0].key != new[0].key {
            let path = path + [.key(new[0].key)]
            changes.append(.init(path: path, formerKey: old[0].key))
            return compare(old[0].value, new[0].value, path)
        }
        var (left, right) = (0, 0)
        while left < old.count || right < new.count {
            let order =
                left == old.count ? 1 : right == new.count ? -1 : old[left].key.byteOrder(to: new[right].key)
            if order < 0 {
                changes.append(.init(path: path + [.key(old[left].key)]))
            } else if order > 0 {
                changes.append(.init(path: path + [.key(new[right].key)], values: [new[right].value]))
            } else {
                compare(old[left].value, new[right].value, path + [.key(new[right].key)])
            }
            if order <= 0 { left += 1 }
            if order >= 0 { right += 1 }
        }
    }

    // MARK: Arrays

    private mutating func compare(_ old: [JSONValue], _ new: [JSONValue], _ path: [ValuePathPart]) {
        let (left, right) = (old.map(\.identity), new.map(\.identity))
        var (index, newIndex) = (0, 0)
        while index < old.count || newIndex < new.count {
            let (removed, inserted) = Self.gap(left[index...], right[newIndex...])
            if removed + inserted > 0 {
                let range = newIndex..<newIndex + removed
                let values = Array(new[newIndex..<newIndex + inserted])
                changes.append(.init(path: path, elements: range, values: values))
            } else {
                compare(old[index], new[newIndex], path + [.index(newIndex)])
            }
            index += max(removed, removed + inserted > 0 ? 0 : 1)
            newIndex += max(inserted, removed + inserted > 0 ? 0 : 1)
        }
    }

    /// How many elements were removed or inserted before the next one that is the same; none if it was changed.
    private static func gap(_ old: ArraySlice<Int>, _ new: ArraySlice<Int>) -> (removed: Int, inserted: Int) {
        guard let first = old.first, let firstNew = new.first else { return (old.count, new.count) }
        if first == firstNew { return (0, 0) }
        let removed = old.prefix(maximumGap).firstIndex(of: firstNew).map { $0 - old.startIndex }
        let inserted = new.prefix(maximumGap).firstIndex(of: first).map { $0 - new.startIndex }
        return switch (removed, inserted) {
        case (let removed?, let inserted?): removed <= inserted ? (removed, 0) : (0, inserted)
        default: (removed ?? 0, inserted ?? 0)
        }
    }
}

extension JSONValue {
    /// Elements with the same one are compared with each other: that of the member `id`, if there is one. Others may
    /// have it by chance, which makes a difference longer, and not wrong.
    fileprivate var identity: Int { (self["id"] ?? self).hashValue }
}
