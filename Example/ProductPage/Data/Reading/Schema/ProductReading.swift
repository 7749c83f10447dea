import Foundation

/// Makes products of the nodes that describe them.
struct ProductReading {
    /// A product, and whether the data has a name for it.
    struct Reading {
        var product: Product
        var isNamed: Bool
    }

    private let graph: Graph
    private var offers: OfferReading
    /// What a reference came to; the text is then one in memory, however many products share it.
    private var names: [String: String] = [:]
    private var groups: [String: Reading] = [:]
    private var readVariants: Set<String> = []

    init(_ graph: Graph) {
        self.graph = graph
        offers = OfferReading(graph)
    }

    /// The product a node describes; of a group with variants, each variant, completed from the group.
    mutating func products(of found: Graph.Found) -> [Reading] {
        let node = graph.whole(found.node)
        let product = completed(product(of: node, offer: found.offer), from: node["isVariantOf"])
        var variants: [Reading] = []
        for variant in node["hasVariant"]?.elements ?? [] {
            guard var members = variant.members else { continue }
            if let (id, target) = graph.target(of: members) {
                guard readVariants.insert(id).inserted else { continue }
                members = target
            }
            guard var found = self.product(of: members, offer: nil) else { continue }
            if let product { found.take(product) }
            variants.append(found)
        }
        return variants.isEmpty ? [product].compactMap { $0 } : variants
    }

    /// With what its group says of all its variants.
    private mutating func completed(_ variant: Reading?, from value: JSON?) -> Reading? {
        guard var variant, let given = value?.elements.first?.members else { return variant }
        let target = graph.target(of: given)
        let group = target.flatMap { groups[$0.id] } ?? product(of: target?.node ?? given, offer: nil)
        if let target { groups[target.id] = group }
        if let group { variant.take(group) }
        return variant
    }

    private static let identifiers = [
        "sku", "productID", "gtin13", "gtin", "gtin14", "gtin12", "gtin8", "mpn", "productGroupID", "@id",
        "id", "url",
    ]

    /// `nil` for a node that neither names nor identifies anything.
    private mutating func product(of node: Node, offer: JSON?) -> Reading? {
        let name = node["name"]?.text.flatMap { PlainText.line(PlainText.paragraphs($0) ?? $0) }
        let identifier = Self.first(Self.identifiers, of: node)
        guard let id = identifier ?? name else { return nil }
        let summary = summary(of: node, offer: offer)
        let product = Product(
            id: id,
            name: name ?? id,
            description: node["description"]?.text.flatMap(PlainText.paragraphs),
            images: addresses(node["image"]),
            brand: (node["brand"] ?? node["manufacturer"])?.elements.first.flatMap { text($0, ["name"]) },
            sku: line(node["sku"]),
            price: summary.price,
            availability: summary.knownAvailability,
            rating: rating(node["aggregateRating"]),
            url: line(node["url"]) ?? summary.url
        )
        return Reading(product: product, isNamed: name != nil)
    }

    /// Its own offers, those around it, those that name it, or its own price, which is misplaced there.
    private mutating func summary(of node: Node, offer: JSON?) -> OfferSummary {
        let named = node.id.flatMap { graph.offers[$0] }.map(JSON.array)
        for value in [node["offers"], offer, named, node.hasPrice ? .object(node) : nil] {
            guard let value else { continue }
            let summary = offers.summary(of: value)
            if !summary.isEmpty || summary.availability != nil { return summary }
        }
        return OfferSummary()
    }

    private func line(_ value: JSON?) -> String? { value?.text.flatMap(PlainText.line) }

    private static func first(_ names: [String], of node: Node) -> String? {
        names.lazy.compactMap { node[$0]?.text.flatMap(PlainText.line) }.first
    }

    /// The addresses of images: texts, or `ImageObject`s, each once.
    private mutating func addresses(_ value: JSON?) -> [String] {
        var addresses: [String] = []
        // More than any page shows; and looking for repetitions stays cheap.
        for element in value?.elements.prefix(100) ?? [] {
            let address = text(element, ["url", "contentUrl", "@id"])
            if let address, !addresses.contains(address) { addresses.append(address) }
        }
        return addresses
    }

    /// A text, or the first of those members that an object has.
    private mutating func text(_ value: JSON, _ members: [String]) -> String? {
        guard let node = value.members, node["@value"] == nil else { return line(value) }
        guard let (id, target) = graph.target(of: node) else {
            return Self.first(members, of: node)
        }
        let key = "\(members[0]) \(id)"
        names[key] = names[key] ?? Self.first(members, of: target)
        return names[key]
    }

    private func rating(_ value: JSON?) -> Rating? {
        guard let given = value?.elements.first?.members else { return nil }
        let node = graph.target(of: given)?.node ?? given
        guard let value = number(node["ratingValue"]) else { return nil }
        let counts = ["ratingCount", "reviewCount"].lazy.compactMap { number(node[$0]) }
        let count = counts.first.flatMap { Int(DecimalText.plain($0)) }
        return Rating(value: value, best: number(node["bestRating"]), count: count)
    }

    /// On a scale of a few points a comma can only be a decimal one.
    private func number(_ value: JSON?) -> Decimal? {
        guard let text = value?.text, text.utf8.count <= 128, let line = PlainText.line(text) else {
            return nil
        }
        return DecimalText.parse(line.replacing(",", with: ".", maxReplacements: 1))
    }
}

extension ProductReading.Reading {
    /// What this one does not say, `other` does.
    mutating func take(_ other: Self) {
        if !isNamed, other.isNamed { product.name = other.product.name }
        isNamed = isNamed || other.isNamed
        product = product.completed(from: other.product)
    }
}
