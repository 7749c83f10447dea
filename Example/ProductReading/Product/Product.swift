import ToolSupport

/// One product as a page shows it: what schema.org data says, read and cleaned, nothing invented.
///
/// Whatever the data does not say is `nil` or empty. Texts are decoded but foreign: show them with
/// `String.visible`.
package struct Product: Sendable, Hashable, Codable, Identifiable {
    /// Names the product within its source: its SKU, product number, GTIN, `@id`, or else its name.
    package var id: String
    package var name: String
    /// Plain text; paragraphs are separated by line breaks.
    package var description: String?
    /// Addresses as the data gives them.
    package var images: [String] = []
    package var brand: String?
    package var sku: String?
    package var price: Price?
    package var availability: Availability?
    package var rating: Rating?
    package var url: String?
}

extension Product {
    /// This product, with what it does not know itself taken from `other`.
    ///
    /// Pages often describe one product in several places, and the variants of a group leave out what they
    /// share.
    func completed(from other: Product) -> Product {
        var whole = self
        whole.description = description ?? other.description
        whole.images = images.isEmpty ? other.images : images
        whole.brand = brand ?? other.brand
        whole.sku = sku ?? other.sku
        // The same amount, with its currency.
        let isPlain = price == nil || price?.currency == nil && price?.value == other.price?.value
        whole.price = isPlain ? other.price : price
        // The stock in one place is not about the price of another.
        let isOfThatPrice = price == nil || other.price == nil || price?.value == other.price?.value
        whole.availability = availability ?? (isOfThatPrice ? other.availability : nil)
        whole.rating = rating ?? other.rating
        whole.url = url ?? other.url
        return whole
    }
}
