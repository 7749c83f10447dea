/// The products of one source, each once, in the order in which they matter.
///
/// Pages describe one product in several places, in several syntaxes, and by plugins that do not know of
/// each other: products of the same name are the same, unless they say otherwise. Adding one takes constant time.
struct ProductList {
    private var entries: [ReadProduct] = []
    private var places: [String: Int] = [:]

    var count: Int { entries.count }

    /// Whether there is nothing but products of lists.
    var isListing: Bool { entries.allSatisfy(\.isListed) }

    mutating func add(_ new: ReadProduct) {
        let name = new.product.name.lowercased()
        let marks = ["\n\(new.product.id)"] + (new.product.url.map { ["\n\(Self.path($0))"] } ?? [])
        let looks = new.marks.map { "\n\($0.key)=\($0.value)" }.sorted()
        let keys = (new.isNamed ? (looks + marks).map { name + $0 } : []) + marks + [name]
        let same = keys.compactMap { places[$0] }.first { Self.isSame(entries[$0], new) }
        let place = same ?? entries.count
        if same == nil { entries.append(new) } else { entries[place].take(new) }
        for key in keys where places[key] == nil { places[key] = place }
    }

    private static func isSame(_ old: ReadProduct, _ new: ReadProduct) -> Bool {
        let (first, second) = (old.product, new.product)
        if !old.isNamed || !new.isNamed { return first.id == second.id }
        let isSameName = first.name.lowercased() == second.name.lowercased()
        let isSameSKU = first.sku.flatMap { sku in second.sku.map { sku == $0 } }
        let isSamePage = first.url.flatMap { url in second.url.map { path(url) == path($0) } }
        // Two ways to write one page say the same of one product; one way says two things of two.
        if old.isMarkup != new.isMarkup { return isSameName || isSameSKU == true || isSamePage == true }
        return isSameName && isSameSKU ?? (!old.differs(from: new) && isSamePage ?? true)
    }

    /// The page's own product first, then independent products, then those of a list.
    func products(titles: [String] = [], addresses: [String?] = []) -> [Product] {
        var products = entries.filter { !$0.isListed } + entries.filter(\.isListed)
        if products.count == 1, !products[0].isNamed, let title = titles.first {
            products[0].product.name = title
        }
        // An offer without a product is only of use on a page with a heading.
        products.removeAll(where: \.product.name.isEmpty)
        for index in products.indices where products[index].product.id.isEmpty {
            products[index].product.id = products[index].product.name
        }
        let pages = Set(addresses.compactMap { $0.map { Self.path($0, query: false) } })
        let titles = titles.map { $0.lowercased() }
        if let own = Self.own(products.map(\.product), titles, pages) {
            products.insert(products.remove(at: own), at: 0)
        }
        return Self.unique(Self.leading(products, titles))
    }

    /// Where the first one is sold out, its other sizes go before it: as it is with the variants of
    /// a group. Where the page names the very one, that may only be one of the same name.
    private static func leading(_ products: [ReadProduct], _ titles: [String]) -> [ReadProduct] {
        guard let first = products.first, !first.canBeOrdered else { return products }
        let name = first.product.name.lowercased()
        let isNamedByPage = titles.contains { $0.hasPrefix(name) }
        let isBefore = products.map { other in
            other.canBeOrdered && other.isListed == first.isListed
                && (first.isSameName(as: other) || !isNamedByPage && first.isVariant(beside: other))
        }
        let (before, behind) = (zip(products, isBefore).filter(\.1), zip(products, isBefore).filter { !$0.1 })
        return (before + behind).map(\.0)
    }

    /// The one that the page is about, by its heading, its address, or the beginning of its title.
    private static func own(_ products: [Product], _ titles: [String], _ pages: Set<String>) -> Int? {
        let names = products.map { $0.name.lowercased() }
        return names.firstIndex(where: titles.contains)
            ?? products.firstIndex { $0.url.map { pages.contains(path($0, query: false)) } ?? false }
            ?? names.indices.filter { index in titles.contains { $0.hasPrefix(names[index]) } }
            .max { (names[$0].count, $1) < (names[$1].count, $0) }
            ?? names.firstIndex { name in titles.contains { name.hasPrefix($0) } }
    }

    /// An address without its variable parts: its host, which may be left out, and its fragment.
    static func path(_ address: String, query: Bool = true) -> String {
        let rest = address.prefix { $0 != "#" && (query || $0 != "?") }
        let parts = rest.split(separator: "/").dropFirst(rest.contains("://") ? 2 : 0)
        return parts.joined(separator: "/")
    }

    /// Two products may have one number; the cart must not take them for one, in whatever order they come.
    private static func unique(_ products: [ReadProduct]) -> [Product] {
        let shared = Dictionary(grouping: products, by: \.product.id).filter { $0.value.count > 1 }
        var taken: Set<String> = []
        return products.compactMap { read in
            var product = read.product
            if shared[product.id] != nil {
                let looks = (["gtin", "mpn"] + ReadProduct.looks).compactMap { read.marks[$0] }
                product.id = ([product.id, product.name] + looks).reduce(into: "") { id, part in
                    if id != part { id += (id.isEmpty ? "" : " ") + part }
                }
            }
            return taken.insert(product.id).inserted ? product : nil
        }
    }
}

extension ReadProduct {
    fileprivate func isSameName(as other: ReadProduct) -> Bool {
        product.name.lowercased() == other.product.name.lowercased()
    }

    /// Whether it is probably the same in another size: of one group, on one page, or by names that differ in a word.
    fileprivate func isVariant(beside other: ReadProduct) -> Bool {
        if let group, group == other.group { return true }
        if let page = product.url.map({ ProductList.path($0, query: false) }), !page.isEmpty,
            page == other.product.url.map({ ProductList.path($0, query: false) })
        {
            return true
        }
        guard product.brand == nil || other.product.brand == nil || product.brand == other.product.brand
        else {
            return false
        }
        let (words, others) = (product.words, other.product.words)
        return words.count > 1 && words.count == others.count && zip(words, others).count { $0 != $1 } == 1
    }
}

extension Product {
    fileprivate var words: [Substring] { name.lowercased().split(whereSeparator: \.isWhitespace) }
}
