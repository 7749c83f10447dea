/// Products as plain lines, the same on every machine: no colour, no locale, nothing a terminal obeys.
enum ProductText {
    /// A page: name, then what is known, then the description, wrapped to `width` columns.
    static func page(_ product: Product, width: Int = 80) -> [String] {
        var facts: [(String, String)] = []
        if let brand = product.brand { facts.append(("Brand", brand)) }
        facts.append(("Price", price(product)))
        if let availability = product.availability { facts.append(("Availability", "\(availability)")) }
        if let rating = product.rating { facts.append(("Rating", "\(rating)")) }
        facts.append(("Id", product.id))
        if let url = product.url, url != product.id { facts.append(("Page", url)) }
        if let image = product.images.first { facts.append(("Image", image)) }

        var lines = [product.name.visible]
        for (label, text) in facts {
            let padded = (label + ":").padded(to: 14)
            lines.append("  \(padded)\(text.visible)")
        }
        if let description = product.description {
            lines.append("")
            for paragraph in description.split(whereSeparator: \.isNewline) {
                lines += String(paragraph).visible.wrapped(to: width - 2).map { "  " + $0 }
            }
        }
        return lines
    }

    /// A line a product: id, name, price and availability, the ids in a column.
    static func list(_ products: [Product]) -> [String] {
        let ids = products.map(\.id.visible)
        let widths = ids.map { DisplayWidth.of($0) }
        let column = min(24, widths.max() ?? 0)
        return zip(products, zip(ids, widths)).map { product, id in
            let facts = [price(product)] + (product.availability.map { ["\($0)"] } ?? [])
            let gap = String(repeating: " ", count: max(0, column - id.1) + 2)
            return "\(id.0)\(gap)" + "\(product.name): \(facts.joined(separator: ", "))".visible
        }
    }

    /// The price, or words where the data has none.
    static func price(_ product: Product) -> String {
        product.price.map { "\($0)" } ?? "no price given"
    }
}
