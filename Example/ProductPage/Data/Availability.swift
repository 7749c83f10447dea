/// Whether a product can be had, in the words of schema.org's `ItemAvailability`.
enum Availability: Sendable, Hashable {
    case inStock, limited, onlineOnly, inStoreOnly, preOrder, preSale, madeToOrder, backOrder, reserved
    case outOfStock, soldOut, discontinued
    /// A word that schema.org does not have, as given.
    case other(String)
}

extension Availability {
    /// The best first: of several offers the most available one speaks for the product.
    private static let ranking: [(value: Availability, name: String, words: String)] = [
        (.inStock, "InStock", "in stock"),
        (.limited, "LimitedAvailability", "limited availability"),
        (.onlineOnly, "OnlineOnly", "online only"),
        (.inStoreOnly, "InStoreOnly", "in store only"),
        (.preOrder, "PreOrder", "pre-order"),
        (.preSale, "PreSale", "pre-sale"),
        (.madeToOrder, "MadeToOrder", "made to order"),
        (.backOrder, "BackOrder", "back-order"),
        (.reserved, "Reserved", "reserved"),
        (.outOfStock, "OutOfStock", "out of stock"),
        (.soldOut, "SoldOut", "sold out"),
        (.discontinued, "Discontinued", "discontinued"),
    ]

    /// Reads `https://schema.org/InStock`, `schema:InStock`, `InStock`, and what shops make of it
    /// (`in stock`, `in_stock`).
    init?(_ text: String) {
        // Only an address or a name with a prefix has parts; `in stock / 24 h` is one.
        let isName = !text.contains(where: \.isWhitespace)
        guard let given = isName ? Vocabulary.last(text) : text else { return nil }
        let key = given.filter(\.isLetter).lowercased()
        guard !key.isEmpty else { return nil }
        let match = Self.ranking.first { $0.name.lowercased() == key || $0.words.filter(\.isLetter) == key }
        self = match?.value ?? (Self.outOfStockNames.contains(key) ? .outOfStock : .other(given))
    }

    private static let outOfStockNames = ["oos", "unavailable", "notavailable", "notinstock", "stockout"]

    /// Whether there is something to buy now or to order ahead.
    var canBeOrdered: Bool {
        switch self {
        case .outOfStock, .soldOut, .discontinued: false
        default: true
        }
    }

    /// The more available of two.
    func orBetter(_ other: Availability) -> Availability {
        other.rank < rank ? other : self
    }

    private var rank: Int {
        Self.ranking.firstIndex { $0.value == self } ?? Self.ranking.count
    }
}

extension Availability: CustomStringConvertible {
    /// In words, for example `out of stock`.
    var description: String {
        if case .other(let text) = self { return text }
        return Self.ranking.first { $0.value == self }?.words ?? ""
    }
}
