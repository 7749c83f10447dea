import Foundation

/// What someone means to buy: a line for each product, in the order in which they were first added.
struct Cart: Sendable, Equatable {
    struct Line: Sendable, Equatable {
        /// The product's id.
        var id: String
        var name: String
        /// Of one piece, when it was last added; `nil` where the product has no single price.
        var price: Decimal?
        var currency: String?
        var quantity: Int
    }

    /// More of one product than this is a mistake.
    static let maximumQuantity = 9_999

    private(set) var lines: [Line]

    init(lines: [Line] = []) { self.lines = lines }

    /// How many pieces there are.
    var count: Int { lines.reduce(0) { $0 + $1.quantity } }

    func quantity(of id: Product.ID) -> Int { lines.first { $0.id == id }?.quantity ?? 0 }

    /// Adds one piece; name and price follow what the product says now. Nothing is added beyond
    /// `maximumQuantity`.
    mutating func add(_ product: Product) {
        var line = Line(
            id: product.id, name: product.name, price: product.price?.amount,
            currency: product.price?.currency, quantity: 1)
        if let place = lines.firstIndex(where: { $0.id == product.id }) {
            line.quantity = min(lines[place].quantity + 1, Self.maximumQuantity)
            lines[place] = line
        } else {
            lines.append(line)
        }
    }

    /// Takes one piece out, and the line with its last one. Without such a line nothing happens.
    mutating func remove(_ id: Product.ID) {
        guard let place = lines.firstIndex(where: { $0.id == id }) else { return }
        lines[place].quantity -= 1
        if lines[place].quantity == 0 { lines.remove(at: place) }
    }
}
