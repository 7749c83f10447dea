import Foundation

/// A product as `--json` prints it; what is not known is left out.
struct ProductJSON: Encodable {
    struct Price: Encodable {
        var low, high: Decimal?
        var currency: String?
        /// As the page shows it.
        var text: String
    }

    struct Rating: Encodable {
        var value: Decimal
        var best: Decimal?
        var count: Int?
    }

    var id, name: String
    var brand, description, sku, url: String?
    var images: [String]?
    var price: Price?
    var availability: String?
    /// Left out where the data says nothing about it.
    var canBeOrdered: Bool?
    var rating: Rating?

    init(_ product: Product) {
        (id, name, brand) = (product.id, product.name, product.brand)
        (description, sku, url) = (product.description, product.sku, product.url)
        images = product.images.isEmpty ? nil : product.images
        price = product.price.map(Price.init)
        availability = product.availability.map { "\($0)" }
        canBeOrdered = product.availability?.canBeOrdered
        rating = product.rating.map { Rating(value: $0.value, best: $0.best, count: $0.count) }
    }
}

extension ProductJSON.Price {
    init(_ price: Price) {
        (currency, text) = (price.currency, "\(price)")
        switch price.value {
        case .amount(let amount): (low, high) = (amount, amount)
        case .range(let least, let most): (low, high) = (least, most)
        case .from(let least): low = least
        case .upTo(let most): high = most
        case .text: break
        }
    }
}

/// A cart in the lines of a script: how many pieces, and of what.
struct CartJSON: Encodable {
    struct Line: Encodable {
        var source, id, name: String
        var price: Decimal?
        var currency: String?
        var quantity: Int
    }

    var count: Int
    var lines: [Line]

    init(_ cart: Cart) {
        count = cart.count
        lines = cart.lines.map {
            Line(
                source: $0.id.source, id: $0.id.product, name: $0.name, price: $0.price,
                currency: $0.currency,
                quantity: $0.quantity)
        }
    }
}
