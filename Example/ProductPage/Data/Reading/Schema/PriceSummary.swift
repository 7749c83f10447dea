import Foundation

/// What several prices come to.
///
/// One is added in constant time, so that ten thousand offers cost no more than reading them.
struct PriceSummary {
    /// The least and the most of one currency; a bound that is `nil` is not known.
    private struct Span {
        var low: Decimal?
        var high: Decimal?
        let currency: String?
    }

    /// How many currencies are kept.
    private static let maximumSpans = 3

    /// One for each currency, by its name; amounts without a currency come last.
    ///
    /// By name rather than as they come: a currency left out once then stays left out, so that what is
    /// shown of a currency is never only a part of its amounts.
    private var spans: [Span] = []
    private var hasOtherCurrencies = false
    private var text: Price?

    var isEmpty: Bool { spans.isEmpty && text == nil }

    /// The currency of the price, if it names one and no other.
    var onlyCurrency: String? {
        if namesSeveralCurrencies { return nil }
        return spans.isEmpty ? text?.currency : spans[0].currency
    }

    var namesSeveralCurrencies: Bool { spans.count > 1 && spans[1].currency != nil }

    mutating func add(_ price: Price?) {
        guard let price else { return }
        switch price.value {
        case .amount(let amount): add(Span(low: amount, high: amount, currency: price.currency))
        case .range(let low, let high): add(Span(low: low, high: high, currency: price.currency))
        case .from(let low): add(Span(low: low, high: nil, currency: price.currency))
        case .upTo(let high): add(Span(low: nil, high: high, currency: price.currency))
        case .text: text = text ?? price
        }
    }

    mutating func add(_ other: PriceSummary) {
        for span in other.spans { add(span) }
        hasOtherCurrencies = hasOtherCurrencies || other.hasOtherCurrencies
        text = text ?? other.text
    }

    private mutating func add(_ span: Span) {
        if let index = spans.firstIndex(where: { $0.currency == span.currency }) {
            let known = spans[index]
            let low = known.low.flatMap { low in span.low.map { min(low, $0) } }
            let high = known.high.flatMap { high in span.high.map { max(high, $0) } }
            if low != nil || high != nil { (spans[index].low, spans[index].high) = (low, high) }
            return
        }
        spans.append(span)
        spans.sort { ($0.currency ?? "\u{10FFFF}") < ($1.currency ?? "\u{10FFFF}") }
        if spans.count > Self.maximumSpans {
            spans.removeLast()
            hasOtherCurrencies = true
        }
    }

    /// Numbers where there are any, else the text as given.
    var price: Price? {
        let prices = spans.compactMap { Price(low: $0.low, high: $0.high, currency: $0.currency) }
        guard prices.count > 1 else { return prices.first ?? text }
        // Amounts of several currencies cannot be compared, so no one of them stands for the others.
        let list = prices.map(\.description).joined(separator: ", ")
        return Price(value: .text(hasOtherCurrencies ? "\(list) and other currencies" : list), currency: nil)
    }
}
