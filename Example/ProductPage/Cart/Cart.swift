import Foundation

/// What someone means to buy: a line for each product, in the order in which they were first added.
struct Cart: Sendable, Hashable {
    struct Line: Sendable, Hashable {
        /// The product's id, as `Cart.key(of:)` keeps it.
        var id: String
        var name: String
        /// Of one piece, when it was last added; `nil` where the product has no single price.
        var price: Decimal?
        var currency: String?
        var quantity: Int
    }

    private(set) var lines: [Line]

    init(lines: [Line] = []) { self.lines = lines }

    /// How many pieces there are.
    var count: Int { lines.reduce(0) { $0 + $1.quantity } }

    func quantity(of id: Product.ID) -> Int { place(of: id).map { lines[$0].quantity } ?? 0 }

    /// Adds one piece; name and price follow what the product says now.
    ///
    /// - Throws: `PageError.failed` where there would be more than a cart takes; it is then as it was.
    mutating func add(_ product: Product) throws(PageError) {
        let line = Line(product)
        guard let place = place(of: product.id) else {
            guard lines.count < Self.maximumLines else { throw .tooManyProducts }
            lines.append(line)
            return
        }
        let quantity = lines[place].quantity
        guard quantity < Self.maximumQuantity else { throw .tooManyPieces(of: line.name) }
        lines[place] = line
        lines[place].quantity += quantity
    }

    /// Takes one piece out, and the line with its last one. Without such a line nothing happens.
    mutating func remove(_ id: Product.ID) {
        guard let place = place(of: id) else { return }
        lines[place].quantity -= 1
        if lines[place].quantity == 0 { lines.remove(at: place) }
    }

    private func place(of id: Product.ID) -> Int? {
        let key = Self.key(of: id)
        return lines.firstIndex { $0.id == key }
    }
}
