import Foundation

/// A product, and what a list has to know of it.
struct ReadProduct {
    var product: Product
    /// Whether the data has a name for it.
    var isNamed: Bool
    var isListed = false
    /// Whether it was read in the markup of the page rather than in a script.
    var isMarkup = false

    /// What this one does not say, `other` does.
    mutating func take(_ other: ReadProduct) {
        if !isNamed, other.isNamed { product.name = other.product.name }
        isNamed = isNamed || other.isNamed
        isListed = isListed && other.isListed
        product = product.completed(from: other.product)
    }
}

/// Makes products of the nodes that describe them.
struct ProductReading {
    private let graph: Graph
    private var offers: OfferReading
    /// What a reference came to.
    private var groups: [String: ReadProduct] = [:]
    private var readVariants: Set<String> = []

    init(_ graph: Graph) {
        self.graph = graph
        offers = OfferReading(graph)
    }

    /// The product a node describes; of a group with variants, each variant, completed from the group.
    mutating func products(of node: Node, offer: JSON?) -> [ReadProduct] {
        let node = graph.whole(node)
        let product = completed(product(of: node, offer: offer), from: node["isVariantOf"])
        var variants: [ReadProduct] = []
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
        guard let first = variants.first else { return [product].compactMap { $0 } }
        let isNamed = variants.contains { $0.product.name != (product ?? first).product.name }
        if !isNamed, variants.count > 1, let product {
            return [whole(product, of: node)]
        }
        func canBeOrdered(_ variant: ReadProduct) -> Bool {
            variant.product.availability?.canBeOrdered != false
        }
        return variants.filter(canBeOrdered) + variants.filter { !canBeOrdered($0) }
    }

    /// A group whose variants have no names of their own: one product, with the prices of all of them.
    private mutating func whole(_ group: ReadProduct, of node: Node) -> ReadProduct {
        var (group, summary) = (group, OfferSummary())
        for variant in node["hasVariant"]?.elements ?? [] {
            guard let members = variant.members else { continue }
            summary.add(self.summary(of: graph.target(of: members)?.node ?? members, offer: nil))
        }
        if !summary.isEmpty {
            (group.product.price, group.product.availability) = (summary.price, summary.knownAvailability)
        }
        return group
    }

    /// With what its group says of all its variants.
    private mutating func completed(_ variant: ReadProduct?, from value: JSON?) -> ReadProduct? {
        guard var variant, let given = value?.elements.first?.members else { return variant }
        let target = graph.target(of: given)
        let group = target.flatMap { groups[$0.id] } ?? product(of: target?.node ?? given, offer: nil)
        if let target { groups[target.id] = group }
        if let group { variant.take(group) }
        return variant
    }

    /// `nil` for a node that neither names nor identifies anything, nor sells it.
    private mutating func product(of node: Node, offer: JSON?) -> ReadProduct? {
        let name = node["name"]?.text.flatMap { PlainText.line(PlainText.paragraphs($0) ?? $0) }
        let number = node.line("sku", "productID", "gtin13", "gtin", "gtin14", "gtin12", "gtin8", "mpn")
        guard
            let id = number ?? node.line("productGroupID", "@id", "id", "url") ?? name
                ?? (node["offers"] == nil ? nil : "")
        else { return nil }
        let summary = summary(of: node, offer: offer)
        let product = Product(
            id: id,
            name: name ?? id,
            description: node["description"]?.text.flatMap(PlainText.paragraphs),
            images: images(node["image"]),
            brand: (node["brand"] ?? node["manufacturer"])?.elements.first.flatMap { text($0, ["name"]) },
            sku: node.line("sku"),
            price: summary.price,
            availability: summary.knownAvailability,
            rating: rating(node["aggregateRating"]),
            url: node.line("url") ?? summary.url
        )
        return ReadProduct(product: product, isNamed: name != nil)
    }

    /// Its own offers, those around it, those that name it, or its own price, which is misplaced there.
    private mutating func summary(of node: Node, offer: JSON?) -> OfferSummary {
        let named = node.id.flatMap { graph.offers[$0] }.map(JSON.array)
        for value in [node["offers"], offer, named, node.hasPrice ? .object(node) : nil] {
            let summary = offers.summary(of: value)
            if !summary.isEmpty || summary.availability != nil { return summary }
        }
        return OfferSummary()
    }

    /// The addresses of images: texts, or `ImageObject`s, each once.
    private func images(_ value: JSON?) -> [String] {
        // More than any page shows; and looking for repetitions stays cheap.
        (value?.elements.prefix(100) ?? []).reduce(into: []) { addresses, element in
            let address = text(element, ["url", "contentUrl", "@id"])
            if let address, !addresses.contains(address) { addresses.append(address) }
        }
    }

    /// A text, or the first of those members that an object has.
    private func text(_ value: JSON, _ members: [String]) -> String? {
        guard let node = value.members, node["@value"] == nil else { return value.line }
        return (graph.target(of: node)?.node ?? node).line(members)
    }

    private func rating(_ value: JSON?) -> Rating? {
        guard let given = value?.elements.first?.members else { return nil }
        let node = graph.target(of: given)?.node ?? given
        guard let value = number(node["ratingValue"]) else { return nil }
        let count = number(node["ratingCount"]) ?? number(node["reviewCount"])
        return Rating(
            value: value, best: number(node["bestRating"]),
            count: count.flatMap { Int(DecimalText.plain($0)) })
    }

    /// On a scale of a few points a comma can only be a decimal one.
    private func number(_ value: JSON?) -> Decimal? {
        (value?.line?.replacing(",", with: ".", maxReplacements: 1)).flatMap(DecimalText.parse)
    }
}
