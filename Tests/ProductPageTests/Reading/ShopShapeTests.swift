import Foundation
import Testing

@testable import ProductPage

/// Shapes that shops have and that were read wrongly, or not at all.
@Suite struct ShopShapeTests {
    private static func micro(_ price: String, _ currency: String?) -> String {
        let currency = currency.map { #"<meta itemprop="priceCurrency" content="\#($0)">"# } ?? ""
        return #"<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">x</h1>"#
            + #"<p itemprop="offers" itemscope itemtype="http://schema.org/Offer"><b itemprop="price">\#(price)</b>\#(currency)"#
    }

    @Test(
        "a currency's point is no decimal one",
        arguments: [
            ("Fr. 49", "CHF", "49.00 CHF"), ("Fr. 49.–", "CHF", "49.00 CHF"),
            ("kr. 99", "DKK", "99.00 DKK"),
            ("kr. 1299", "DKK", "1299.00 DKK"), ("Fr.12", "CHF", "12.00 CHF"),
            ("лв. 12", "BGN", "12.00 BGN"),
            ("Rs. 49", nil, "49.00 Rs"), ("Rs. 1,299", "INR", "1299.00 INR"), (".99", "USD", "0.99 USD"),
            ("$.99", nil, "0.99 $"),
        ])
    func points(price: String, currency: String?, expected: String) throws {
        #expect(try product(Self.micro(price, currency)).price?.description == expected)
    }

    @Test(
        "three digits behind a separator: thousands where they can be nothing else",
        arguments: [
            ("12,800", "JPY", "12800 JPY"), ("₩12,000", nil, "12000 KRW"), ("12.000 ₫", nil, "12000 VND"),
            ("150.000", "IDR", "150000.00 IDR"), ("$12.990", "CLP", "12990 CLP"),
            ("$1,299", nil, "1299.00 $"),
            ("1,299", "USD", "1299.00 USD"), ("10,000", "USD", "10000.00 USD"),
            ("1.299", "EUR", "1.299 EUR"),
            ("22.944", "EUR", "22.944 EUR"), ("1,299", "KWD", "1,299 KWD"),
            ("12.500", "KWD", "12.500 KWD"),
            ("₹1,29,900.00", nil, "129900.00 INR"), ("1.299,-", "EUR", "1299.00 EUR"),
            ("1299:-", "SEK", "1299.00 SEK"),
            ("from 12.00", "EUR", "from 12.00 EUR"), ("ab 12,00 €", nil, "from 12.00 EUR"),
            ("12.00 - 15.00", "EUR", "12.00–15.00 EUR"), ("12,00 € – 15,00 €", nil, "12.00–15.00 EUR"),
        ])
    func thousands(price: String, currency: String?, expected: String) throws {
        #expect(try product(Self.micro(price, currency)).price?.description == expected)
    }

    @Test("what is struck through, or in a template, is not the price")
    func inert() throws {
        let struck = Self.micro("<del>£45.00</del> <ins>£35.00</ins>", "GBP")
        #expect(try product(struck).price?.description == "35.00 GBP")
        let template =
            "<template>\(Self.micro("99", "EUR"))</p></div>"
            + #"<script type="application/ld+json">{"@type":"Product","name":"t"}</script></template>"#
        #expect(try product(template + Self.micro("5", "EUR")).price?.description == "5.00 EUR")
    }

    @Test(
        "offers",
        arguments: [
            (
                #"{"price":5,"priceCurrency":"EUR","availability":{"@id":"https://schema.org/OutOfStock"}}"#,
                "5.00 EUR, out of stock"
            ),
            (
                #"[{"price":300,"businessFunction":"http://purl.org/goodrelations/v1#LeaseOut"},{"price":20000}]"#,
                "20000.00 (currency not given)"
            ),
            (
                #"{"price":10,"priceCurrency":"EUR","priceSpecification":{"price":10,"minPrice":10,"maxPrice":25}}"#,
                "10.00–25.00 EUR"
            ),
            (#"{"price":20,"minPrice":5,"priceCurrency":"EUR"}"#, "20.00 EUR"),
            (#"{"price":-1}"#, "no price given"),
            (
                #"{"priceSpecification":{"@type":"UnitPriceSpecification","price":81,"priceCurrency":"EUR","#
                    + #""referenceQuantity":{"value":4.5,"unitCode":"KGM","valueReference":{"value":100,"unitCode":"GRM"}}}}"#,
                "81.00 EUR"
            ),
            (
                #"{"priceSpecification":{"@type":"UnitPriceSpecification","price":2.5,"priceCurrency":"EUR","#
                    + #""referenceQuantity":{"value":100,"unitText":"g"}}}"#, "2.50 EUR per 100 g"
            ),
            (
                #"{"@type":"AggregateOffer","priceCurrency":"SEK","offers":[{"price":12}]}"#, "12.00 SEK"
            ),
            (#"{"price":{"@type":"MonetaryAmount","value":5,"currency":"EUR"}}"#, "5.00 EUR"),
            (#"{"price":05.50,"priceCurrency":"EUR"}"#, "5.50 EUR"),
        ])
    func offers(offers: String, expected: String) throws {
        let found = try product(#"{"@type":"Product","name":"x","offers":\#(offers)}"#)
        #expect(ProductText.list([found]) == ["x  x: \(expected)"])
    }

    @Test(
        "RDFa: links as properties, and prefixes of the page's own",
        arguments: [
            #"<div vocab="https://schema.org/" typeof="Product"><b property="name">x</b><p rel="offers"><i typeof="Offer">"#
                + #"<b property="price" content="5"></b><b property="priceCurrency" content="EUR"></b>"#
                + #"<link rel="availability" href="https://schema.org/OutOfStock">"#,
            #"<div typeof="schema:Product"><b property="schema:name">x</b><p rel="schema:offers" typeof="schema:Offer">"#
                + #"<b property="schema:price">5</b><b property="schema:priceCurrency">EUR</b>"#
                + #"<a rel="schema:availability" href="https://schema.org/OutOfStock">gone</a>"#,
            #"<body prefix="sc: https://schema.org/"><div typeof="sc:Product"><b property="sc:name">x</b>"#
                + #"<p property="sc:offers" typeof="sc:Offer"><b property="sc:price">5</b>"#
                + #"<b property="sc:priceCurrency">EUR</b><link property="sc:availability" href="sc:OutOfStock">"#,
            #"<html xmlns:s="http://schema.org/"><div typeof="s:Product"><b property="s:name">x</b>"#
                + #"<p property="s:offers" typeof="s:Offer"><b property="s:price">5</b>"#
                + #"<b property="s:priceCurrency">EUR</b><link property="s:availability" href="s:OutOfStock">"#,
        ])
    func rdfa(page: String) throws {
        #expect(ProductText.list([try product(page)]) == ["x  x: 5.00 EUR, out of stock"])
    }

    @Test("names of a context of its own are schema.org's")
    func context() throws {
        let found = try product(
            #"{"@context":{"s":"http://schema.org/"},"@type":"s:Product","s:name":"x","s:offers":{"s:price":5}}"#
        )
        #expect(found.name == "x" && found.price?.amount == 5)
    }

    @Test("Open Graph has the price of a product that has none in its data")
    func openGraph() throws {
        let page =
            #"<meta property="og:title" content="x"><meta property="product:price:amount" content="50">"#
            + #"<meta property="product:price:currency" content="EUR">"#
            + #"<script type="application/ld+json">{"@type":"Product","name":"x"}</script>"#
        #expect(try product(page).price?.description == "50.00 EUR")
    }

    @Test("a group: its variants, those that can be ordered first; of one name they are one product")
    func groups() throws {
        func group(_ variants: String) -> String {
            #"{"@type":"ProductGroup","name":"Coat","hasVariant":[\#(variants)]}"#
        }
        func variant(_ name: String, _ price: Int, _ availability: String = "InStock") -> String {
            #"{"@type":"Product","name":"\#(name)","sku":"s\#(price)","offers":{"price":\#(price),"availability":"\#(availability)"}}"#
        }
        let gone = try products(group(variant("Coat S", 9, "OutOfStock") + "," + variant("Coat M", 12)))
        #expect(gone.map(\.name) == ["Coat M", "Coat S"])
        let same = try products(group(variant("Coat", 9) + "," + variant("Coat", 12)))
        #expect(
            same.map { "\($0.name) \($0.price?.description ?? "")" } == [
                "Coat 9.00–12.00 (currency not given)"
            ])
    }

    @Test("two products with one number have ids that don't depend on their order")
    func sharedNumber() throws {
        let (red, blue) = (
            #"{"@type":"Product","sku":"1","name":"Red"}"#, #"{"@type":"Product","sku":"1","name":"Blue"}"#
        )
        let (one, other) = (try products("[\(red),\(blue)]"), try products("[\(blue),\(red)]"))
        #expect(Set(one.map(\.id)).count == 2)
        #expect(Set(one.map { "\($0.name) \($0.id)" }) == Set(other.map { "\($0.name) \($0.id)" }))
    }
}
