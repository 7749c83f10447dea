/// What a page says of its product to social networks: the last resort.
enum OpenGraph {
    /// The product in the form that schema.org would give it; none where the page is no product's.
    static func products(_ page: [String: String]) -> [JSON] {
        func value(_ names: String...) -> JSON? {
            names.lazy.compactMap { name in
                (page["product:" + name] ?? page["og:" + name]).map(JSON.string)
            }.first
        }
        let price = value("sale_price:amount", "price:amount")
        guard let title = page["og:title"], price != nil || page["og:type"]?.contains("product") == true
        else { return [] }
        var offer: Node = ["availability": value("availability") ?? .null]
        offer["price"] = price
        offer["priceCurrency"] = value("price:currency", "sale_price:currency")
        var product: Node = ["@type": .string("Product"), "name": .string(title), "offers": .object(offer)]
        product["sku"] = value("retailer_item_id")
        product["brand"] = value("brand")
        for name in ["image", "description", "url"] { product[name] = page["og:" + name].map(JSON.string) }
        return [.object(product)]
    }
}
