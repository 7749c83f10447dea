import Foundation

extension Node {
    /// The currency that it names: its code, where the name is one or a symbol of one.
    var currency: String? { line("priceCurrency", "currency").map { PriceText.currency($0) ?? $0 } }

    var hasPrice: Bool {
        ["price", "lowPrice", "minPrice", "maxPrice", "priceSpecification"].contains { self[$0] != nil }
    }

    /// The price in an offer, or in one of its price specifications.
    ///
    /// - Parameter outer: The currency, where the node does not say it itself.
    func price(currency outer: String?, depth: Int = 0) -> Price? {
        guard !hasPriceType(Self.struckThrough) else { return nil }
        let specification = specification(depth)
        let currency = currency ?? specification?.currency ?? outer
        let special = special(depth)
        // Where an offer has several prices none of them is known to be the one: their range.
        let amounts = prices("price", currency) + (self["minValue"] == nil ? prices("value", currency) : [])
        // The price of another day, or of a month, is not the one to pay.
        let price = special == nil ? amounts.dropFirst().reduce(amounts.first) { $0?.merged(with: $1) } : nil
        return bounds(currency, beside: price)
            ?? specification?.bounds(specification?.currency ?? currency, beside: price)
            ?? price ?? specification?.price(currency: currency, depth: depth + 1)
            ?? priceInWords(special, currency, depth)
    }

    /// The range that is said. Beside a price only a whole one counts.
    private func bounds(_ currency: String?, beside price: Price?) -> Price? {
        let low = (prices("lowPrice", currency) + prices("minPrice", currency)).first
        let high = (prices("highPrice", currency) + prices("maxPrice", currency)).first
        let isAggregate = self["lowPrice"] != nil || self["highPrice"] != nil
        guard isAggregate || price == nil || low != nil && high != nil else { return nil }
        let bounds = [low, high].compactMap { $0 }
        if bounds.allSatisfy({ $0.amount != nil }) {
            // A highest price of nothing is one that was not filled in.
            let top = high?.amount == 0 && low?.amount ?? 0 > 0 ? nil : high?.amount
            return Price(low: low?.amount, high: top, currency: bounds.first?.currency)
        }
        // Where one is no number, the other alone would mislead.
        let words = bounds.map { price in
            price.amount.map { DecimalText.plain($0) } ?? "\(Price(value: price.value, currency: nil))"
        }
        let side = bounds.count == 2 ? "" : low == nil ? "up to " : "from "
        return Price(value: .text(side + words.joined(separator: "–")), currency: bounds.first?.currency)
    }

    /// `2.50 EUR per 100 g`, or `9.00 EUR until 2026-05-10`, where there is no price of a piece today.
    private func priceInWords(_ special: Node?, _ outer: String?, _ depth: Int) -> Price? {
        let others = specifications.lazy.filter {
            $0.condition != nil && !$0.hasPriceType(Self.struckThrough)
        }
        guard depth < 4, let node = special ?? others.first, let condition = node.condition else {
            return nil
        }
        return node.price(currency: node.currency ?? outer, depth: depth + 1)?.inWords(condition)
    }

    /// The quantity and the time of the price, where that is not a piece today.
    private var condition: String? {
        let amount = unit.map { unit in
            "per "
                + [unit.line("value"), unit.line("unitText", "unitCode")].compactMap { $0 }.joined(
                    separator: " ")
        }
        return [amount, dates].joined
    }

    /// The same for an offer, which may have a unit for its content.
    var terms: String? { [period.map { "per \($0)" }, dates].joined }

    /// The specification that says of this node's own price that it is of other days, paid again and again, or a part.
    private func special(_ depth: Int) -> Node? {
        let own = prices("price", nil).first?.amount
        guard depth < 4, own != nil || specification(depth) == nil else { return nil }
        return specifications.first {
            ($0.terms != nil || own != nil && $0.hasPriceType(Self.components)) && $0.hasAmount
                && (own == nil || own == $0.prices("price", nil).first?.amount)
        }
    }

    /// Whether its price is of other days, or paid again and again.
    var isSpecial: Bool { terms != nil || special(0) != nil && specification(0) == nil }

    /// Each an amount, or the text that stands in its place. Nothing costs less than nothing, and a zero of no
    /// currency was not filled in.
    private func prices(_ name: String, _ currency: String?) -> [Price] {
        self[name]?.elements(upTo: 20).compactMap { value -> Price? in
            var price = value.line.flatMap { text in
                let plain = text.contains("<") ? text.replacing(/<[^>]*>/, with: PriceText.tag) : text
                let line = PlainText.line(PriceText.apart(plain))
                return line.flatMap { PriceText.price($0, currency: currency) }
            }
            if case .number(let digits) = value, let amount = DecimalText.parse(digits) {
                price = Price(value: .amount(amount), currency: currency)
            }
            guard var amount = price?.amount else { return price }
            // `19.989999999999998` is what some shops make of 19.99.
            var exact = amount
            if amount.exponent < -6 { NSDecimalRound(&amount, &exact, 4, .plain) }
            price?.value = .amount(amount)
            return amount < 0 || amount == 0 && price?.currency == nil ? nil : price
        } ?? []
    }

