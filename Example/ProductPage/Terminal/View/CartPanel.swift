import Foundation

extension TerminalView {
    /// The cart in full: its title, each of its lines, and the total.
    var cartParts: [[Line]] {
        let parts = cart.lines.map { line in
            let (mark, ink) = line.id == selected ? (">", Ink.title) : (" ", .plain)
            let head = Line(mark, ink)
            return Line.wrapped("\(line.quantity) × \(line.name)", to: width, ink, after: head, indent: 2)
                + Line.wrapped(price(line), to: width, .faint, indent: 2)
        }
        let isEmpty = parts.isEmpty
        let none =
            state.page?.cart == nil ? "It is not known yet." : "It is empty. Press a to add the product."
        let end = isEmpty ? none : "Total: \(total)"
        return [[Line("Cart", .title)] + gap] + parts
            + [(isEmpty ? [] : gap) + Line.wrapped(end, to: width, isEmpty ? .plain : .title)]
    }

    /// How many pieces, and what they cost; nothing before the cart is known.
    var cartSummary: [Line] {
        guard let page = state.page else { return [] }
        guard page.cart != nil else { return [Line("Cart: not read", .warning)] }
        guard cart.count > 0 else { return [Line("Cart: empty", .faint)] }
        let count = "Cart: \(pieces(cart.count))"
        let lines = Line.wrapped("\(count), \(total)", to: width, .title)
        // A sum that is cut would be another sum.
        return lines.count <= 3 ? lines : Line.wrapped("\(count); press c for the total", to: width, .title)
    }

    private func pieces(_ count: Int) -> String { count == 1 ? "1 piece" : "\(count) pieces" }

    /// As it was when it was added, and what it is now where the product in view says something else.
    private func price(_ line: Cart.Line) -> String {
        guard let price = line.price else { return line.priceText }
        let page = state.page.flatMap { Cart(lines: [line]).quantity(of: $0.line) > 0 ? $0 : nil }
        var each = line.priceText
        if let now = page?.product.price, "\(now)" != each {
            each = "\(now) (was \(now.currency == line.currency ? String(each.prefix { $0 != " " }) : each))"
        }
        let all = Price(value: .amount(price * Decimal(line.quantity)), currency: line.currency)
        guard line.quantity > 1 else { return each }
        return each == line.priceText ? "\(all), \(each) each" : "\(all); now \(each) each"
    }

    /// One amount for each currency, and how many pieces are in none of them: without a price, or with one
    /// that could not be added exactly.
    private var total: String {
        let amounts = cart.totals.map { "\($0)" }
        let unpriced = cart.lines.reduce(0) { $0 + ($1.price == nil ? $1.quantity : 0) }
        let rest = [(unpriced, "without a price"), (cart.uncountedCount - unpriced, "not counted")]
            .filter { $0.0 > 0 }.map { "\(pieces($0.0)) \($0.1)" }
        return (amounts + rest).joined(separator: " + ")
    }
}
