import Foundation

/// What all offers for one product come to.
///
/// Two summaries merge in constant time, so that ten thousand offers cost no more than reading them.
struct OfferSummary {
    /// Amounts of one currency; a bound that is `nil` is not known.
    struct Span {
        private(set) var low: Decimal?
        private(set) var high: Decimal?
        let currency: String?

        init(low: Decimal?, high: Decimal?, currency: String?) {
            let isReversed = low.flatMap { low in high.map { low > $0 } } ?? false
            self.low = isReversed ? high : low
            self.high = isReversed ? low : high
            self.currency = currency
        }
    }

    /// How many currencies are told apart.
    private static let maximumSpans = 3

    /// One for each currency, by its name; amounts without a currency come last.
    ///
    /// By name rather than as they come: a currency left out in one merge then stays left out in all
    /// later ones, so that what is shown of a currency is never only a part of its amounts.
    var spans: [Span] = []
    private var hasOtherCurrencies = false
    /// The price's place where no number stands in it.
    var text: String?
    var textCurrency: String?
    var availability: Availability?
    var url: String?

    var hasPrice: Bool { !spans.isEmpty || text != nil }

    /// The currency of the price, if it names one and no other.
    var onlyCurrency: String? {
        if namesSeveralCurrencies { return nil }
        return spans.isEmpty ? textCurrency : spans[0].currency
    }

    var namesSeveralCurrencies: Bool { spans.count > 1 && spans[1].currency != nil }

    mutating func merge(_ other: OfferSummary) {
        for span in other.spans { merge(span) }
        hasOtherCurrencies = hasOtherCurrencies || other.hasOtherCurrencies
        if text == nil {
            text = other.text
            textCurrency = other.textCurrency
        }
        availability = other.availability.map { availability?.orBetter($0) ?? $0 } ?? availability
        url = url ?? other.url
    }

    private mutating func merge(_ theirs: Span) {
        if let index = spans.firstIndex(where: { $0.currency == theirs.currency }) {
            spans[index].merge(theirs)
            return
        }
        spans.insert(theirs, at: spans.firstIndex { theirs.precedes($0) } ?? spans.endIndex)
        if spans.count > Self.maximumSpans {
            spans.removeLast()
            hasOtherCurrencies = true
        }
    }

    /// Numbers where there are any, else the text as given.
    var price: Price? {
        let prices = spans.compactMap(\.price)
        guard prices.count > 1 else {
            return prices.first ?? text.map { Price(value: .text($0), currency: textCurrency) }
        }
        // Amounts of several currencies cannot be compared, so no one of them stands for the others.
        let list = prices.map(\.description).joined(separator: ", ")
        return Price(value: .text(hasOtherCurrencies ? "\(list) and other currencies" : list), currency: nil)
    }
}

extension OfferSummary.Span {
    fileprivate func precedes(_ other: Self) -> Bool {
        guard let currency else { return false }
        return other.currency.map { currency < $0 } ?? true
    }

    fileprivate mutating func merge(_ theirs: Self) {
        let least = low.flatMap { low in theirs.low.map { min(low, $0) } }
        let most = high.flatMap { high in theirs.high.map { max(high, $0) } }
        if least != nil || most != nil { self = Self(low: least, high: most, currency: currency) }
    }

    fileprivate var price: Price? {
        switch (low, high) {
        case (let low?, let high?):
            Price(value: low == high ? .amount(low) : .range(low, high), currency: currency)
        case (let low?, nil): Price(value: .from(low), currency: currency)
        case (nil, let high?): Price(value: .upTo(high), currency: currency)
        case (nil, nil): nil
        }
    }
}
