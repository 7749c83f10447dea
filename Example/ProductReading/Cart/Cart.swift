package import Foundation
import ToolSupport

/// The products to buy: a line for each product of each source, in the order in which they were first added.
package struct Cart: Sendable, Hashable, Codable {
    package struct Line: Sendable, Hashable, Codable {
        package var source: String
        package var product: Product.ID
        package var name: String
        /// Of one piece, when the first was added; nil if the product had no single price that can be counted.
        package var price: Decimal?
        package var currency: String?
        package var quantity = 1

        enum CodingKeys: String, CodingKey {
            case source, name, price, currency, quantity
            case product = "id"
        }
    }

    package enum Change: Sendable, Hashable, Codable {
        case add(Line), remove(Line)
    }

    /// More pieces than this in a line are a mistake.
    package static let maximumQuantity = 9_999

    package var lines: [Line]

    package init(lines: [Line] = []) { self.lines = lines }

    /// How many pieces there are.
    package var count: Int { lines.reduce(0) { $0 + $1.quantity } }

    /// The price of the cart, to the last digit: an amount for each currency, in the order in which they were first
    /// added. Lines without a price are not among them.
    package var totals: [Price] {
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
    package mutating func apply(_ change: Change) throws(PageError) -> Bool {
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
    package var id: [String] { [source, product] }

    /// One piece of a product.
    package init(_ product: Product, from source: String) {
        self.init(
            source: source, product: product.id, name: product.name,
            price: product.price?.amount.flatMap(Self.countable), currency: product.price?.currency)
    }

    /// The price, if it can be counted without rounding: of its 38 digits a `Decimal` needs four for the
    /// quantity and three for the lines. Nothing has a price beyond this.
    package static func countable(_ price: Decimal) -> Decimal? {
        price.magnitude < Decimal(sign: .plus, exponent: 15, significand: 1) && price.exponent >= -12
            ? price : nil
    }

    /// The price of one piece, in words where there is no single one.
    package var priceText: String {
        price.map { "\(Price(value: .amount($0), currency: currency))" } ?? "no single price"
    }
}
