import Foundation

/// A cart as the text of its file.
///
/// ```json
/// {"lines":[
///     {"currency":"EUR","id":"LMP-1","name":"Desk lamp","price":129.9,"quantity":2,"source":"shop.json"}
/// ],"version":4}
/// ```
///
/// Versions 1 and 2 named no source, and before version 4 a price was a text.
extension Cart {
    /// Counts up when an earlier program could no longer read the file.
    static let version = 4

    enum FormatError: Error, Equatable {
        /// It is no cart.
        case damaged
        /// A later program wrote it.
        case newer(version: Int)
    }

    private struct Version: Decodable { var version: Int }

    private struct File: Codable {
        var lines: [Line]
        var version = Cart.version
    }

    init(json: Data) throws(FormatError) {
        // A later format may change everything else.
        let version = try? JSONDecoder().decode(Version.self, from: json).version
        if let version, version > Self.version { throw .newer(version: version) }
        guard let file = try? JSONDecoder().decode(File.self, from: json), file.version > 0,
            Set(file.lines.map(\.id)).count == file.lines.count
        else { throw .damaged }
        lines = file.lines
    }

    var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
            return try encoder.encode(File(lines: lines))
        }
    }
}

extension Cart.Line: Decodable {
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        source = try values.decodeIfPresent(String.self, forKey: .source) ?? ""
        product = try values.decode(String.self, forKey: .product)
        name = try values.decode(String.self, forKey: .name)
        currency = try values.decodeIfPresent(String.self, forKey: .currency)
        quantity = try values.decode(Int.self, forKey: .quantity)
        let text = try? values.decode(String.self, forKey: .price)
        let given = try text.map(DecimalText.parse) ?? values.decodeIfPresent(Decimal.self, forKey: .price)
        // What could not have been added was typed or damaged.
        guard (1...Cart.maximumQuantity).contains(quantity), text == nil || given != nil else {
            throw DecodingError.dataCorruptedError(
                forKey: .quantity, in: values, debugDescription: "impossible")
        }
        price = given.flatMap(Self.countable)
    }
}
