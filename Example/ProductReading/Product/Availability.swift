/// Whether a product can be had: in the words of schema.org's `ItemAvailability`, or else as given.
package struct Availability: Sendable, Hashable, Codable, CustomStringConvertible {
    /// For example `out of stock`.
    package let description: String

    static let inStock = other("in stock"), preOrder = other("pre-order"), backOrder = other("back-order")
    static let outOfStock = other("out of stock"), soldOut = other("sold out")
    static let discontinued = other("discontinued")

    /// Words that schema.org does not have.
    static func other(_ words: String) -> Availability { Availability(description: words) }

    /// The best first: of several offers the most available one speaks for the product.
    private static let ranking = [
        inStock, other("limited availability"), other("online only"), other("in store only"), preOrder,
        other("pre-sale"), other("made to order"), backOrder, other("reserved"), outOfStock, soldOut,
        discontinued,
    ]
    private static let outOfStockNames = ["oos", "unavailable", "notavailable", "notinstock", "stockout"]

    /// Whether there is something to buy now or to order ahead.
    package var canBeOrdered: Bool { ![.outOfStock, .soldOut, .discontinued].contains(self) }

    /// The more available of two.
    func orBetter(_ other: Availability?) -> Availability {
        other.map { $0.rank < rank ? $0 : self } ?? self
    }

    private var rank: Int { Self.ranking.firstIndex(of: self) ?? Self.ranking.count }
}

extension Availability {
    /// Reads `https://schema.org/InStock`, `schema:InStock`, `InStock`, and what shops make of it
    /// (`in stock`, `in_stock`).
    init?(_ text: String) {
        // Only an address or a name with a prefix has parts; `in stock / 24 h` is one.
        let isName = !text.contains(where: \.isWhitespace)
        guard let given = isName ? Vocabulary.last(text) : text else { return nil }
        let key = given.filter(\.isLetter).lowercased()
        guard !key.isEmpty else { return nil }
        let known = Self.ranking.first { $0.description.filter(\.isLetter) == key }
        self = known ?? (Self.outOfStockNames.contains(key) ? .outOfStock : .other(given))
    }
}