    /// The specification to pay: not that of a price struck through, of delivery, for members, or of 100 g.
    private func specification(_ depth: Int) -> Node? {
        guard depth < 4 else { return nil }
        let all = specifications.filter {
            $0.hasAmount && !$0.isCharge && $0.condition == nil && !$0.hasPriceType(Self.struckThrough)
        }
        let current = all.filter { !$0.isListPrice }
        return current.first(where: \.isForAll) ?? current.first ?? all.first
    }

    /// No offer has more than a few.
    private var specifications: [Node] {
        ["priceSpecification", "price"].flatMap { self[$0]?.elements(upTo: 20) ?? [] }.compactMap(\.members)
    }

    private var hasAmount: Bool {
        line("price", "minPrice", "maxPrice", "value") != nil || self["price"]?.members != nil
    }

    /// Whether it is for delivery, or a part of the price.
    private var isCharge: Bool {
        types.contains { $0.hasSuffix("ChargeSpecification") } || hasPriceType(Self.components)
    }

    private static let components = [
        "activationfee", "cleaningfee", "distancefee", "downpayment", "installment", "subscription",
    ]

    /// Never the price to pay; a list price is, where there is no other.
    private static let struckThrough = ["msrp", "srp", "strikethrough"]

    /// Whether it is what the product cost before, where it says so beside another price.
    var isListPrice: Bool { hasPriceType(["list", "regular"]) }

    private func hasPriceType(_ names: [String]) -> Bool {
        let types = ["priceType", "priceComponentType"].compactMap { line($0)?.lowercased() }
        return names.contains { name in types.contains { $0.contains(name) } }
    }

    /// Whether the only price that it has is in a specification that is not for everyone.
    var isSpecifiedForSome: Bool {
        guard line("price", "lowPrice", "minPrice") == nil, let price = specification(0) else { return false }
        return !price.isForAll || price.isListPrice
    }

    /// Whether it is for every buyer, for a single piece, paid once and with taxes, as far as it says.
    var isForAll: Bool {
        let least = self["eligibleQuantity"]?.first?.members?["minValue"]?.text
        let tax = self["valueAddedTaxIncluded"]
        let limits = ["validForMemberTier", "billingDuration", "billingIncrement"]
        let isForSome = limits.contains { self[$0] != nil }
        return !isForSome && (least.flatMap(DecimalText.parse) ?? 1) <= 1
            && tax != .bool(false) && tax?.text?.lowercased() != "false"
    }

    /// The amount that it is the price of, such as 100 g or a kilogram; `nil` where that is a piece.
    private var unit: Node? {
        if let period { return ["unitText": .string(period)] }
        let names = reference.unitNames
        return names.isEmpty || !Self.pieces.isDisjoint(with: names) ? nil : reference
    }

    /// The same, also where that is a piece; nothing where it is not said.
    private var reference: Node {
        var unit = self["referenceQuantity"]?.first?.members ?? [:]
        if types.contains("UnitPriceSpecification") {
            unit.merge(filter { $0.key == "unitText" || $0.key == "unitCode" }) { own, _ in own }
        }
        // With a value to refer to, it is the quantity that is sold.
        return unit["valueReference"] == nil ? unit : [:]
    }

    /// As `MON` and `month` in `/month`.
    private var unitNames: [String] {
        ["unitText", "unitCode"].compactMap { name in
            line(name)?.uppercased().replacing(/^(PER|PRO|PAR|\/) */, with: "")
        }
    }

    /// The period of a repeated payment, such as a month; nil where it is paid once.
    private var period: String? {
        let given = ["billingDuration", "billingIncrement"].compactMap { self[$0]?.first }
        guard !given.isEmpty else {
            return time ?? (hasPriceType(["installment", "subscription"]) ? "period" : nil)
        }
        let units = [self] + given.compactMap(\.members)
        let name =
            units.lazy.compactMap { $0.line("unitText", "unitCode") }.first
            ?? given.lazy.compactMap(\.line).first { $0.hasPrefix("P") }
        return name.map { Self.periods[$0.uppercased()[...]] ?? $0 } ?? "period"
    }

    /// The time that it is the price of, where its unit is one.
    private var time: String? {
        let count = reference.line("value").flatMap { $0 == "1" ? nil : $0 }
        let name = reference.unitNames.lazy.compactMap { Self.periods[$0[...]] }.first
        return name.flatMap { [count, $0].joined }
    }

    private static let periods = [
        "hour": "HUR HOUR HR STUNDE", "day": "P1D DAY TAG", "night": "NIGHT NACHT",
        "week": "P1W WEE WEEK WOCHE", "month": "P1M MON MONTH MO MTH MONAT MOIS MES MESE MAAND",
        "year": "P1Y ANN YEAR YR JAHR AN",
    ].reduce(into: [Substring: String]()) { names, row in
        for name in row.value.split(separator: " ") { names[name] = row.key }
    }

    /// The names of a unit that is a piece.
    private static let pieces: Set = ["C62", "H87", "EA", "PIECE"]
}

extension [String?] {
    /// The words that there are, in a row.
    fileprivate var joined: String? {
        let words = compactMap { $0 }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }
}
