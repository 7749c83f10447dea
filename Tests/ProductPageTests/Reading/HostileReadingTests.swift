import Foundation
import TestSupport
import Testing

@testable import ProductPage
@testable import ProductReading

/// Data that means harm takes no more time than it has bytes, and says so in a line.
@Suite(.timeLimit(.minutes(10))) struct HostileReadingTests {
    private static let count = rounds(500, stress: 10_000)

    private static func list(_ item: (Int) -> String) -> String {
        (0..<count).map(item).joined(separator: ",")
    }

    @Test(arguments: [
        ("[", "nested deeper than 512 levels"), (#"{"a":"#, "nested deeper than 512 levels"),
        (#"{"@graph":["#, "nested deeper than 512 levels"),
        ("\"", "there is no { or [ in it"), ("[1,", "nested deeper than 512 levels"),
        ("[]", "no schema.org Product in it"), ("[{},", "nested deeper than 512 levels"),
    ])
    func piecesOfJSON(piece: String, ending: String) {
        let text = String(repeating: piece, count: rounds(5_000, stress: 100_000))
        #expect(message { _ = try products(text) }.hasSuffix(ending))
    }

    @Test(arguments: [
        "<", "<!--", "<script", "<script type=application/ld+json>", "<a b=\"", "</", "&#x", "<div>",
        "<p itemprop=name>", "<h1>", "<p></div>", "<div itemscope itemtype=x>", "<i itemprop=price>",
        "<div itemscope itemprop=offers>", "<a></b>", "<ul><li>", "<table><tr><td>", "<b><div></b>",
        "<div id=a itemscope itemref=a>", "<div itemref=a itemscope>",
        "<div vocab=http://schema.org/ typeof=Event property=offers>",
    ])
    func piecesOfPages(piece: String) {
        let text = "<p>" + String(repeating: piece, count: rounds(1_000, stress: 50_000))
        #expect(message { _ = try products(text) }.hasPrefix("data: no schema.org Product"))
    }

    @Test(arguments: [
        (#""@type":"AggregateOffer","offers":[\#(list { #"{"price":\#($0),"priceCurrency":"EUR"}"# })]"#),
        (#""@type":"Offer","name":"\#(String(repeating: "x", count: count))","price":\#(count - 1),"priceCurrency":"EUR""#),
        (#""@type":"Offer","priceCurrency":"EUR","priceSpecification":[{"price":\#(count - 1)},\#(list { #"{"price":\#($0)}"# })]"#),
        (#""@type":"Offer","priceCurrency":"EUR","priceSpecification":[{"price":\#(count - 1)},\#(list { _ in ##"{"@id":"#o"}"## })]"#),
    ])
    func oneReferenceOfManyProducts(offer: String) throws {
        let all = Self.list {
            ##"{"@type":"Product","sku":"s\##($0)","name":"x","offers":{"@id":"#o"},"brand":{"@id":"#o"}}"##
        }
        let found = try products(##"[{"@id":"#o",\##(offer)},\##(all)]"##)
        #expect(found.count == Self.count)
        #expect(found.allSatisfy { $0.price?.description.hasSuffix("\(Self.count - 1).00 EUR") == true })
    }

    @Test func manyOffersOfOneProduct() throws {
        let offers = Self.list { #"{"price":\#($0 + 1),"priceCurrency":"EUR"}"# }
        #expect(try price(offers: "[\(offers)]") == "1.00–\(Self.count).00 EUR")
    }

    @Test func oneNumberOfManyProducts() throws {
        let found = try products("[\(Self.list { #"{"@type":"Product","sku":"s","name":"x\#($0)"}"# })]")
        #expect(Set(found.map(\.id)).count == Self.count)
    }

    @Test func oneNodeOfManyProducts() throws {
        let nodes = Self.list { #"{"@type":"Product","@id":"i","name":"x\#($0)","y\#($0)":1}"# }
        #expect(try products("[\(nodes)]").count == Self.count)
    }

    @Test func manyItemsOfOneReference() throws {
        let count = min(2_000, rounds(200, stress: 2_000))
        let offers = String(
            repeating: "<i itemprop=offers itemscope><b itemprop=price>3</b></i>", count: count)
        let items = (0..<count).map {
            "<p itemscope itemtype=Product itemref=o><b itemprop=name>x\($0)</b>"
        }
        let found = try products("<div id=o>\(offers)</div>" + items.joined())
        #expect(found.count == count)
        #expect(found.prefix(50).allSatisfy { $0.price?.amount == 3 })
    }

    @Test func moreProductsThanAnyShopHas() {
        let all = (0...20_000).map { #"{"@type":"Product","name":"x\#($0)"}"# }.joined(separator: ",")
        #expect(message { _ = try products("[\(all)]") } == "data: has more than 20000 products")
        let values = String(repeating: "0,", count: 250_000)
        #expect(message { _ = try products("[\(values)]") }.hasSuffix("more than 250000 values and names"))
    }

    @Test func controlCharactersStayInTheData() throws {
        let found = try product(#"{"@type":"Product","name":"\#(HostileText.escaped)"}"#)
        #expect(!HostileText.isIn(ProductText.page(found).joined()))
    }
}
