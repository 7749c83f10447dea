/// Reads the products in a file or an answer: JSON, JSON-LD, or a web page that carries JSON-LD.
enum ProductReader {
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
        let text = SourceText.utf8(bytes, charset: charset)
        // What is malformed takes more room than it did.
        guard text.count <= SourceLoader.maximumBytes else {
            throw .noInput(
                source: source, reason: "is larger than \(SourceLoader.maximumBytes / 1_048_576) MiB")
        }
        guard let first = text.first(where: { !$0.isHTMLSpace }) else {
            throw .noInput(source: source, reason: "is empty")
        }
        do {
            let isPage = first == UInt8(ascii: "<") || (first.isProse && HTMLScripts.isPage(text))
            let products = try isPage ? page(text) : document(text)
            return Catalogue(source: source, products: products)
        } catch {
            throw .noInput(source: source, reason: error.reason)
        }
    }

    private struct NoProduct: Error {
        var reason: String
    }

    private static func document(_ text: [UInt8]) throws(NoProduct) -> [Product] {
        var reader = JSONReader(text)
        do {
            let data = LinkedData([try reader.document()])
            let products = try products(of: data)
            guard products.isEmpty else { return products }
            throw NoProduct(reason: "no schema.org Product in it\(data.typesInstead)")
        } catch let failure as JSONReader.Failure {
            throw NoProduct(reason: "not valid JSON at \(described(failure, in: text))")
        } catch let error as NoProduct {
            throw error
        } catch {
            throw NoProduct(reason: "\(error)")
        }
    }

    private static func page(_ text: [UInt8]) throws(NoProduct) -> [Product] {
        let scripts = HTMLScripts.linkedData(in: text)
        guard !scripts.isEmpty else {
            throw NoProduct(reason: "no schema.org Product: the page has no JSON-LD script")
        }
        var roots: [JSON] = []
        var firstFailure: (script: Int, JSONReader.Failure)?
        // The bound on values is one for the page, however many scripts they are spread over.
        var valuesLeft = JSONReader.maximumValues
        for (index, script) in scripts.enumerated() {
            var reader = JSONReader(text, in: script, allowsControlCharacters: true, valueLimit: valuesLeft)
            do {
                roots.append(try reader.document())
            } catch {
                firstFailure = firstFailure ?? (index + 1, error)
            }
            valuesLeft = max(0, valuesLeft - reader.valueCount)
        }
        let data = LinkedData(roots)
        let products = try products(of: data)
        guard products.isEmpty else { return products }
        let place = scripts.count == 1 ? "JSON-LD script" : "\(scripts.count) JSON-LD scripts"
        let malformed = firstFailure.map { script, failure in
            "; script \(script) is not valid JSON at \(described(failure, in: text))"
        }
        let reason = "no schema.org Product in the page's \(place)"
        throw NoProduct(reason: reason + data.typesInstead + (malformed ?? ""))
    }

    private static func products(of data: LinkedData) throws(NoProduct) -> [Product] {
        do {
            return try data.products()
        } catch {
            throw NoProduct(reason: "has more than \(LinkedData.maximumProducts) products")
        }
    }

    private static func described(_ failure: JSONReader.Failure, in text: [UInt8]) -> String {
        "\(TextPosition(of: failure.offset, in: text)): \(failure.reason)"
    }
}

extension UInt8 {
    /// Not the beginning of anything that JSON-LD can be.
    fileprivate var isProse: Bool { self != UInt8(ascii: "{") && self != UInt8(ascii: "[") }
}
