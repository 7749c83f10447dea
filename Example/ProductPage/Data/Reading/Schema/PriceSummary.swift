import Foundation

/// What several prices come to.
///
/// One is added in constant time, so that ten thousand offers cost no more than reading them.
struct PriceSummary {
    /// No shop names more; and what is added stays cheap.
    private static let maximumCurrencies = 10
    /// Behind the names of all currencies.
    private static let unnamed = "\u{10FFFF}"

    /// The least and the most in each currency. Amounts of several cannot be compared, so no one of them
    /// stands for the others.
    private var prices: [String: Price] = [:]
    private var text: Price?

    var isEmpty: Bool { prices.isEmpty && text == nil }

    /// The currencies that are named.
    var currencies: [String] { prices.keys.filter { $0 != Self.unnamed } }

    /// The currency of the price, if it names one and no other.
    var onlyCurrency: String? {
        let currencies = currencies
        return currencies.count > 1 ? nil : currencies.first ?? text?.currency
    }

    mutating func add(_ price: Price) {
        if case .text = price.value { return text = text ?? price }
        let key = price.currency ?? Self.unnamed
        if let known = prices[key] {
            prices[key] = known.extended(by: price)
        } else if prices.count < Self.maximumCurrencies {
            prices[key] = price
        }
    }

    mutating func add(_ other: PriceSummary) {
        for price in other.prices.values { add(price) }
        text = text ?? other.text
    }

    /// Numbers where there are any, else the text as given.
    var price: Price? {
        guard prices.count > 1 else { return prices.values.first ?? text }
        let list = prices.sorted { $0.key < $1.key }.map(\.value.description).joined(separator: ", ")
        return Price(value: .text(list), currency: nil)
    }
}

extension Price {
    /// From the lower of two bounds to the higher; one that either does not know is not known.
    fileprivate func extended(by other: Price) -> Price {
        let (mine, its) = (bounds, other.bounds)
        let low = mine.low.flatMap { low in its.low.map { min(low, $0) } }
        let high = mine.high.flatMap { high in its.high.map { max(high, $0) } }
        return Price(low: low, high: high, currency: currency) ?? self
    }
}
