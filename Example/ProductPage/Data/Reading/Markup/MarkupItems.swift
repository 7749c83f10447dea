/// The items of a page's microdata and RDFa, as JSON-LD would write them.
struct MarkupItems {
    private let markup: Markup
    /// What each item says of itself.
    private var properties: [Int: [Int]] = [:]
    private var ids: [String: Int] = [:]
    /// How many more times an item may include an element by its id.
    private var inclusions = 50

    private static let maximumDepth = 60

    /// Those that are not a part of another, in the page's order.
    static func read(_ markup: Markup) -> [JSON] {
        var items = MarkupItems(markup)
        return markup.elements.indices.filter {
            let element = markup.elements[$0]
            return element.isItem && (element.names.isEmpty || element.owner == nil)
        }.map { items.object($0) }
    }

    private init(_ markup: Markup) {
        self.markup = markup
        for (place, element) in markup.elements.enumerated() {
            if let owner = element.owner, !element.names.isEmpty {
                properties[owner, default: []].append(place)
            }
            if let id = element.tag["id"], ids[id] == nil { ids[id] = place }
        }
    }

    private mutating func object(_ place: Int, depth: Int = 0, isIncluded: Bool = false) -> JSON {
        guard depth < Self.maximumDepth else { return .null }
        let element = markup.elements[place]
        var values: [String: [JSON]] = [:]
        let own = (properties[place] ?? []).map { (place: $0, isIncluded: isIncluded) }
        // What is included includes nothing more, or a page could name itself without end.
        let included = isIncluded ? [] : included(by: element).map { (place: $0, isIncluded: true) }
        for property in own + included {
            let (names, value) = value(property.place, depth, property.isIncluded)
            for name in names { values[name, default: []].append(value) }
        }
        var members = values.mapValues(JSON.array)
        let types = element.tag.words(element.tag["itemtype"] == nil ? "typeof" : "itemtype")
        members["@type"] = .array(types.map(JSON.string))
        let subject = element.tag["typeof"].flatMap { _ in element.tag["resource"] ?? element.tag["about"] }
        members["@id"] = (element.tag["itemid"] ?? subject).map(JSON.string)
        return .object(members)
    }

    private mutating func value(_ place: Int, _ depth: Int, _ isIncluded: Bool) -> ([String], JSON) {
        let element = markup.elements[place]
        if element.isItem { return (element.names, object(place, depth: depth + 1, isIncluded: isIncluded)) }
        return (element.names, .string(Self.attribute(of: element) ?? markup.text(of: element)))
    }

    /// What `itemref` names, wherever it stands.
    private mutating func included(by element: Markup.Element) -> [Int] {
        var included: [Int] = []
        for id in element.tag.words("itemref") where inclusions > 0 {
            guard let place = ids[id] else { continue }
            inclusions -= 1
            included += (place..<markup.elements[place].end).filter {
                let inner = markup.elements[$0]
                return !inner.names.isEmpty && inner.owner == markup.elements[place].owner
            }
        }
        return included
    }

    /// What an element says by its attributes; `nil` where its text is the value.
    private static func attribute(of element: Markup.Element) -> String? {
        let tag = element.tag
        if let content = tag["content"], !content.isEmpty || tag.name == "meta" { return content }
        let isAddress = element.names.contains { Vocabulary.addresses.contains($0) }
        switch tag.name {
        case "meta": return ""
        case "img", "source", "video", "audio", "iframe", "embed", "track":
            if !isAddress, let words = tag["alt"] { return words }
            return [tag["src"], tag["data-src"]].compactMap { $0 }.first { !$0.hasPrefix("data:") }
        case "link": return tag["href"] ?? tag["resource"] ?? ""
        case "data", "meter", "input": return tag["value"]
        case "time": return tag["datetime"]
        default: return isAddress ? tag["href"] ?? tag["resource"] : nil
        }
    }
}
