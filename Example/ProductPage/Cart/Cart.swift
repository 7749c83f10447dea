import Foundation

/// What is to be bought: a line for each product of each source, in the order in which they were first added.
struct Cart: Sendable, Hashable {
    struct Line: Sendable, Hashable {
        /// Two sources may give different things the same product id.
        struct ID: Sendable, Hashable {
            var source: String
            var product: Product.ID
        }

        var id: ID
        var name: String
        /// Of one piece, when the first was added; nil if the product had no single price.
        var price: Decimal?
        var currency: String?
        var quantity = 1
    }

    enum Change: Sendable, Hashable {
        case add(Line), remove(Line)
    }

    /// More pieces than this in a line are a mistake.
    static let maximumQuantity = 9_999

    var lines: [Line] = []

    /// How many pieces there are.
    var count: Int { lines.reduce(0) { $0 + $1.quantity } }

    func quantity(of line: Line) -> Int { place(of: line).map { lines[$0].quantity } ?? 0 }

    /// Adds or takes out one piece. A line that is there keeps its name and price; the last piece takes the line
    /// with it.
    ///
    /// - Returns: Whether there was something to change.
    /// - Throws: `PageError.failed` if there would be more than a cart takes; it is then as it was.
    mutating func apply(_ change: Change) throws(PageError) -> Bool {
        switch change {
        case .add(let line): try add(line)
        case .remove(let line): remove(line)
        }
    }

    private mutating func add(_ line: Line) throws(PageError) -> Bool {
        guard let place = place(of: line) else {
            lines.append(line)
            lines[lines.count - 1].quantity = 1
            return true
        }
        guard lines[place].quantity < Self.maximumQuantity else {
            let name = lines[place].name.shortened(to: 60)
            throw .failed("the cart has \(Self.maximumQuantity) of “\(name)”, the most it takes")
        }
        lines[place].quantity += 1
        return true
    }

    private mutating func remove(_ line: Line) -> Bool {
        guard let place = place(of: line) else { return false }
        lines[place].quantity -= 1
        if lines[place].quantity == 0 { lines.remove(at: place) }
        return true
    }

    /// Files of earlier versions name no source: their lines are known by id and name.
    private func place(of line: Line) -> Int? {
        lines.firstIndex { $0.id == line.id }
            ?? lines.firstIndex {
                $0.id == Line.ID(source: "", product: line.id.product) && $0.name == line.name
            }
    }
}

extension Cart.Line {
    /// One piece of a product.
    init(_ product: Product, from source: String) {
        self.init(
            id: ID(source: source, product: product.id), name: product.name, price: product.price?.amount,
            currency: product.price?.currency)
    }

    /// The price of one piece, in words where there is no single one.
    var priceText: String {
        price.map { "\(Price(value: .amount($0), currency: currency))" } ?? "no single price"
    }
}
