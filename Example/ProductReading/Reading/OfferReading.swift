import Foundation

/// The result of all offers for one product.
struct OfferSummary {
    /// Of the available offers, and of the others: the former is the price, unless there is none.
    var current: Price?
    var former: Price?
    var availability: Availability?
    /// Whether one that may be ordered does not say so.
    var isUncertain = false
    /// Whether one of them is of other days, so that a price for all of them is not the one of today.
    var isPartial = false
    var url: String?

    var price: Price? { current ?? former }

    mutating func add(_ other: OfferSummary) {
        current = current?.merged(with: other.current) ?? other.current
        former = former?.merged(with: other.former) ?? other.former
        isUncertain = isUncertain || other.isUncertain
        availability = availability?.orBetter(other.availability) ?? other.availability
        url = url ?? other.url
    }

    /// Nothing is said to be sold out while an offer is left that may not be.
    var knownAvailability: Availability? {
        isUncertain && availability?.canBeOrdered == false ? nil : availability
    }
}

/// An offer, and whether its price is only one where there is no other.
struct OfferNode {
    var node: Node
    var isForSome: Bool
}

// Reads `offers`: an `Offer`, an array of them, or an `AggregateOffer`, inline or by reference.
extension Graph {
    /// Aggregates of aggregates do not occur; the bound is for hostile input.
    private static let maximumDepth = 8

    mutating func offers(in value: JSON?, currency: String? = nil, depth: Int = 0) -> OfferSummary {
        var result = OfferSummary()
        guard depth < Self.maximumDepth else { return result }
        let nodes = nodes(value).map { ($0.reference, offerNode($0.reference, $0.node)) }
        result.isPartial = nodes.contains { $1.node.dates != nil }
        for (reference, offer) in nodes where !offer.isForSome {
            result.add(self.offer(reference, offer.node, currency, depth: depth))
        }
        guard result.price == nil else { return result }
        for (reference, offer) in nodes where offer.isForSome {
            result.add(self.offer(reference, offer.node, currency, depth: depth))
        }
        return result
    }

    /// With the specifications that it refers to, found out once where others refer to it.
    private mutating func offerNode(_ reference: String?, _ node: Node) -> OfferNode {
        if let known = reference.flatMap({ knownOfferNodes[$0] }) { return known }
        let node = specified(node)
        let offer = OfferNode(node: node, isForSome: node.isOfferForSome)
        if let reference { knownOfferNodes[reference] = offer }
        return offer
    }

    /// With the price specifications that it only refers to; no offer has more than a few.
    private func specified(_ node: Node) -> Node {
        let given = node["priceSpecification"]?.elements(upTo: 20) ?? []
        guard given.contains(where: { $0.members?.isReference == true }) else { return node }
        let specifications = nodes(.array(given)).map { JSON.object($0.node) }
        return node.merging(["priceSpecification": .array(specifications)]) { $1 }
    }

    /// An offer, which is read once where others refer to it.
    private mutating func offer(
        _ reference: String?, _ node: Node, _ currency: String?, depth: Int
    ) -> OfferSummary {
        guard let reference else { return offer(node, currency, depth: depth) }
        if let summary = knownOffers[reference] { return summary }
        knownOffers[reference] = OfferSummary()
        let summary = offer(node, currency, depth: depth)
        knownOffers[reference] = summary
        return summary
    }

    private mutating func offer(_ node: Node, _ currency: String?, depth: Int) -> OfferSummary {
        let given = node.currency ?? currency
        var result = offers(in: node["offers"], currency: given, depth: depth + 1)
        var availability = text(node["availability"], "@id", "name").flatMap(Availability.init)
        let isEmpty = node.line("offerCount") == "0"
        let own = isEmpty ? nil : node.price(currency: result.price?.currency ?? currency)
        // The values of the aggregate go before those of its offers, unless some of those
        // cannot be ordered or are of other days, or it was not filled in.
        let isNothing = own?.bounds.high ?? own?.bounds.low == 0 && result.price != nil
        let isPartial = result.isPartial || result.current != nil && result.former != nil
        if var own, !isNothing, !isPartial || result.price == nil || node.terms != nil {
            let others = result.price?.all.filter { $0.currency != nil && $0.currency != own.currency } ?? []
            own = others.reduce(own) { $0.besides($1) }
            let canBeOrdered = availability?.canBeOrdered ?? true
            (result.current, result.former) = canBeOrdered ? (own, nil) : (nil, own)
            result.isUncertain = availability == nil && result.availability == nil
        } else if result.current == nil, result.former != nil {
            // The price is of what cannot be ordered, whatever the aggregate says.
            availability = result.availability ?? availability
        }
        if let terms = node.terms {
            (result.current, result.former) = (result.current?.inWords(terms), result.former?.inWords(terms))
        }
        result.availability = availability ?? result.availability
        result.url = node.address("url") ?? result.url
        return result
    }
}

extension Node {
    /// Whether it is to rent, for some buyers, quantities or days, or of the past: the price only where there is
    /// no other.
    fileprivate var isOfferForSome: Bool {
        !isForAll || isSpecifiedForSome || isSpecial || isListPrice
            || line("businessFunction")?.hasSuffix("LeaseOut") == true
            || line("eligibleCustomerType")?.lowercased().contains("business") == true
    }
}
