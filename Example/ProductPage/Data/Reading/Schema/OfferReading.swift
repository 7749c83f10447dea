import Foundation

/// Reads `offers`: an `Offer`, an array of them, or an `AggregateOffer`, inline or by reference.
struct OfferReading {
    private let data: LinkedData
    /// What a reference came to: many products may share one, and one may even name itself.
    private var known: [String: OfferSummary] = [:]

    init(_ data: LinkedData) { self.data = data }

    mutating func summary(of value: JSON) -> OfferSummary { summary(of: value, depth: 0) }

    /// Aggregates of aggregates do not occur; the bound is for data that means harm.
    private static let maximumDepth = 8

    private mutating func summary(of value: JSON, depth: Int) -> OfferSummary {
        var result = OfferSummary()
        guard depth < Self.maximumDepth else { return result }
        for element in value.elements {
            guard let node = element.members else { continue }
            guard let (id, target) = data.target(of: node) else {
                result.merge(offer(node, depth: depth))
                continue
            }
            if known[id] == nil {
                known[id] = OfferSummary()
                known[id] = offer(target, depth: depth)
            }
            result.merge(known[id] ?? OfferSummary())
        }
        return result
    }

    private mutating func offer(_ node: [String: JSON], depth: Int) -> OfferSummary {
        var result = OfferSummary()
        result.availability = node["availability"]?.text.flatMap(PlainText.line).flatMap(Availability.init)
        result.url = node["url"]?.text.flatMap(PlainText.line)
        let inner = node["offers"].map { summary(of: $0, depth: depth + 1) } ?? OfferSummary()
        let given = currency(node) ?? inner.onlyCurrency
        let (low, high) = (line(node["lowPrice"]), line(node["highPrice"]))
        if low != nil || high != nil {
            result.setBounds(low: low, high: high, currency: given)
        } else if let price = line(node["price"]) {
            result.setPrice(price, currency: given)
        } else if let (price, own) = specifiedPrice(node["priceSpecification"]) {
            result.setPrice(price, currency: own ?? given)
        }
        // What the aggregate says itself goes before what follows from its offers,
        // unless they name several currencies and it does not say which of them it means.
        if result.hasPrice, result.onlyCurrency != nil || !inner.namesSeveralCurrencies {
            result.availability = result.availability ?? inner.availability
            result.url = result.url ?? inner.url
        } else {
            result.spans = []
            result.merge(inner)
        }
        return result
    }

    /// The price to pay: not the one struck through, and not the one of 100 g.
    private func specifiedPrice(_ value: JSON?) -> (String, currency: String?)? {
        let specifications = (value?.elements ?? []).compactMap(\.members)
            .filter { line($0["price"] ?? $0["minPrice"]) != nil }
        let toPay = specifications.first { specification in
            let type = specification["priceType"]?.text?.lowercased() ?? ""
            let isFormer = ["list", "msrp", "srp", "strikethrough", "regular"].contains { type.contains($0) }
            return !isFormer && specification["referenceQuantity"] == nil
        }
        guard let chosen = toPay ?? specifications.first,
            let price = line(chosen["price"] ?? chosen["minPrice"])
        else { return nil }
        return (price, currency(chosen))
    }

    private func currency(_ node: [String: JSON]) -> String? {
        guard let given = line(node["priceCurrency"] ?? node["currency"]) else { return nil }
        let isCode = given.count == 3 && given.allSatisfy { $0.isASCII && $0.isLetter }
        return isCode ? given.uppercased() : given
    }

    private func line(_ value: JSON?) -> String? { value?.text.flatMap(PlainText.line) }
}

extension OfferSummary {
    fileprivate mutating func setPrice(_ price: String, currency: String?) {
        if let amount = DecimalText.parse(price) {
            spans = [Span(low: amount, high: amount, currency: currency)]
        } else {
            setText(price, currency: currency)
        }
    }

    /// Where one bound is no number, the other alone would mislead: both stay the texts they are.
    fileprivate mutating func setBounds(low: String?, high: String?, currency: String?) {
        let (least, most) = (low.flatMap(DecimalText.parse), high.flatMap(DecimalText.parse))
        let areNumbers = (low == nil) == (least == nil) && (high == nil) == (most == nil)
        if areNumbers {
            spans = [Span(low: least, high: most, currency: currency)]
            return
        }
        switch (low, high) {
        case (let low?, let high?): setText(low == high ? low : "\(low)–\(high)", currency: currency)
        case (let low?, nil): setText(bound("from", low), currency: currency)
        case (nil, let high?): setText(bound("up to", high), currency: currency)
        case (nil, nil): break
        }
    }

    private func bound(_ word: String, _ text: String) -> String {
        text.contains(where: \.isNumber) ? "\(word) \(text)" : text
    }

    private mutating func setText(_ text: String, currency: String?) {
        self.text = text
        textCurrency = currency
    }
}
