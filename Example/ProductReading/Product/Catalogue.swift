import Foundation
import ToolSupport

/// The products of one source, in its order; never empty when it comes from `ProductReader`.
package struct Catalogue: Sendable, Hashable, Codable {
    /// The source in messages: a path, a URL, or the bundled catalogue's name.
    package var source: String
    /// The identity of the source: an absolute path, an address.
    package var id: String
    package var products: [Product]
    /// Lines for standard error, though the products can be shown.
    package var notices: [String]

    package init(source: String, id: String? = nil, products: [Product], notices: [String] = []) {
        self.source = source
        self.id = id ?? source
        self.products = products
        self.notices = notices
    }
}

extension Catalogue {
    /// The position of the one product that `query` names.
    ///
    /// An exact id wins, then an exact name, then a part of a name or id that only one product has; names
    /// are compared without case.
    ///
    /// - Throws: `PageError.usage` when several fit, `PageError.noInput` when none does; both list
    ///   candidates.
    package func index(of query: String) throws(PageError) -> Int {
        let wanted = query.lowercased()
        let stages: [(Product) -> Bool] = [
            { $0.id == query },
            { $0.name.lowercased() == wanted },
            { $0.name.lowercased().contains(wanted) || $0.id.lowercased().contains(wanted) },
        ]
        for fits in stages where !wanted.isEmpty {
            let found = products.indices.filter { fits(products[$0]) }
            if let only = found.first, found.count == 1 { return only }
            if found.count > 1 {
                let candidates = Self.listed(found.map { products[$0] })
                throw .usage("\(source): \(found.count) products match “\(shown(query))”: \(candidates)")
            }
        }
        throw .noInput(
            source: source, reason: "no product matches “\(shown(query))”; there is \(Self.listed(products))")
    }

    /// The first products, at most `limit`, with a text in their name or id, whatever its case and accents; without a
    /// text the first of all.
    package func products(with text: String?, limit: Int) -> [Product] {
        guard let text, !text.isEmpty else { return Array(products.prefix(limit)) }
        let found = products.lazy.filter { product in
            [product.name, product.id].contains {
                $0.range(of: text, options: [.caseInsensitive, .diacriticInsensitive]) != nil
            }
        }
        return Array(found.prefix(limit))
    }

    private func shown(_ query: String) -> String { query.shortened(to: 60) }

    /// A bounded list: a catalogue of ten thousand still gives one line.
    private static func listed(_ products: [Product]) -> String {
        let bound = 5
        let names = products.prefix(bound).map { product in
            let name = product.name.shortened(to: 40)
            return product.id == product.name ? name : "\(name) (\(product.id.shortened(to: 40)))"
        }
        let rest = products.count > bound ? " and \(products.count - bound) more" : ""
        return names.joined(separator: ", ") + rest
    }
}
