/// The items of a page's microdata and RDFa, as JSON-LD would write them.
struct MarkupItems {
    private let ids: [String: Markup.Element]
    /// How many more times an item may include an element by its id.
    private var inclusions = 50
    private var roots: [JSON] = []

    private static let maximumDepth = 60

    /// Those that are not a part of another, in the page's order.
    static func read(_ markup: Markup) -> [JSON] {
        var items = MarkupItems(ids: markup.ids)
        items.findRoots(in: markup.root, isInside: false)
        return items.roots
    }

    private init(ids: [String: Markup.Element]) { self.ids = ids }

    private mutating func findRoots(in element: Markup.Element, isInside: Bool) {
        for part in element.parts {
            if part.isItem, part.names.isEmpty || !isInside { roots.append(object(part)) }
            findRoots(in: part, isInside: isInside || part.isItem)
        }
    }

    private mutating func object(_ item: Markup.Element, depth: Int = 0, isIncluded: Bool = false) -> JSON {
        guard depth < Self.maximumDepth else { return .null }
        var values: [String: [JSON]] = [:]
        collect(item.parts, in: &values, depth, isIncluded)
        // What is included includes nothing more, or a page could name itself without end.
        for id in item.tag.words("itemref") where inclusions > 0 && !isIncluded {
            guard let element = ids[id] else { continue }
            inclusions -= 1
            collect([element], in: &values, depth, true)
        }
        var members = values.mapValues(JSON.array)
        let types = item.tag.words(item.tag["itemtype"] == nil ? "typeof" : "itemtype")
        members["@type"] = .array(types.map(JSON.string))
        let subject = item.tag["typeof"].flatMap { _ in item.tag["resource"] ?? item.tag["about"] }
        members["@id"] = (item.tag["itemid"] ?? subject).map(JSON.string)
        return .object(members)
    }

    private mutating func collect(
        _ parts: [Markup.Element], in values: inout [String: [JSON]], _ depth: Int, _ isIncluded: Bool
    ) {
        for part in parts {
            if !part.names.isEmpty {
                let value = value(part, depth, isIncluded)
                for name in part.names { values[name, default: []].append(value) }
            }
            if !part.isItem { collect(part.parts, in: &values, depth, isIncluded) }
        }
    }

    private mutating func value(_ part: Markup.Element, _ depth: Int, _ isIncluded: Bool) -> JSON {
        if part.isItem { return object(part, depth: depth + 1, isIncluded: isIncluded) }
        if let value = Self.attribute(of: part) { return value }
        // Some name the property on one element and begin its item on the next.
        let items = part.parts.filter { $0.isItem && $0.names.isEmpty }
        guard !items.isEmpty, part.names.contains(where: Vocabulary.things.contains) else {
            return .string(part.text)
        }
        return .array(items.map { object($0, depth: depth + 1, isIncluded: isIncluded) })
    }

    /// What an element says by its attributes; `nil` where its content is the value.
    private static func attribute(of element: Markup.Element) -> JSON? {
        let tag = element.tag
        if let content = tag["content"], !content.isEmpty || tag.name == "meta" { return .string(content) }
        let isAddress = element.names.contains { Vocabulary.addresses.contains($0) }
        let value: String? =
            switch tag.name {
            case "meta": ""
            case "img", "source", "video", "audio", "iframe", "embed", "track":
                isAddress || tag["alt"] == nil
                    ? [tag["src"], tag["data-src"]].compactMap { $0 }.first { !$0.hasPrefix("data:") }
                    : tag["alt"]
            case "link": tag["href"] ?? tag["resource"] ?? ""
            case "data", "meter", "input": tag["value"]
            case "time": tag["datetime"]
            default: isAddress ? tag["href"] ?? tag["resource"] : nil
            }
        // In RDFa, a property may name the thing that another element describes.
        if value == nil, let id = tag["resource"] { return .object(["@id": .string(id)]) }
        return value.map(JSON.string)
    }
}
