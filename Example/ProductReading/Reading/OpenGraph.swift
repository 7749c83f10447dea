/// The product as a page describes it to social networks: the last resort.
enum OpenGraph {
    /// The product in the form that schema.org would give it; none where the page is no product's.
    static func products(_ page: [String: String], today: Day) -> [JSON] {
        func value(_ names: String...) -> JSON? {
            names.lazy.compactMap { page["product:" + $0] ?? page["og:" + $0] }.first.map(JSON.string)
        }
        var sale: Node = [:]
        (sale["validFrom"], sale["validThrough"]) = (
            value("sale_price_dates:start"), value("sale_price_dates:end")
        )
        let isOver = sale.marked(on: today).dates != nil
        let price = isOver ? value("price:amount") : value("sale_price:amount", "price:amount")
        guard let title = page["og:title"], price != nil || page["og:type"]?.contains("product") == true
        else { return [] }
        var offer: Node = ["availability": value("availability") ?? .null]
        offer["price"] = price
        offer["priceCurrency"] = value("price:currency", "sale_price:currency")
        var product: Node = ["@type": .string("Product"), "name": .string(title), "offers": .object(offer)]
        product["sku"] = value("retailer_item_id")
        for name in ["brand", "image", "description", "url"] { product[name] = value(name) }
        return [.object(product)]
    }
}
