import Foundation

extension Node {
    /// The price in an offer, or in one of its price specifications.
    ///
    /// - Parameter outer: The currency, where the node does not say it itself.
    func price(currency outer: String?, depth: Int = 0) -> Price? {
        guard !hasPriceType(Self.struckThrough) else { return nil }
        let currency = line("priceCurrency", "currency").map { PriceText.currency($0) ?? $0 } ?? outer
        let low = prices("lowPrice", currency).first ?? prices("minPrice", currency).first
        let high = prices("highPrice", currency).first ?? prices("maxPrice", currency).first
        if low != nil || high != nil { return Price(from: low, to: high) }
        // Where an offer has several prices none of them is known to be the one: their range.
        var summary = PriceSummary()
        for price in prices("price", currency) { summary.add(price) }
        return summary.price ?? specification(depth)?.price(currency: currency, depth: depth + 1)
    }

    /// Each an amount, or the text that stands in its place.
    private func prices(_ name: String, _ currency: String?) -> [Price] {
        self[name]?.elements.prefix(20).compactMap { value in
            guard let text = value.line else { return nil }
            if case .number = value, let amount = DecimalText.parse(text) {
                return Price(value: .amount(amount), currency: currency)
            }
            let read = PriceText(text, thousandths: Price.minorDigits(of: currency) == 3)
            guard let amount = read.amount else { return Price(value: .text(text), currency: currency) }
            return Price(value: .amount(amount), currency: currency ?? read.currency)
        } ?? []
    }

    /// The specification to pay: not that of a price struck through, of delivery, or for members; and not
    /// the one of 100 g, even where there is no other.
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
        line("price", "minPrice", "maxPrice") != nil || self["price"]?.members != nil
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
        guard let quantity = self["referenceQuantity"]?.elements.first?.members else { return false }
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
