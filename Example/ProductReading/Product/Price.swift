package import Foundation

/// The price of a product: an amount, a range, or whatever text stands in a price's place.
package struct Price: Sendable, Hashable, Codable {
    package enum Value: Sendable, Hashable, Codable {
        case amount(Decimal)
        case range(Decimal, Decimal)
        case from(Decimal)
        case upTo(Decimal)
        /// No number, or none that is certain: `price on request`, `2 für 15`, as given.
        case text(String)
    }

    package var value: Value
    /// ISO 4217 where the data keeps to it; `nil` where it says nothing.
    package var currency: String?
    /// The prices in other currencies.
    package var others: [Price] = []

    package init(value: Value, currency: String?, others: [Price] = []) {
        (self.value, self.currency, self.others) = (value, currency, others)
    }
}

extension Price {
    /// A price between two bounds, of which one may be missing; in whichever order they come.
    init?(low: Decimal?, high: Decimal?, currency: String?) {
        switch (low, high) {
        case (let low?, let high?):
            value = low == high ? .amount(low) : .range(min(low, high), max(low, high))
        case (let low?, nil): value = .from(low)
        case (nil, let high?): value = .upTo(high)
        case (nil, nil): return nil
        }
        self.currency = currency
    }

    /// The least and the most it can be, as far as they are known.
    package var bounds: (low: Decimal?, high: Decimal?) {
        switch value {
        case .amount(let amount): (amount, amount)
        case .range(let low, let high): (low, high)
        case .from(let low): (low, nil)
        case .upTo(let high): (nil, high)
        case .text: (nil, nil)
        }
    }

    /// The one amount that can be put into a cart, if there is one.
    package var amount: Decimal? {
        if case .amount(let amount) = value { amount } else { nil }
    }

    /// It in each of its currencies, and the one that counts first.
    package var all: [Price] { [main] + others }

    /// Without the other currencies.
    package var main: Price { Price(value: value, currency: currency) }

    /// A price that is none of a piece today: `9.00 EUR until 2026-05-10`.
    func inWords(_ condition: String) -> Price {
        if case .text = value { self } else { Price(value: .text("\(self) \(condition)"), currency: nil) }
    }

    /// From the lower of two prices to the higher; a bound that either does not know is not known. Numbers go
    /// before words. Amounts in another currency cannot be compared: they stand beside the first ones.
    func merged(with other: Price?) -> Price {
        guard let other, other.bounds != (nil, nil) else { return self }
        guard bounds != (nil, nil) else { return other }
        return other.all.reduce(self) { $0.adding($1) }
    }

    /// - Parameter other: In one currency.
    private func adding(_ other: Price) -> Price {
        if currency == nil || other.currency == nil || currency == other.currency {
            let low = bounds.low.flatMap { low in other.bounds.low.map { min(low, $0) } }
            let high = bounds.high.flatMap { high in other.bounds.high.map { max(high, $0) } }
            var price = Price(low: low, high: high, currency: currency ?? other.currency) ?? self
            price.others = others
            return price
        }
        return besides(other)
    }

    /// With an amount in another currency; the first few of those are enough.
    func besides(_ other: Price) -> Price {
        var price = self
        if let place = others.firstIndex(where: { $0.currency == other.currency }) {
            price.others[place] = others[place].adding(other)
        } else if others.count < 4 {
            price.others.append(other)
        }
        return price
    }
}

extension Price: CustomStringConvertible {
    /// The same in every locale: `129.90 EUR`, `19.99–29.99 EUR`, `from 5.00 GBP`, `7.00 USD or 5.00 EUR`,
    /// `price on request`.
    package var description: String { ([inCurrency] + others.map(\.inCurrency)).joined(separator: " or ") }

    private var inCurrency: String {
        switch value {
        case .amount(let amount): "\(digits(amount)) \(code)"
        case .range(let low, let high): "\(digits(low))–\(digits(high)) \(code)"
        case .from(let low): "from \(digits(low)) \(code)"
        case .upTo(let high): "up to \(digits(high)) \(code)"
        case .text(let text): described(text)
        }
    }

    private var code: String { currency ?? "(currency not given)" }

    private func digits(_ amount: Decimal) -> String {
        DecimalText.plain(amount, fractionDigits: Self.minorDigits(of: currency))
    }

    /// A text with digits in it is an amount of something, so it says of what; words stand alone.
    private func described(_ text: String) -> String {
        guard let currency, text.contains(where: \.isNumber), !text.contains(currency),
            !text.contains(where: \.isCurrencySymbol)
        else { return text }
        return "\(text) \(currency)"
    }

    /// How many digits people expect after the point (ISO 4217); more are shown where the data has more.
    static func minorDigits(of currency: String?) -> Int {
        switch currency {
        case "CLP", "ISK", "JPY", "KRW", "PYG", "UGX", "VND", "XAF", "XOF", "XPF": 0
        case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND": 3
        default: 2
        }
    }
}
