package import Foundation
import ToolSupport

/// Reads the products in a file or an answer: JSON, JSON-LD, or a web page.
package enum ProductReader {
    /// No product page comes near it; anything larger is a mistake or an attack.
    package static let maximumBytes = 16 * 1024 * 1024
    /// More than a person looks through; each takes far more memory than the text that names it.
    static let maximumProducts = 20_000

    static let tooLarge = "is larger than \(maximumBytes / 1_048_576) MiB"

    /// The products of `bytes`, at least one.
    ///
    /// The content decides what it is, never a name or a header. A script that is malformed does not stop
    /// the page's others from being read.
    ///
    /// - Parameters:
    ///   - charset: The encoding, where the server has said it.
    ///   - source: What messages call it.
    ///   - address: Where it is from, for the addresses in it; nil where that is not known.
    ///   - today: Prices of other days are not those to pay.
    /// - Throws: `PageError.noInput`, naming `source`, where in it reading stopped, or what it holds instead.
    package static func read(
        _ bytes: [UInt8], charset: String? = nil, from source: String, address: URL? = nil, today: Day = Day()
    ) throws(PageError) -> Catalogue {
        let text = PageText(bytes, charset: charset)
        let notices = text.malformed.map {
            ["\(source): is not valid \($0); what is not is shown with replacement characters"]
        }
        do throws(PageError) {
            if let kind = BinaryFile.kind(bytes) { throw PageError.failed(BinaryFile.reason(kind)) }
            let products = try products(text.bytes, address, today)
            return Catalogue(source: source, products: products, notices: notices ?? [])
        } catch {
            throw .noInput(source: source, reason: error.reason)
        }
    }

    private static func products(
        _ text: [UInt8], _ address: URL?, _ today: Day
    ) throws(PageError) -> [Product] {
        // Replacement characters take more room than malformed bytes.
        guard text.count <= maximumBytes else { throw PageError.failed(tooLarge) }
        guard let first = text.first(where: { !$0.isHTMLSpace }) else { throw PageError.failed("is empty") }
        let isPage = !"{[".utf8.contains(first) && text.contains(UInt8(ascii: "<"))
        let markup = isPage ? Markup(text, today: today) : nil
        let items = markup?.items ?? []
        var (json, values, failure) = (JSONText(today: today), [JSON](), "")
        for (index, range) in (markup?.scripts ?? [text.indices]).enumerated() {
            do throws(JSONText.Failure) {
                values += try json.values(text, in: range)
            } catch {
                let reason = "not valid JSON at \(error.description)"
                if failure.isEmpty { failure = isPage ? "script \(index + 1) is \(reason)" : reason }
            }
        }
        let products = try products(values, markup, today)
        guard products.isEmpty else {
            let base = markup?.base(at: address) ?? address
            return products.map { product in base.map(product.withAddresses) ?? product }
        }
        guard !text.contains(0) else { throw PageError.failed(BinaryFile.reason("no text")) }
        guard isPage else {
            let reason = "no schema.org Product in it\(described(values))"
            throw PageError.failed(failure.isEmpty ? reason : failure)
        }
        guard markup?.scripts.isEmpty == false || !items.isEmpty else {
            throw PageError.failed("no schema.org Product: the page has no JSON-LD, microdata or RDFa")
        }
        let reason = "no schema.org Product in the page\(described(values + items))"
        throw PageError.failed(reason + (failure.isEmpty ? "" : "; \(failure)"))
    }

    /// The scripts go before the markup, and Open Graph comes last.
    private static func products(
        _ scripts: [JSON], _ markup: Markup?, _ today: Day
    ) throws(PageError) -> [Product] {
        var (list, last) = (ProductList(), ProductList())
        try add(scripts, false, to: &list)
        guard let markup else { return list.products() }
        try add(markup.items, true, to: &list)
        try add(OpenGraph.products(markup.page, today: today), true, to: &last)
        let addresses = [markup.page["canonical"], markup.page["og:url"]]
        var products = list.products(titles: markup.titles, addresses: addresses)
        guard let other = last.products().first else { return products }
        let names = [products.first?.name ?? "", other.name].map { $0.lowercased() }
        if names[0].hasPrefix(names[1]) || names[1].hasPrefix(names[0]), !products.isEmpty {
            products[0] = products[0].completed(from: other)
        } else if products.isEmpty || list.isListing && other.price != nil {
            // The others are what the page recommends.
            products.insert(other, at: 0)
        }
        return products
    }

    private static func add(
        _ values: [JSON], _ isMarkup: Bool, to list: inout ProductList
    ) throws(PageError) {
        var graph = Graph(values)
        for (node, place) in graph.products() {
            for var product in graph.products(of: node, offer: place.offer) {
                (product.isListed, product.isMarkup) = (place.isListed, isMarkup)
                list.add(product)
                guard list.count <= maximumProducts else {
                    throw PageError.failed("has more than \(maximumProducts) products")
                }
            }
        }
    }

    /// For a message: what the data describes, where it is no product that can be shown.
    private static func described(_ values: [JSON]) -> String {
        let bound = 5
        let types = Graph(values).types.map { type in
            Vocabulary.products.contains(type.lowercased())
                ? "a \(type) without a name or an id" : type.shortened(to: 30)
        }
        guard !types.isEmpty else { return "" }
        let names = types.sorted().prefix(bound).joined(separator: ", ")
        return " (it describes: \(names)\(types.count > bound ? ", …" : ""))"
    }
}
