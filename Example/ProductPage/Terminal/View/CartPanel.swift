import Foundation
import ProductReading
import ToolSupport

extension TerminalView {
    /// The cart in full: its title, each of its lines, and the total.
    var cartParts: [[Line]] {
        let title = [Line("Cart", .title)] + gap
        guard !cart.lines.isEmpty else {
            let isKnown = state.page?.cart != nil
            let none = isKnown ? "It is empty. Press a to add the product." : "It is not known yet."
            return [title, Line.wrapped(none, to: width)]
        }
        let parts = cart.lines.map { line in
            let isSelected = line.id == selected
            let style = isSelected ? Style.title : .plain
            return Line.wrapped(
                "\(line.quantity) × \(line.name)", to: width, style,
                after: Line(isSelected ? ">" : " ", style), indent: 2)
                + Line.wrapped(price(line), to: width, .faint, indent: 2)
        }
        return [title] + parts + [gap + Line.wrapped("Total: \(total)", to: width, .title)]
    }

    /// How many pieces, and what they cost; nothing before the cart is known.
    var cartSummary: [Line] {
        guard let page = state.page else { return [] }
        guard page.cart != nil else { return [Line("Cart: not read", .warning)] }
        guard cart.count > 0 else { return [Line("Cart: empty", .faint)] }
        let count = "Cart: \(cart.countText)"
        let lines = Line.wrapped("\(count), \(total)", to: width, .title)
        // A sum that is cut would be another sum.
        return lines.count <= 3 ? lines : Line.wrapped("\(count); press c for the total", to: width, .title)
    }

    /// As it was when it was added, and what it is now where the product in view says something else.
    private func price(_ line: Cart.Line) -> String {
        guard let price = line.price else { return line.priceText }
        let inView = state.page?.line
        let isInView = line.id == inView?.id
        var each = line.priceText
        var word = ","
        if isInView, let now = state.page?.product.price?.main, "\(now)" != each {
            each = "\(now) (was \(now.currency == line.currency ? String(each.prefix { $0 != " " }) : each))"
            word = "; now"
        }
        if line.quantity == 1 { return each }
        let all = Price(value: .amount(price * Decimal(line.quantity)), currency: line.currency)
        return "\(all)\(word) \(each) each"
    }

    /// One amount for each currency, and how many pieces are in none of them.
    private var total: String {
        let unpriced = Cart(lines: cart.lines.filter { $0.price == nil })
        let rest = unpriced.count == 0 ? [] : ["\(unpriced.countText) without a price"]
        return (cart.totals.map { "\($0)" } + rest).joined(separator: " + ")
    }
}

extension Cart {
    var countText: String { count == 1 ? "1 piece" : "\(count) pieces" }
}
