/// Reads the products in a file or an answer: JSON, JSON-LD, or a web page.
enum ProductReader {
    /// More than a person looks through; each takes far more memory than the text that names it.
    static let maximumProducts = 20_000

    /// The products of `bytes`, at least one.
    ///
    /// The content decides what it is, never a name or a header. A script that is malformed does not stop
    /// the page's others from being read.
    ///
    /// - Parameter charset: The encoding, where the server has said it.
    /// - Throws: `PageError.noInput`, naming `source`, where in it reading stopped, or what it holds instead.
    static func read(
        _ bytes: [UInt8], charset: String? = nil, from source: String
    ) throws(PageError) -> Catalogue {
        let text = PageText(bytes, charset: charset)
        do {
            let products = try products(text.bytes)
            let notice = text.malformed.map {
                "\(source): is not valid \($0); what is not is shown with replacement characters"
            }
            return Catalogue(source: source, products: products, notices: notice.map { [$0] } ?? [])
        } catch {
            throw .noInput(source: source, reason: error.reason)
        }
    }

    private struct NoProduct: Error {
        var reason: String
    }

    private static func products(_ text: [UInt8]) throws(NoProduct) -> [Product] {
        // What is malformed takes more room than it did.
        guard text.count <= FileSource.maximumBytes else {
            throw NoProduct(reason: "is larger than \(FileSource.maximumBytes / 1_048_576) MiB")
        }
        guard let first = text.first(where: { !$0.isHTMLSpace }) else { throw NoProduct(reason: "is empty") }
        let isPage = !"{[".utf8.contains(first) && text.contains(UInt8(ascii: "<"))
        return try isPage ? page(text) : document(text)
    }

    private static func page(_ text: [UInt8]) throws(NoProduct) -> [Product] {
        let markup = Markup(text)
        let items = MarkupItems.read(markup)
        let data = Scripts(markup.scripts, in: text)
        var products = try products(data.values, items, page: markup.page)
        let others = try Self.products(OpenGraph.products(markup.page))
        if products.isEmpty {
            products = others
        } else if products.count == 1, products[0].price == nil, let other = others.first,
            other.name.lowercased().hasPrefix(products[0].name.lowercased())
        {
            products[0] = products[0].completed(from: other)
        }
        guard products.isEmpty else { return products }
        guard !markup.scripts.isEmpty || !items.isEmpty else {
            throw NoProduct(reason: "no schema.org Product: the page has no JSON-LD, microdata or RDFa")
        }
        let failure = data.failure.map { "; script \($0.script) is not valid JSON at \($0.description)" }
        let described = described(data.values + items)
        throw NoProduct(reason: "no schema.org Product in the page\(described)\(failure ?? "")")
    }

    private static func document(_ text: [UInt8]) throws(NoProduct) -> [Product] {
        let data = Scripts([text.indices], in: text)
        let products = try products(data.values)
        guard products.isEmpty else { return products }
        let failure = data.failure.map { "not valid JSON at \($0.description)" }
        throw NoProduct(reason: failure ?? "no schema.org Product in it\(described(data.values))")
    }

    /// What the scripts say goes before what the markup says.
    private static func products(
        _ scripts: [JSON], _ items: [JSON] = [], page: [String: String] = [:]
    ) throws(NoProduct) -> [Product] {
        var list = ProductList()
        for (values, isMarkup) in [(scripts, false), (items, true)] {
            var graph = Graph(values)
            let found = graph.products()
            var reading = ProductReading(graph)
            for (node, place) in found {
                for var product in reading.products(of: node, offer: place.offer) {
                    (product.isListed, product.isMarkup) = (place.isListed, isMarkup)
                    list.add(product)
                    guard list.count <= maximumProducts else {
                        throw NoProduct(reason: "has more than \(maximumProducts) products")
                    }
                }
            }
        }
        return list.products(of: page)
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
