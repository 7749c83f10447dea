/// What all offers for one product come to.
struct OfferSummary {
    /// Of what can be ordered, and of what cannot: the former is the price, unless there is none.
    var prices = PriceSummary()
    var formerPrices = PriceSummary()
    var availability: Availability?
    /// Whether one that may be ordered does not say so.
    var isUncertain = false
    var url: String?

    var price: Price? { (prices.isEmpty ? formerPrices : prices).price }
    var isEmpty: Bool { prices.isEmpty && formerPrices.isEmpty }

    mutating func add(_ other: OfferSummary) {
        prices.add(other.prices)
        formerPrices.add(other.formerPrices)
        isUncertain = isUncertain || other.isUncertain
        availability = other.availability.map { availability?.orBetter($0) ?? $0 } ?? availability
        url = url ?? other.url
    }

    /// Nothing is said to be sold out while an offer is left that may not be.
    var knownAvailability: Availability? {
        isUncertain && availability?.canBeOrdered == false ? nil : availability
    }
}

/// Reads `offers`: an `Offer`, an array of them, or an `AggregateOffer`, inline or by reference.
struct OfferReading {
    private let graph: Graph
    /// What a reference came to: many products may share one, and one may even name itself.
    private var known: [String: OfferSummary] = [:]

    init(_ graph: Graph) { self.graph = graph }

    /// Aggregates of aggregates do not occur; the bound is for data that means harm.
    private static let maximumDepth = 8

    mutating func summary(of value: JSON?, currency: String? = nil, depth: Int = 0) -> OfferSummary {
        var result = OfferSummary()
        guard let value, depth < Self.maximumDepth else { return result }
        let forAll = value.elements.filter { $0.members?.isForSome != true }
        for element in forAll.isEmpty ? value.elements : forAll {
            if case .array = element {
                result.add(summary(of: element, currency: currency, depth: depth + 1))
            }
            guard let node = element.members else { continue }
            if let (id, target) = graph.target(of: node) {
                if known[id] == nil {
                    known[id] = OfferSummary()
                    known[id] = offer(target, currency, depth: depth)
                }
                result.add(known[id] ?? OfferSummary())
            } else {
                result.add(offer(node, currency, depth: depth))
            }
        }
        return result
    }

    private mutating func offer(_ node: Node, _ currency: String?, depth: Int) -> OfferSummary {
        let given = node.line("priceCurrency", "currency") ?? currency
        let inner = summary(of: node["offers"], currency: given, depth: depth + 1)
        let word =
            node.line("availability") ?? node["availability"]?.elements.first?.members?.line("@id", "name")
        let availability = word.flatMap(Availability.init)
        let own = node.price(currency: inner.prices.onlyCurrency ?? currency)
        // What the aggregate says itself goes before what follows from its offers, unless some of those
        // cannot be ordered, or they name several currencies and it does not say which of them it means.
        let isPartlyGone = !inner.prices.isEmpty && !inner.formerPrices.isEmpty
        let isVague = inner.prices.currencies.count > 1 && own?.currency == nil
        var result = inner
        if let own, !isPartlyGone, !isVague {
            result = OfferSummary()
            if availability?.canBeOrdered ?? true {
                result.prices.add(own)
            } else {
                result.formerPrices.add(own)
            }
            result.isUncertain = availability == nil && inner.availability == nil
        }
        result.availability = availability ?? inner.availability
        result.url = node.line("url") ?? inner.url
        return result
    }
}

extension Node {
    /// Whether it is to rent, or for businesses: the price only where there is no other.
    fileprivate var isForSome: Bool {
        line("businessFunction")?.hasSuffix("LeaseOut") == true
            || line("eligibleCustomerType")?.lowercased().contains("business") == true
    }
}
