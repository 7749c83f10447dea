import Foundation

/// A product, and what a list has to know of it.
struct ReadProduct {
    var product: Product
    /// Whether the data has a name for it.
    var isNamed: Bool
    var isListed = false
    /// Whether it was read in the markup of the page rather than in a script.
    var isMarkup = false
    /// Beside the number of the shop, what makes it another one than the next of the same name: its other numbers, its
    /// colour, its size.
    var marks: [String: String] = [:]
    /// The group that it is a variant of.
    var group: String?

    var canBeOrdered: Bool { product.availability?.canBeOrdered != false }

    /// The marks that are not a number.
    static let looks = ["color", "size", "pattern", "material"]

    /// Whether both have a mark of one kind, and not the same.
    func differs(from other: ReadProduct) -> Bool {
        marks.contains { name, mark in other.marks[name].map { $0 != mark } ?? false }
    }

    /// A group whose variants have no names of their own: one product, with the prices of all of them.
    func summing(_ variants: [ReadProduct]) -> ReadProduct {
        let left = variants.filter(\.canBeOrdered)
        var whole = self
        for variant in (left.isEmpty ? variants : left).map(\.product) {
            whole.product.price = whole.product.price?.merged(with: variant.price) ?? variant.price
            let availability = whole.product.availability
            whole.product.availability = availability?.orBetter(variant.availability) ?? variant.availability
        }
        return whole
    }

    /// With the missing values taken from `other`.
    mutating func take(_ other: ReadProduct) {
        if !isNamed, other.isNamed { product.name = other.product.name }
        isNamed = isNamed || other.isNamed
        isListed = isListed && other.isListed
        marks.merge(other.marks) { own, _ in own }
        group = group ?? other.group
        product = product.completed(from: other.product)
    }
}

// Makes products of the nodes that describe them.
extension Graph {
    /// The product a node describes; of a group with variants, each variant, completed from the group.
    mutating func products(of node: Node, offer: JSON?) -> [ReadProduct] {
        let node = whole(node)
        var product = product(of: node, offer: offer)
        if let group = products(in: node["isVariantOf"]).first {
            product?.take(group)
            product?.group = group.product.id
        }
        var variants = products(in: node["hasVariant"])
        guard let product else { return variants }
        if variants.isEmpty {
            // A group that its variants name has what they share, and they are the products.
            return product.product.price == nil && groups.contains(node.id ?? "") ? [] : [product]
        }
        if variants.allSatisfy({ !$0.isNamed || $0.product.name == product.product.name }) {
            return [product.summing(variants)]
        }
        for index in variants.indices { variants[index].take(product) }
        return variants.filter(\.canBeOrdered) + variants.filter { !$0.canBeOrdered }
    }

    /// The products that a value describes or refers to.
    private mutating func products(in value: JSON?) -> [ReadProduct] {
        nodes(value).compactMap { reference, node in
            if let reference, let product = knownProducts[reference] { return product }
            let product = product(of: node, offer: nil)
            if let reference { knownProducts[reference] = product }
            return product
        }
    }

    /// `nil` for a node that neither names nor identifies anything, nor sells it.
    private mutating func product(of node: Node, offer: JSON?) -> ReadProduct? {
        let name = node["name"]?.text.flatMap { PlainText.line(PlainText.paragraphs($0) ?? $0) }
        let number = node.address("sku", "productID", "gtin13", "gtin", "gtin14", "gtin12", "gtin8", "mpn")
        guard
            let id = number ?? node.address("productGroupID", "@id", "id", "url") ?? name
                ?? (node["offers"] == nil ? nil : "")
        else { return nil }
        let summary = summary(of: node, offer: offer)
        let product = Product(
            id: id,
            name: name ?? id,
            description: node["description"]?.text.flatMap(PlainText.paragraphs),
            images: images(node["image"]),
            brand: text(node["brand"] ?? node["manufacturer"], "name"),
            sku: node.address("sku"),
            price: summary.price,
            availability: summary.knownAvailability,
            rating: rating(node["aggregateRating"]),
            url: node.address("url") ?? summary.url
        )
        return ReadProduct(
            product: product, isNamed: name != nil, marks: marks(of: node),
            group: node.address("inProductGroupWithID"))
    }

    private func marks(of node: Node) -> [String: String] {
        var marks: [String: String] = [:]
        // A shorter GTIN is a longer one without its zeros.
        let gtin = node.address("gtin13", "gtin", "gtin14", "gtin12", "gtin8")
        marks["gtin"] = gtin.map { String($0.drop { $0 == "0" }) }
        for name in ["productID", "mpn"] { marks[name] = node.address(name) }
        for name in ReadProduct.looks { marks[name] = text(node[name], "name")?.lowercased() }
        return marks.filter { !$0.value.isEmpty }
    }

    /// Its own offers, those around it, those that name it, or its own price, which is misplaced there.
    private mutating func summary(of node: Node, offer: JSON?) -> OfferSummary {
        let named = node.id.flatMap { naming[$0] }.map(JSON.array)
        for value in [node["offers"], offer, named, node.hasPrice ? .object(node) : nil] {
            let summary = offers(in: value, currency: node.currency)
            if summary.price != nil || summary.availability != nil { return summary }
        }
        return OfferSummary()
    }

    /// The addresses of images: texts, or `ImageObject`s, each once.
    private func images(_ value: JSON?) -> [String] {
        // More than any page shows; and looking for repetitions stays cheap.
        (value?.elements(upTo: 100) ?? []).reduce(into: []) { addresses, element in
            let address =
                element.address ?? nodes(element).first?.node.address("url", "contentUrl", "@id")
            if let address, !addresses.contains(address) { addresses.append(address) }
        }
    }

    private func rating(_ value: JSON?) -> Rating? {
        guard let node = nodes(value).first?.node, let value = number(node["ratingValue"]) else {
            return nil
        }
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
