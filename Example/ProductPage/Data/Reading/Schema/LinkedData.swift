/// The JSON-LD of one source: finds the products in it and follows its references.
///
/// In an `@graph`, nodes name each other: `"offers": {"@id": "#offer"}` means the node that says more about
/// `#offer`, wherever that stands.
struct LinkedData {
    private let roots: [JSON]
    private let nodes: [String: [String: JSON]]
    private let types: Set<String>

    init(_ roots: [JSON]) {
        self.roots = roots
        var nodes: [String: [String: JSON]] = [:]
        var types: Set<String> = []
        var pending = roots
        while let value = pending.popLast() {
            if case .array(let elements) = value { pending += elements }
            guard let node = value.members else { continue }
            if let id = Self.id(of: node), !Self.isReference(node), nodes[id] == nil { nodes[id] = node }
            // For a message, which names a few of them.
            if types.count < 100 { types.formUnion(Self.types(of: node)) }
            // By their names: where two nodes claim one id, it must not be chance which of them counts.
            pending += node.sorted { $0.key < $1.key }.map(\.value)
        }
        self.nodes = nodes
        self.types = types
    }

    /// Which node is meant, where this one says nothing but its id.
    ///
    /// Many nodes may refer to one: read it once and keep what came of it, or hostile data makes the work
    /// grow with the square of its size.
    func target(of node: [String: JSON]) -> (id: String, node: [String: JSON])? {
        guard Self.isReference(node), let id = Self.id(of: node) else { return nil }
        return nodes[id].map { (id, $0) }
    }

    /// More than anybody looks through; each takes far more memory than the text that names it.
    static let maximumProducts = 20_000

    struct TooManyProducts: Error {}

    /// Every product, in the order of the data; what is said of the same one in several places is put
    /// together.
    func products() throws(TooManyProducts) -> [Product] {
        var reading = ProductReading(self)
        var found: [Product] = []
        var places: [String: Int] = [:]
        for node in productNodes() {
            for product in reading.products(of: node) {
                if let place = places[product.id], found[place].name == product.name {
                    found[place] = found[place].completed(from: product)
                } else {
                    guard found.count < Self.maximumProducts else { throw TooManyProducts() }
                    places[product.id] = found.count
                    found.append(product)
                }
            }
        }
        return found
    }

    /// For a message: what the data describes, where it is no product.
    var typesInstead: String {
        guard !types.isEmpty else { return "" }
        let bound = 5
        let names = types.sorted().prefix(bound).map { $0.shortened(to: 30) }.joined(separator: ", ")
        return " (it describes: \(names)\(types.count > bound ? ", …" : ""))"
    }
}

extension LinkedData {
    /// Where schema.org puts products inside other things. Not among them: what a product is related to.
    private static let containers = [
        "@graph", "@included", "mainEntity", "mainEntityOfPage", "itemListElement", "item", "itemOffered",
        "hasOfferCatalog", "makesOffer", "dataFeedElement", "hasPart", "about",
    ]

    /// A list of things to visit rather than recursion; the first in the data is the last on the list.
    private func productNodes() -> [[String: JSON]] {
        var found: [[String: JSON]] = []
        var pending = Array(roots.reversed())
        while let value = pending.popLast() {
            if case .array(let elements) = value { pending += elements.reversed() }
            guard let node = value.members else { continue }
            if Self.isProduct(node) {
                if !Self.isReference(node) { found.append(node) }
            } else {
                pending += Self.containers.reversed().compactMap { node[$0] }
            }
        }
        return found
    }

    private static let productTypes: Set<String> = [
        "product", "productgroup", "productmodel", "individualproduct", "someproducts", "vehicle", "car",
    ]

    static func isProduct(_ node: [String: JSON]) -> Bool {
        types(of: node).contains { productTypes.contains($0.lowercased()) }
    }

    private static func isReference(_ node: [String: JSON]) -> Bool {
        id(of: node) != nil && node.keys.allSatisfy { ["@id", "@type", "id", "type"].contains($0) }
    }

    private static func id(of node: [String: JSON]) -> String? {
        if case .string(let id)? = node["@id"] ?? node["id"] { id } else { nil }
    }

    /// Bare names: `https://schema.org/Product`, `schema:Product` and `Product` are the same.
    static func types(of node: [String: JSON]) -> [String] {
        guard let types = node["@type"] ?? node["type"] else { return [] }
        return types.elements.compactMap { type in
            guard case .string(let text) = type else { return nil }
            return text.split { $0 == "/" || $0 == "#" || $0 == ":" }.last.map(String.init)
        }
    }
}
