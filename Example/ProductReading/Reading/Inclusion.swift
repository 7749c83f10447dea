/// Puts into the items of a page what they include by `itemref`: the elements of those ids, in any place of the page.
struct Inclusion {
    /// The member in which an item says which elements it includes.
    static let key = "@itemref"

    /// The properties of the elements with an id, by that id.
    let groups: [String: Node]
    let today: Day
    /// How many more there may be, in all of a page, and how deep inside each other: an included element may include more.
    private var left = 200
    private static let maximumDepth = 1_500

    init(groups: [String: Node], today: Day) { (self.groups, self.today) = (groups, today) }

    /// The value with what its items include, and what that includes.
    mutating func completed(_ value: JSON, depth: Int = 0) -> JSON {
        guard depth < Self.maximumDepth else { return .null }
        switch value {
        case .array(let elements): return .array(elements.map { completed($0, depth: depth + 1) })
        case .object(var members):
            let names = members.removeValue(forKey: Self.key)?.elements.compactMap(\.text) ?? []
            for name in names where left > 0 {
                guard let group = groups[name] else { continue }
                left -= 1
                members.merge(group) { .array([$0, $1]) }
            }
            for (name, value) in members { members[name] = completed(value, depth: depth + 1) }
            return .object(names.isEmpty ? members : members.marked(on: today))
        default: return value
        }
    }
}
