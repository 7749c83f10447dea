import Foundation

/// A cart as the text of its file.
///
/// ```json
/// {"version":3,"lines":[
/// {"currency":"EUR","id":"LMP-1","name":"Desk lamp","price":"129.9","quantity":2,"source":"shop.json"}
/// ]}
/// ```
///
/// Versions 1 and 2 named no source.
extension Cart {
    /// Counts up when an earlier program could no longer read the file.
    static let version = 3

    enum FormatError: Error, Equatable {
        /// It is no cart.
        case damaged
        /// A later program wrote it.
        case newer(version: Int)
    }

    init(json: Data) throws(FormatError) {
        guard let title = try? JSONDecoder().decode(Title.self, from: json), title.version > 0 else {
            throw .damaged
        }
        // A later format may change everything else.
        guard title.version <= Self.version else { throw .newer(version: title.version) }
        guard let stored = try? JSONDecoder().decode(Lines.self, from: json) else { throw .damaged }
        lines = stored.lines.map(\.line)
        guard Set(lines.map(\.id)).count == lines.count, lines.allSatisfy(\.isPossible) else {
            throw .damaged
        }
    }

    /// A line of text for each line, so that two files are easily compared.
    var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let lines = try lines.map { String(decoding: try encoder.encode(StoredLine($0)), as: UTF8.self) }
            return Data(
                "{\"version\":\(Self.version),\"lines\":[\n\(lines.joined(separator: ",\n"))\n]}\n".utf8)
        }
    }
}

private struct Title: Decodable { var version: Int }

private struct Lines: Decodable { var lines: [StoredLine] }

private struct StoredLine: Codable {
    var source: String?
    var id: String
    var name: String
    /// As text: other programs would read a JSON number as a binary fraction.
    var price: String?
    var currency: String?
    var quantity: Int

    init(_ line: Cart.Line) {
        (source, id, name) = (line.id.source, line.id.product, line.name)
        (currency, quantity) = (line.currency, line.quantity)
        price = line.price.map { DecimalText.plain($0) }
    }

    var line: Cart.Line {
        Cart.Line(
            id: .init(source: source ?? "", product: id), name: name,
            price: price.map { DecimalText.parse($0) ?? .nan }, currency: currency, quantity: quantity)
    }
}

extension Cart.Line {
    /// Whether this could have been added, and was not typed or damaged.
    fileprivate var isPossible: Bool {
        (1...Cart.maximumQuantity).contains(quantity) && price?.isNaN != true
    }
}
