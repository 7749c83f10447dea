import Foundation

/// Makes products of the nodes that describe them.
struct ProductReading {
    private let data: LinkedData
    private var offers: OfferReading
    private var things: ThingReading
    private var readVariants: Set<String> = []

    init(_ data: LinkedData) {
        self.data = data
        offers = OfferReading(data)
        things = ThingReading(data)
    }

    /// The product a node describes; of a group with variants, each variant, completed from the group.
    mutating func products(of node: [String: JSON]) -> [Product] {
        let product = product(of: node)
        var variants: [Product] = []
        for variant in node["hasVariant"]?.elements ?? [] {
            guard var members = variant.members else { continue }
            if let (id, target) = data.target(of: members) {
                guard readVariants.insert(id).inserted else { continue }
                members = target
            }
            guard let found = self.product(of: members) else { continue }
            variants.append(product.map(found.completed(from:)) ?? found)
        }
        return variants.isEmpty ? [product].compactMap { $0 } : variants
    }

    private static let identifiers = [
        "sku", "productID", "gtin13", "gtin", "gtin14", "gtin12", "gtin8", "mpn", "productGroupID", "@id",
        "id",
        "url",
    ]

    /// `nil` for a node that neither names nor identifies anything.
    private mutating func product(of node: [String: JSON]) -> Product? {
        let name = node["name"]?.text.flatMap(PlainText.line)
        let identifier = Self.identifiers.lazy.compactMap { node[$0]?.text.flatMap(PlainText.line) }.first
        guard let id = identifier ?? name else { return nil }
        let summary = node["offers"].map { offers.summary(of: $0) } ?? OfferSummary()
        return Product(
            id: id,
            name: name ?? id,
            description: node["description"]?.text.flatMap(PlainText.paragraphs),
            images: things.addresses(node["image"]),
            brand: (node["brand"] ?? node["manufacturer"]).flatMap { things.name($0) },
            sku: node["sku"]?.text.flatMap(PlainText.line),
            price: summary.price,
            availability: summary.availability,
            rating: rating(node["aggregateRating"]),
            url: node["url"]?.text.flatMap(PlainText.line) ?? summary.url
        )
    }

    private func rating(_ value: JSON?) -> Rating? {
        guard let given = value?.elements.first?.members else { return nil }
        let node = data.target(of: given)?.node ?? given
        guard let value = number(node["ratingValue"])
        else { return nil }
        let count = number(node["ratingCount"] ?? node["reviewCount"])
        return Rating(
            value: value, best: number(node["bestRating"]) ?? 5,
            count: count.flatMap { Int(DecimalText.plain($0)) })
    }

    /// On a scale of a few points a comma can only be a decimal one.
    private func number(_ value: JSON?) -> Decimal? {
        guard let text = value?.text, text.utf8.count <= 128, let line = PlainText.line(text) else {
            return nil
        }
        return DecimalText.parse(line.replacing(",", with: ".", maxReplacements: 1))
    }
}
