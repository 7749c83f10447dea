import Foundation
import ProductReading
import ToolSupport

/// The products to buy: a line for each product of each source, in the order in which they were first added.
struct Cart: Sendable, Hashable, Codable {
    struct Line: Sendable, Hashable, Codable {
        var source: String
        var product: Product.ID
        var name: String
        /// Of one piece, when the first was added; nil if the product had no single price that can be counted.
        var price: Decimal?
        var currency: String?
        var quantity = 1

        enum CodingKeys: String, CodingKey {
            case source, name, price, currency, quantity
            case product = "id"
        }
    }

    enum Change: Sendable, Hashable, Codable {
        case add(Line), remove(Line)
    }

    /// More pieces than this in a line are a mistake.
    static let maximumQuantity = 9_999

    var lines: [Line] = []

    /// How many pieces there are.
    var count: Int { lines.reduce(0) { $0 + $1.quantity } }

    /// The price of the cart, to the last digit: an amount for each currency, in the order in which they were first
    /// added. Lines without a price are not among them.
    var totals: [Price] {
        lines.reduce(into: []) { totals, line in
            guard let price = line.price else { return }
            let place = totals.firstIndex { $0.currency == line.currency }
            let amount = price * Decimal(line.quantity) + (place.flatMap { totals[$0].amount } ?? 0)
            let total = Price(value: .amount(amount), currency: line.currency)
            if let place { totals[place] = total } else { totals.append(total) }
        }
    }

    /// Adds or takes out one piece. An existing line keeps its name and price; without its last piece it is removed.
    ///
    /// - Returns: Whether there was something to change.
    /// - Throws: `PageError.failed` if there would be more than a cart takes; it is then as it was.
    mutating func apply(_ change: Change) throws(PageError) -> Bool {
        switch change {
        case .add(var line):
            line.quantity = 1
            guard let place = place(of: line) else {
                lines.append(line)
                return true
            }
            guard lines[place].quantity < Self.maximumQuantity else {
                let name = lines[place].name.shortened(to: 60)
                throw .failed("the cart has \(Self.maximumQuantity) of “\(name)”, the most it takes")
            }
            lines[place].quantity += 1
        case .remove(let line):
            guard let place = place(of: line) else { return false }
            lines[place].quantity -= 1
            if lines[place].quantity == 0 { lines.remove(at: place) }
        }
        return true
    }

    private func place(of line: Line) -> Int? { lines.firstIndex { $0.id == line.id } }
}

extension Cart.Line: Identifiable {
    /// Two sources may give different things the same product id.
    var id: [String] { [source, product] }

    /// One piece of a product.
    init(_ product: Product, from source: String) {
        self.init(
            source: source, product: product.id, name: product.name,
            price: product.price?.amount.flatMap(Self.countable), currency: product.price?.currency)
    }

    /// The price, if it can be counted without rounding: of its 38 digits a `Decimal` needs four for the
    /// quantity and three for the lines. Nothing has a price beyond this.
    static func countable(_ price: Decimal) -> Decimal? {
        price.magnitude < Decimal(sign: .plus, exponent: 15, significand: 1) && price.exponent >= -12
            ? price : nil
    }

    /// The price of one piece, in words where there is no single one.
    var priceText: String {
        price.map { "\(Price(value: .amount($0), currency: currency))" } ?? "no single price"
    }
}
