extension Product {
    /// What is known of the product; a price is text, as it is shown, and parts that are exact decimals.
    var json: JSON {
        var members: [String: JSON] = ["id": .string(id), "name": .string(name)]
        members["brand"] = brand.map(JSON.string)
        members["description"] = description.map(JSON.string)
        members["sku"] = sku.map(JSON.string)
        members["url"] = url.map(JSON.string)
        members["price"] = price.map { .string("\($0)") }
        members["amount"] = price?.amount.map { .string("\($0)") }
        members["currency"] = price?.currency.map(JSON.string)
        members["availability"] = availability.map { .string("\($0)") }
        members["rating"] = rating.map { .string("\($0)") }
        if !images.isEmpty { members["images"] = .array(images.map(JSON.string)) }
        return .object(members)
    }
}

extension Cart {
    /// How many pieces, and of what.
    var json: JSON {
        .object([
            "count": .number("\(count)"),
            "lines": .array(
                lines.map { .object(["id": .string($0.id), "quantity": .number("\($0.quantity)")]) }),
        ])
    }
}
