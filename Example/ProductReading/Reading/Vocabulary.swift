/// The names of schema.org, as pages spell them.
enum Vocabulary {
    /// The name of a property without its vocabulary: `schema:name`, `http://schema.org/name` and `Name`
    /// are `name`.
    static func name(_ given: String) -> String {
        let bare = isPrefixed(given) ? last(given) ?? given : given
        return names[bare.lowercased()] ?? bare
    }

    /// Whether a name says that it is schema.org's: by an address, or by any prefix that is not another's.
    static func isPrefixed(_ given: String) -> Bool {
        if given.contains("schema.org/") { return true }
        guard let colon = given.firstIndex(of: ":"), !given[colon...].hasPrefix("://") else { return false }
        return !foreign.contains(given[..<colon].lowercased())
    }

    private static let foreign: Set<String> = [
        "og", "product", "article", "fb", "twitter", "gr", "v", "dc", "dcterms", "foaf", "rdf", "rdfs", "owl",
        "xsd", "sioc", "skos", "content", "ctag", "xhv", "urn", "mailto", "tel", "data", "javascript",
    ]

    /// Whether it is one of the names that are read.
    static func isKnown(_ given: String) -> Bool { names[name(given).lowercased()] != nil }

    /// The name of a type: `Product` of `https://schema.org/Product`.
    static func last(_ given: String) -> String? {
        given.split { "/#: ".contains($0) }.last.map(String.init)
    }

    private static let names = Dictionary(
        uniqueKeysWithValues: known.split(separator: " ").map { ($0.lowercased(), String($0)) })

    private static let known = """
        name description image url brand manufacturer sku mpn productID gtin gtin8 gtin12 gtin13 gtin14 \
        productGroupID offers price priceCurrency currency lowPrice highPrice minPrice maxPrice bestRating \
        priceSpecification priceType referenceQuantity availability itemOffered itemReviewed itemListElement \
        item mainEntity hasVariant isVariantOf aggregateRating ratingValue ratingCount reviewCount \
        isRelatedTo isSimilarTo isAccessoryOrSparePartFor isConsumableFor review reviews contentUrl \
        hasOfferCatalog makesOffer value unitCode unitText eligibleQuantity minValue validForMemberTier \
        validFrom validThrough priceValidUntil availabilityEnds offerCount billingDuration billingIncrement \
        priceComponentType position color size pattern material inProductGroupWithID
        """

    /// The properties whose value is a thing, and never a text.
    static let things: Set<String> = [
        "offers", "priceSpecification", "aggregateRating", "itemOffered", "hasVariant", "isVariantOf",
    ]

    /// The properties whose value is an address rather than by the text of a link.
    static let addresses: Set<String> = [
        "url", "image", "availability", "itemCondition", "contentUrl", "thumbnailUrl", "logo", "sameAs",
        "priceType", "mainEntityOfPage",
    ]

    /// Beside a product, not the product of the page.
    static let related: Set<String> = [
        "isRelatedTo", "isSimilarTo", "isAccessoryOrSparePartFor", "isConsumableFor", "review", "reviews",
        "breadcrumb",
    ]

    static let products: Set<String> = [
        "product", "productgroup", "productmodel", "individualproduct", "someproducts", "vehicle", "car",
        "motorcycle", "motorizedbicycle", "busorcoach", "dietarysupplement",
    ]

    /// Products where they are for sale.
    static let works: Set<String> = ["book", "movie", "musicalbum", "videogame", "audiobook", "drug"]
}
