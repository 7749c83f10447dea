import Foundation

extension Cart: Codable {
    private enum Key: String, CodingKey {
        case lines
    }

    /// - Throws: `DecodingError` also for lines that no `add` could have made.
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        self.init(lines: try values.decode([Line].self, forKey: .lines))
        guard Set(lines.map(\.id)).count == lines.count else {
            throw DecodingError.dataCorruptedError(
                forKey: .lines, in: values, debugDescription: "two lines for one product")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(lines, forKey: .lines)
    }
}

extension Cart.Line: Codable {
    private enum Key: String, CodingKey {
        case id, name, price, currency, quantity
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        id = try values.decode(String.self, forKey: .id)
        name = try values.decode(String.self, forKey: .name)
        currency = try values.decodeIfPresent(String.self, forKey: .currency)
        quantity = try values.decode(Int.self, forKey: .quantity)
        guard (1...Cart.maximumQuantity).contains(quantity) else {
            throw DecodingError.dataCorruptedError(
                forKey: .quantity, in: values, debugDescription: "a quantity of \(quantity)")
        }
        price = try values.decodeIfPresent(String.self, forKey: .price).map { text in
            if let price = DecimalText.parse(text) { return price }
            throw DecodingError.dataCorruptedError(
                forKey: .price, in: values, debugDescription: "a price that is no number")
        }
    }

    /// The price goes as text: as a JSON number it would come back through a binary fraction.
    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(id, forKey: .id)
        try values.encode(name, forKey: .name)
        try values.encodeIfPresent(price.map { DecimalText.plain($0) }, forKey: .price)
        try values.encodeIfPresent(currency, forKey: .currency)
        try values.encode(quantity, forKey: .quantity)
    }
}
