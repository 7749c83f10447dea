@testable import ProductPage
@testable import ProductReading

/// The products of a text, as if it had been in a file called `data`.
func products(_ text: String) throws -> [Product] {
    try ProductReader.read(Array(text.utf8), from: "data").products
}

/// The one product of a text; an error where there are more.
func product(_ text: String) throws -> Product {
    let all = try products(text)
    guard let first = all.first, all.count == 1 else { throw WrongCount(count: all.count) }
    return first
}

/// The price of a product whose `offers` are the text given, as the page shows it.
func price(offers: String) throws -> String? {
    try product(#"{"@type":"Product","name":"x","offers":\#(offers)}"#).price.map { "\($0)" }
}

/// What `work` throws, as the user reads it; empty when it throws nothing.
func message(_ work: () throws -> Void) -> String {
    do {
        try work()
        return ""
    } catch {
        return "\(error)"
    }
}

struct WrongCount: Error {
    var count: Int
}
