import Foundation

typealias Node = [String: JSON]

extension Node {
    var id: String? {
        if case .string(let id)? = self["@id"] ?? self["id"] { id } else { nil }
    }

    /// Whether it says nothing but which node is meant.
    var isReference: Bool {
        id != nil && keys.allSatisfy { ["@id", "@type", "id", "type"].contains($0) }
    }

    /// Bare names: `https://schema.org/Product`, `schema:Product` and `Product` are the same.
    var types: [String] {
        (self["@type"] ?? self["type"])?.elements(upTo: 20).compactMap { type in
            if case .string(let text) = type { Vocabulary.last(text) } else { nil }
        } ?? []
    }

    var isProduct: Bool {
        let types = types.map { $0.lowercased() }
        if types.contains(where: Vocabulary.products.contains) { return true }
        return self["offers"] != nil && types.contains(where: Vocabulary.works.contains)
    }

    /// The first of those members that has text, on one line.
    func line(_ names: String...) -> String? { line(names) }

    func line(_ names: [String]) -> String? { names.lazy.compactMap { self[$0]?.line }.first }

    /// The first of those members that has an address or an id.
    func address(_ names: String...) -> String? { names.lazy.compactMap { self[$0]?.address }.first }
}

/// The nodes of one source, whichever syntax they were written in: finds the products among them and follows
/// their references.
///
/// In an `@graph`, nodes name each other: `"offers": {"@id": "#offer"}` means the node that says more about
/// `#offer`, in any place of the graph.
struct Graph {
    private let roots: [JSON]
    /// The union of all nodes of one id.
    private var merged: [String: Node] = [:]
    private(set) var types: Set<String> = []
    /// Offers by the product that they name by reference.
    private(set) var naming: [String: [JSON]] = [:]
    /// Groups that products name as theirs.
    private(set) var groups: Set<String> = []
    /// The result of a reference: many products may share an offer, and many variants a group.
    var knownOffers: [String: OfferSummary] = [:]
    var knownOfferNodes: [String: OfferNode] = [:]
    var knownProducts: [String: ReadProduct] = [:]

    init(_ roots: [JSON]) {
        self.roots = roots
        var pending = Array(roots.reversed())
        while let value = pending.popLast() {
            if case .array(let elements) = value { pending += elements.reversed() }
            guard let node = value.members else { continue }
            // For a message, which names a few of them.
            if types.count < 100 { types.formUnion(node.types) }
            if let id = node.id, !node.isReference {
                merged[id, default: [:]].merge(node) { first, _ in first }
            }
            if let group = node["isVariantOf"]?.first?.members?.id { groups.insert(group) }
            // By their names: where two nodes claim one id, it must not be chance which of them counts.
            pending += node.sorted { $0.key > $1.key }.map(\.value)
        }
    }

    /// The nodes that a value is made of, with the id of each that it only refers to.
    ///
    /// Many nodes may refer to one: read it once and keep the result, or hostile data makes the work
    /// grow with the square of its size.
    func nodes(_ value: JSON?) -> [(reference: String?, node: Node)] {
        (value?.elements ?? []).compactMap(\.members).map { node in
            guard node.isReference, let id = node.id, let target = merged[id] else { return (nil, node) }
            return (id, target)
        }
    }

    /// The first text, or the first of those members that its node has.
    func text(_ value: JSON?, _ members: String...) -> String? {
        value?.line ?? nodes(value).first?.node.line(members)
    }

    /// The node itself, with what others of its id say. Others with 200 members or more are hostile input and are
    /// left out.
    func whole(_ node: Node) -> Node {
        guard let same = node.id.flatMap({ merged[$0] }), same.count < 200 else { return node }
        return node.merging(same) { own, _ in own }
    }
}

extension Graph {
    /// Where something stands that is a product or holds one.
    struct Place {
        var value: JSON
        /// The node around it with a price, such as the offer of it.
        var offer: JSON?
        /// Whether it is one of a list.
        var isListed = false
    }

    /// Where schema.org puts products inside other things, before all other members.
    private static let containers = ["mainEntity", "@graph", "itemOffered", "itemReviewed", "item"]

    /// Every node of a product, in the order of the data. A list of places to visit rather than recursion;
    /// the first in the data is the last on the list.
    mutating func products() -> [(node: Node, place: Place)] {
        var found: [(Node, Place)] = []
        var pending = roots.reversed().map { Place(value: $0) }
        while let place = pending.popLast() {
            if case .array(let elements) = place.value {
                pending += elements.reversed().map {
                    Place(value: $0, offer: place.offer, isListed: place.isListed)
                }
            }
            guard let node = place.value.members else { continue }
            if node.isReference {
                if let id = node.id, let offer = place.offer { naming[id, default: []].append(offer) }
            } else if node.isProduct {
                found.append((node, place))
            } else {
                pending += Self.inside(node, of: place)
            }
        }
        return found
    }

    private static func inside(_ node: Node, of place: Place) -> [Place] {
        let types = node.types
        let isOffer = types.contains {
            $0.lowercased().hasSuffix("offer") || ["ListItem", "OfferCatalog"].contains($0)
        }
        let offer = isOffer && node.hasPrice ? .object(node) : types.contains("ItemList") ? nil : place.offer
        let others = node.keys.filter { !Vocabulary.related.contains($0) && !containers.contains($0) }
        let first = containers.filter { node[$0] != nil }
        return (first + others.sorted()).reversed().map { name in
            let isListed = place.isListed || !containers.contains(name)
            let value = node[name] ?? .null
            return Place(
                value: name == "itemListElement" ? ordered(value) : value, offer: offer, isListed: isListed)
        }
    }

    /// A list in the order of the positions that it names; elements without one come last.
    private static func ordered(_ list: JSON) -> JSON {
        let elements = list.elements.enumerated().map { place, element in
            (
                element.members?.line("position").flatMap(DecimalText.parse) ?? .greatestFiniteMagnitude,
                place, element
            )
        }
        return .array(elements.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2))
    }
}
