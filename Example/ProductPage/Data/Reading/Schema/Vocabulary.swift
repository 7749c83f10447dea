/// The names of schema.org, as pages spell them.
enum Vocabulary {
    /// The name of a property without its vocabulary: `schema:name`, `http://schema.org/name` and `Name`
    /// are `name`.
    static func name(_ given: String) -> String {
        let isForeign = !given.hasPrefix("schema:") && !given.contains("schema.org/")
        let bare = isForeign ? given : last(given) ?? given
        return names[bare.lowercased()] ?? bare
    }

    /// What a type is called: `Product` of `https://schema.org/Product`.
    static func last(_ given: String) -> String? {
        given.split { "/#: ".contains($0) }.last.map(String.init)
    }

    private static let names = Dictionary(
        uniqueKeysWithValues: known.split(separator: " ").map { ($0.lowercased(), String($0)) })

    private static let known = """
        name description image url brand manufacturer sku mpn productID gtin gtin8 gtin12 gtin13 gtin14 \
        productGroupID offers price priceCurrency currency lowPrice highPrice minPrice maxPrice \
        priceSpecification priceType referenceQuantity availability itemOffered itemReviewed itemListElement \
        item mainEntity hasVariant isVariantOf aggregateRating ratingValue ratingCount reviewCount bestRating \
        isRelatedTo isSimilarTo isAccessoryOrSparePartFor isConsumableFor review reviews contentUrl \
        hasOfferCatalog makesOffer value unitCode unitText eligibleQuantity minValue validForMemberTier
        """

    /// What a property says by an address rather than by the text of a link.
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
