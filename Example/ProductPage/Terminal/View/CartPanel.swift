import Foundation

/// The cart, in full and in a line.
enum CartPanel {
    static func lines(_ cart: Cart, _ columns: Int) -> [Line] {
        let width = min(columns, ProductPanel.widestText)
        var lines = [Line("Cart", .title), Line()]
        for line in cart.lines {
            let name = "\(line.quantity) × \(line.name.cut)"
            lines += name.wrapped(to: width).map { Line($0) }
            lines += price(line).cut.wrapped(to: width - 2).map { Line("  " + $0, .faint) }
        }
        if cart.lines.isEmpty { return lines + wrapped("It is empty. Press a to add the product.", width) }
        return lines + [Line()] + wrapped("Total: \(total(cart))", width, .title)
    }

    /// How many pieces, and what they cost; nothing before the cart is known.
    static func summary(_ cart: Cart?, _ columns: Int) -> [Line] {
        guard let cart else { return [] }
        guard cart.count > 0 else { return [Line("Cart: empty", .faint)] }
        let count = "Cart: \(pieces(cart.count))"
        let lines = wrapped("\(count), \(total(cart))", columns, .title)
        // A sum that is cut would be another sum.
        return lines.count <= 3 ? lines : wrapped("\(count); press c for the total", columns, .title)
    }

    private static func wrapped(_ text: String, _ width: Int, _ ink: Ink = .plain) -> [Line] {
        text.cut.wrapped(to: width).map { Line($0, ink) }
    }

    private static func pieces(_ count: Int) -> String { count == 1 ? "1 piece" : "\(count) pieces" }

    private static func price(_ line: Cart.Line) -> String {
        guard let price = line.price else { return "no single price" }
        let amount = Price(value: .amount(price * Decimal(line.quantity)), currency: line.currency)
        guard line.quantity > 1 else { return "\(amount)" }
        return "\(amount), \(Price(value: .amount(price), currency: line.currency)) each"
    }

    /// One amount for each currency, and how many pieces are in none of them: without a price, or with one
    /// that could not be added exactly.
    private static func total(_ cart: Cart) -> String {
        let amounts = cart.totals.map { "\($0)" }
        let unpriced = cart.lines.reduce(0) { $0 + ($1.price == nil ? $1.quantity : 0) }
        let rest = [(unpriced, "without a price"), (cart.uncountedCount - unpriced, "not counted")]
            .filter { $0.0 > 0 }.map { "\(pieces($0.0)) \($0.1)" }
        return (amounts + rest).joined(separator: " + ")
    }
}
