import Foundation

/// The price in an offer, or in one of its price specifications.
struct SpecifiedPrice {
    private let node: Node
    private let depth: Int

    init(_ node: Node, depth: Int = 0) {
        self.node = node
        self.depth = depth
    }

    /// - Parameter outer: The currency, where the node does not say it itself.
    func price(currency outer: String?) -> Price? {
        let given = currency ?? outer
        let (low, high) = (prices("lowPrice", "minPrice", given), prices("highPrice", "maxPrice", given))
        if low.first != nil || high.first != nil { return Self.range(low.first, high.first) }
        // Where an offer has several prices none of them is known to be the one: their range.
        var summary = PriceSummary()
        for price in prices("price", "price", given) { summary.add(price) }
        return summary.price ?? specified?.price(currency: given)
    }

    private var currency: String? {
        line("priceCurrency", "currency").map { PriceText.currency($0) ?? $0 }
    }

    private func line(_ names: String...) -> String? {
        names.lazy.compactMap { node[$0]?.text.flatMap(PlainText.line) }.first
    }

    /// Each an amount, or the text that stands in its place.
    private func prices(_ name: String, _ other: String, _ currency: String?) -> [Price] {
        (node[name] ?? node[other])?.elements.prefix(20).compactMap { value in
            guard let text = value.text.flatMap(PlainText.line) else { return nil }
            if case .number = value, let amount = DecimalText.parse(text) {
                return Price(value: .amount(amount), currency: currency)
            }
            let read = PriceText(text, thousandths: Price.minorDigits(of: currency) == 3)
            guard let amount = read.amount else { return Price(value: .text(text), currency: currency) }
            return Price(value: .amount(amount), currency: currency ?? read.currency)
        } ?? []
    }

    /// Where one bound is no number, the other alone would mislead: both stay the texts they are.
    private static func range(_ low: Price?, _ high: Price?) -> Price? {
        let currency = low?.currency ?? high?.currency
        if (low == nil || low?.amount != nil) && (high == nil || high?.amount != nil) {
            // A highest price of nothing is one that was not filled in.
            let isTop = high?.amount != 0 || low == nil
            return Price(low: low?.amount, high: isTop ? high?.amount : nil, currency: currency)
        }
        let words = [low, high].compactMap { $0?.words }
        let bound = words.count == 2 ? "" : low == nil ? "up to " : "from "
        return Price(value: .text(bound + words.joined(separator: "–")), currency: currency)
    }
}

extension Price {
    /// The number or the text alone.
    fileprivate var words: String {
        if case .text(let text) = value { text } else { amount.map { DecimalText.plain($0) } ?? "" }
    }
}

extension SpecifiedPrice {
    /// The one to pay: not the one struck through, of delivery, or for members; and not the one of 100 g,
    /// unless there is no other.
    private var specified: SpecifiedPrice? {
        let given = (node["priceSpecification"]?.elements ?? []) + (node["price"]?.elements ?? [])
        guard depth < 4 else { return nil }
        let all = given.compactMap(\.members).map { SpecifiedPrice($0, depth: depth + 1) }
            .filter { $0.hasAmount && !$0.isCharge }
        return all.first { !$0.isFormer && $0.isForAll && $0.unit == nil }
            ?? all.first { !$0.isFormer && $0.unit == nil } ?? all.first { $0.unit == nil }
    }

    private var hasAmount: Bool {
        line("price", "minPrice", "maxPrice") != nil || node["price"]?.members != nil
    }

    private var isCharge: Bool { node.types.contains { $0.hasSuffix("ChargeSpecification") } }

    private var isFormer: Bool {
        let type = line("priceType")?.lowercased() ?? ""
        return ["list", "msrp", "srp", "strikethrough", "regular"].contains { type.contains($0) }
    }

    private var isForAll: Bool {
        let least = node["eligibleQuantity"]?.elements.first?.members?["minValue"]?.text
        return node["validForMemberTier"] == nil && (least.flatMap(DecimalText.parse) ?? 1) <= 1
    }

    /// What a unit price is for, if not for one piece.
    private var unit: String? {
        guard let quantity = node["referenceQuantity"]?.elements.first?.members else { return nil }
        let unit = (quantity["unitText"] ?? quantity["unitCode"])?.text ?? ""
        return ["", "C62", "H87", "EA"].contains(unit) ? nil : unit
    }
}
