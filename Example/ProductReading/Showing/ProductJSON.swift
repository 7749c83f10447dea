import Foundation

/// A product as `--json` prints it; unknown values are left out.
package struct ProductJSON: Encodable {
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

    package init(_ product: Product) {
        (id, name, brand) = (product.id, product.name, product.brand)
        (description, sku, url) = (product.description, product.sku, product.url)
        images = product.images.isEmpty ? nil : product.images
        price = product.price.map {
            Price(low: $0.bounds.low, high: $0.bounds.high, currency: $0.currency, text: "\($0)")
        }
        availability = product.availability.map { "\($0)" }
        canBeOrdered = product.availability?.canBeOrdered
        rating = product.rating.map { Rating(value: $0.value, best: $0.best, count: $0.count) }
    }
}
