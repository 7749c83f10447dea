package import Foundation

/// A cart as the text of its file.
///
/// ```json
/// {"lines":[
///     {"currency":"EUR","id":"LMP-1","name":"Desk lamp","price":129.9,"quantity":2,"source":"shop.json"}
/// ],"version":4}
/// ```
extension Cart {
    /// Counts up when an earlier program could no longer read the file.
    package static let version = 4

    package enum FormatError: Error, Equatable {
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

    package init(json: Data) throws(FormatError) {
        // A later format may change everything else.
        let version = try? JSONDecoder().decode(Version.self, from: json).version
        if let version, version > Self.version { throw .newer(version: version) }
        // A quantity that could not have been added was typed or damaged.
        guard let file = try? JSONDecoder().decode(File.self, from: json), file.version == Self.version,
            Set(file.lines.map(\.id)).count == file.lines.count,
            file.lines.allSatisfy({ (1...Self.maximumQuantity).contains($0.quantity) })
        else { throw .damaged }
        lines = file.lines
        for place in lines.indices { lines[place].price = lines[place].price.flatMap(Line.countable) }
    }

    package var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
            return try encoder.encode(File(lines: lines))
        }
    }
}
