import Foundation

extension Cart {
    /// What the cart costs, to the last digit: an amount for each currency, in the order in which they were
    /// first added. Not all lines are among them; see `uncountedCount`.
    var totals: [Price] {
        var totals: [(currency: String?, amount: Decimal)] = []
        for line in lines {
            guard let price = line.countablePrice else { continue }
            let amount = price * Decimal(line.quantity)
            if let place = totals.firstIndex(where: { $0.currency == line.currency }) {
                totals[place].amount += amount
            } else {
                totals.append((line.currency, amount))
            }
        }
        return totals.map { Price(value: .amount($0.amount), currency: $0.currency) }
    }

    /// How many pieces the totals leave out: those without a price, and those whose price is too large or too
    /// fine to be counted to the last digit.
    var uncountedCount: Int {
        lines.reduce(0) { $0 + ($1.countablePrice == nil ? $1.quantity : 0) }
    }
}

extension Cart.Line {
    /// The price, if it can be counted without rounding: of its 38 digits a `Decimal` needs four for the
    /// quantity and three for the lines. What is beyond this is no price of anything.
    fileprivate var countablePrice: Decimal? {
        price.flatMap { price in
            price.magnitude < Decimal(sign: .plus, exponent: 15, significand: 1) && price.exponent >= -12
                ? price : nil
        }
    }
}
