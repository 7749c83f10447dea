import ToolSupport

/// Products as plain lines, the same on every machine: no colour, no locale, nothing a terminal obeys.
package enum ProductText {
    /// A page: name, then the known facts, then the description, wrapped to `width` columns.
    package static func page(_ product: Product, width: Int = 80) -> [String] {
        let facts: [(String, String?)] = [
            ("Brand", product.brand), ("Price", price(product)),
            ("Availability", product.availability?.description), ("Rating", product.rating?.description),
            ("Id", product.id), ("Page", product.url == product.id ? nil : product.url),
            ("Image", product.images.first),
        ]
        var lines = [product.name.visible]
        for case (let label, let text?) in facts {
            lines.append("  \((label + ":").padded(to: 14))\(text.visible)")
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
    package static func list(_ products: [Product]) -> [String] {
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
    package static func price(_ product: Product) -> String {
        product.price.map { "\($0)" } ?? "no price given"
    }
}
