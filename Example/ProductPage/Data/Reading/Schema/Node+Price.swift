import Foundation

extension Node {
    /// The price in an offer, or in one of its price specifications.
    ///
    /// - Parameter outer: The currency, where the node does not say it itself.
    func price(currency outer: String?, depth: Int = 0) -> Price? {
        guard !hasPriceType(Self.struckThrough) else { return nil }
        let currency = line("priceCurrency", "currency").map { PriceText.currency($0) ?? $0 } ?? outer
        // Where an offer has several prices none of them is known to be the one: their range.
        var summary = PriceSummary()
        for price in prices("price", currency) { summary.add(price) }
        if self["minValue"] == nil { for price in prices("value", currency) { summary.add(price) } }
        let specification = specification(depth)
        if let range = bounds(currency, beside: summary.price)
            ?? specification?.bounds(currency, beside: summary.price)
        {
            return range
        }
        return summary.price ?? specification?.price(currency: currency, depth: depth + 1)
            ?? unitPrice(currency)
    }

    /// The range that is said. Beside a price only a whole one counts.
    private func bounds(_ outer: String?, beside price: Price?) -> Price? {
        let currency = line("priceCurrency", "currency").map { PriceText.currency($0) ?? $0 } ?? outer
        let low = prices("lowPrice", currency).first ?? prices("minPrice", currency).first
        let high = prices("highPrice", currency).first ?? prices("maxPrice", currency).first
        let isAggregate = self["lowPrice"] != nil || self["highPrice"] != nil
        guard low != nil || high != nil, isAggregate || price == nil || low != nil && high != nil else {
            return nil
        }
        return Price(from: low, to: high)
    }

    /// `2.50 EUR per 100 g`, where there is no price of a piece.
    private func unitPrice(_ outer: String?) -> Price? {
        let units = (self["priceSpecification"]?.elements ?? []).lazy.compactMap(\.members).filter(\.isOfUnit)
        guard let unit = units.first, let quantity = unit["referenceQuantity"]?.elements.first?.members,
            let price = unit.prices("price", unit.line("priceCurrency") ?? outer).first,
            let name = quantity.line("unitText", "unitCode")
        else { return nil }
        return Price(
            value: .text("\(price) per \(quantity.line("value").map { $0 + " " } ?? "")\(name)"),
            currency: nil)
    }

    /// Each an amount, or the text that stands in its place. Nothing costs less than nothing, and a zero of no
    /// currency was not filled in.
    private func prices(_ name: String, _ currency: String?) -> [Price] {
        self[name]?.elements.prefix(20).compactMap { value -> Price? in
            guard let text = value.line else { return nil }
            var price = PriceText.price(text, currency: currency)
            if case .number = value, let amount = DecimalText.parse(text) {
                price = Price(value: .amount(amount), currency: currency)
            }
            guard let amount = price.amount else { return price }
            return amount < 0 || amount == 0 && price.currency == nil ? nil : price
        } ?? []
    }

    /// The specification to pay: not that of a price struck through, of delivery, for members, or of 100 g.
    private func specification(_ depth: Int) -> Node? {
        guard depth < 4 else { return nil }
        let given = (self["priceSpecification"]?.elements ?? []) + (self["price"]?.elements ?? [])
        let all = given.compactMap(\.members).filter {
            $0.hasAmount && !$0.isCharge && !$0.isOfUnit && !$0.hasPriceType(Self.struckThrough)
        }
        let current = all.filter { !$0.hasPriceType(["list", "regular"]) }
        return current.first(where: \.isForAll) ?? current.first ?? all.first
    }

    private var hasAmount: Bool {
        line("price", "minPrice", "maxPrice", "value") != nil || self["price"]?.members != nil
    }

    private var isCharge: Bool { types.contains { $0.hasSuffix("ChargeSpecification") } }

    /// Never the price to pay; a list price is, where there is no other.
    private static let struckThrough = ["msrp", "srp", "strikethrough"]

    private func hasPriceType(_ names: [String]) -> Bool {
        let type = line("priceType")?.lowercased() ?? ""
        return names.contains { type.contains($0) }
    }

    private var isForAll: Bool {
        let least = self["eligibleQuantity"]?.elements.first?.members?["minValue"]?.text
        return self["validForMemberTier"] == nil && (least.flatMap(DecimalText.parse) ?? 1) <= 1
    }

    /// Whether it is the price of an amount, such as a kilogram, rather than of a piece.
    private var isOfUnit: Bool {
        // With a value to refer to, it is the quantity that is sold.
        guard let quantity = self["referenceQuantity"]?.elements.first?.members,
            quantity["valueReference"] == nil
        else { return false }
        return !["", "C62", "H87", "EA"].contains((quantity["unitText"] ?? quantity["unitCode"])?.text ?? "")
    }
}

extension Price {
    /// Where one bound is no number, the other alone would mislead: both stay the texts they are.
    fileprivate init?(from low: Price?, to high: Price?) {
        let currency = low?.currency ?? high?.currency
        let words = [low, high].compactMap { price in
            if case .text(let text)? = price?.value {
                text
            } else {
                price?.amount.map { DecimalText.plain($0) }
            }
        }
        if [low, high].allSatisfy({ $0 == nil || $0?.amount != nil }) {
            // A highest price of nothing is one that was not filled in.
            let isTop = high?.amount != 0 || low == nil
            self.init(low: low?.amount, high: isTop ? high?.amount : nil, currency: currency)
        } else {
            let bound = words.count == 2 ? "" : low == nil ? "up to " : "from "
            self.init(value: .text(bound + words.joined(separator: "–")), currency: currency)
        }
    }
}
