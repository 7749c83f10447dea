import Foundation
import Testing

@testable import ProductPage

@Suite struct PriceTests {
    @Test(arguments: [
        ("129.90", "129.90 EUR"), ("1.299,00", "1299.00 EUR"), ("1,299.00", "1299.00 EUR"),
        ("€ 129,90", "129.90 EUR"), ("129,-", "129.00 EUR"), ("129.– €", "129.00 EUR"),
        ("129.90 EUR", "129.90 EUR"),
        ("1 299,00", "1299.00 EUR"), ("1\u{202F}299,5\u{A0}€*", "1299.50 EUR"),
        ("1'299.00", "1299.00 EUR"),
        ("1.234.567", "1234567.00 EUR"), ("1.234.567,8", "1234567.80 EUR"), ("12.3456", "12.3456 EUR"),
        ("1299.000", "1299.00 EUR"), ("0.125", "0.125 EUR"), ("5", "5.00 EUR"), (" 05.5 ", "5.50 EUR"),
        ("1.299", "1.299 EUR"), ("1,299", "1299.00 EUR"), ("129.900", "129.900 EUR"),
        ("12 99", "12 99 EUR"),
        ("1.29.99", "1.29.99 EUR"), ("1,2345,678.00", "1,2345,678.00 EUR"), ("12,34.56", "12,34.56 EUR"),
        ("from 5", "from 5.00 EUR"), ("5 / kg", "5 / kg EUR"), ("5 € / kg", "5 € / kg"),
        ("5 - 7", "5.00–7.00 EUR"),
        ("on request", "on request"),
        ("1e400", "1e400 EUR"), ("NaN", "NaN"), ("٣", "٣ EUR"), ("-", "-"),
    ])
    func aTextIsANumberOnlyIfItCanBeNoOther(text: String, shown: String) throws {
        #expect(try price(offers: #"{"price":"\#(text)","priceCurrency":"EUR"}"#) == shown)
    }

    @Test(arguments: [
        (#""€ 12,90""#, "12.90 EUR"), (#""£12.90""#, "12.90 GBP"), (#""$12.90""#, "12.90 $"),
        (#""US$ 12.90 USD""#, "12.90 USD"), (#""12,90 zł""#, "12.90 PLN"), (#""CHF 12.–""#, "12.00 CHF"),
        ("5", "5.00 (currency not given)"), (#""R$ 1.299,90""#, "1299.90 BRL"),
    ])
    func theTextNamesItsCurrency(price given: String, shown: String) throws {
        #expect(try price(offers: #"{"price":\#(given)}"#) == shown)
    }

    @Test(arguments: [
        (#"{"price":129.90,"priceCurrency":"EUR"}"#, "129.90 EUR"),
        (#"{"price":1.299,"priceCurrency":"€"}"#, "1.299 EUR"),
        (#"{"price":"18400","priceCurrency":"jpy"}"#, "18400 JPY"),
        (#"{"price":"385.750","priceCurrency":"KWD"}"#, "385.750 KWD"),
        (#"{"price":-0,"priceCurrency":"EUR"}"#, "0.00 EUR"),
        (#"{"price":["29.99","19.99"],"priceCurrency":"EUR"}"#, "19.99–29.99 EUR"),
        (#"{"price":{"@value":"7"},"priceCurrency":"EUR"}"#, "7.00 EUR"),
        (#"{"price":{"price":7,"priceCurrency":"EUR"}}"#, "7.00 EUR"),
        (#"{"minPrice":7,"maxPrice":"9,00","priceCurrency":"EUR"}"#, "7.00–9.00 EUR"),
        (#"{"lowPrice":"59.00","highPrice":94.5,"priceCurrency":"EUR"}"#, "59.00–94.50 EUR"),
        (#"{"lowPrice":1.299,"highPrice":1.299,"priceCurrency":"EUR"}"#, "1.299 EUR"),
        (#"{"lowPrice":10,"highPrice":9,"priceCurrency":"EUR"}"#, "9.00–10.00 EUR"),
        (#"{"lowPrice":10,"highPrice":0,"priceCurrency":"EUR"}"#, "from 10.00 EUR"),
        (#"{"highPrice":9,"priceCurrency":"EUR"}"#, "up to 9.00 EUR"),
        (#"{"lowPrice":"1.299","highPrice":9,"priceCurrency":"EUR"}"#, "1.299–9 EUR"),
        (#"{"lowPrice":"1.299","priceCurrency":"EUR"}"#, "from 1.299 EUR"),
        (#"{"offers":[{"price":3,"currency":"EUR"},{"price":2,"currency":"EUR"}]}"#, "2.00–3.00 EUR"),
        (#"[{"price":3,"priceCurrency":"EUR"},{"price":"3.00","priceCurrency":"EUR"}]"#, "3.00 EUR"),
        (#"[{"price":"ask","priceCurrency":"EUR"},{"price":4,"priceCurrency":"EUR"}]"#, "4.00 EUR"),
        (#"[{"price":7,"priceCurrency":"USD"},{"price":5,"priceCurrency":"EUR"}]"#, "7.00 USD"),
        (#"{"lowPrice":5,"highPrice":7,"offers":[{"price":5,"priceCurrency":"EUR"}]}"#, "5.00–7.00 EUR"),
        ("{}", nil), ("5", nil), (#"{"price":""}"#, nil), (#"{"price":null}"#, nil),
        (#"{"availability":"InStock"}"#, nil), (#"{"price":1e400}"#, nil),
    ])
    func offersReadAsAPersonWouldSayThem(offers: String, expected: String?) throws {
        #expect(try price(offers: offers) == expected)
    }

    @Test(arguments: [
        (#"{"price":"7.5"}"#, "7.50 EUR"), (#"{"minPrice":7,"maxPrice":9}"#, "7.00–9.00 EUR"),
        (#"[{"priceType":"https://schema.org/ListPrice","price":9},{"price":7}]"#, "7.00 EUR"),
        (#"[{"priceType":"StrikethroughPrice","price":9},{"priceType":"SalePrice","price":7}]"#, "7.00 EUR"),
        (#"[{"price":1,"referenceQuantity":{"value":100,"unitCode":"GRM"}},{"price":7}]"#, "7.00 EUR"),
        (#"{"price":7,"referenceQuantity":{"value":1,"unitCode":"C62"}}"#, "7.00 EUR"),
        (#"[{"price":1,"referenceQuantity":{"value":1,"unitCode":"KGM"}}]"#, "1.00 EUR per 1 KGM"),
        (#"[{"price":6,"validForMemberTier":{}},{"price":7}]"#, "7.00 EUR"),
        (#"[{"price":6,"eligibleQuantity":{"minValue":10}},{"price":7}]"#, "7.00 EUR"),
        (#"[{"@type":"DeliveryChargeSpecification","price":4}]"#, nil),
        (#"[{"priceType":"ListPrice","price":9}]"#, "9.00 EUR"),
        (#"[{"priceType":"https://schema.org/RegularPrice","price":9}]"#, "9.00 EUR"),
        (#"[{"priceType":"https://schema.org/StrikethroughPrice","price":9}]"#, nil),
        (#"{"priceType":"MSRP","price":9}"#, nil), (#"{"priceType":"SRP","minPrice":9}"#, nil),
    ])
    func theSpecificationToPayCounts(value: String, expected: String?) throws {
        #expect(try price(offers: #"{"priceCurrency":"EUR","priceSpecification":\#(value)}"#) == expected)
    }

    private static let gone = #"{"price":48,"availability":"OutOfStock"}"#
    private static let left = #"{"price":65,"availability":"InStock"}"#

    @Test(arguments: [
        (#"[\#(gone),{"price":65,"availability":"PreOrder"}]"#, "65", "pre-order"),
        (#"[\#(gone),{"price":65,"availability":"SoldOut"}]"#, "48–65", "out of stock"),
        (#"[\#(gone),{"price":65}]"#, "65", nil), (#"[{"price":48},\#(left)]"#, "48–65", "in stock"),
        (#"{"lowPrice":48,"highPrice":65,"offers":[\#(gone),\#(left)]}"#, "65", "in stock"),
        (#"{"lowPrice":48,"highPrice":70,"offers":[\#(left)]}"#, "48–70", "in stock"),
    ])
    func onlyWhatCanBeOrderedMakesThePrice(offers: String, price: String, availability: String?) throws {
        let found = try product(#"{"@type":"Product","name":"x","offers":\#(offers)}"#)
        #expect(found.price?.description.replacing(".00", with: "") == "\(price) (currency not given)")
        #expect(found.availability?.description == availability)
    }

    @Test(arguments: [
        #"{"@type":"Offer","price":3,"priceCurrency":"EUR","itemOffered":{"@type":"Product","name":"x"}}"#,
        #"{"@type":"AggregateOffer","lowPrice":3,"highPrice":3,"priceCurrency":"EUR","itemOffered":[{"@type":"Product","name":"x"}]}"#,
        #"{"@type":"OfferCatalog","itemListElement":[{"@type":"Offer","price":3,"priceCurrency":"EUR","itemOffered":{"@type":"Product","name":"x"}}]}"#,
        ##"[{"@type":"Offer","price":3,"priceCurrency":"EUR","itemOffered":{"@id":"#x"}},{"@type":"Product","@id":"#x","name":"x"}]"##,
        #"{"@type":"Product","name":"x","price":"3","priceCurrency":"EUR"}"#,
        #"{"@type":"Product","name":"x","priceSpecification":{"price":3,"priceCurrency":"EUR"}}"#,
    ])
    func thePriceStandsAroundTheProduct(text: String) throws {
        #expect(try product(text).price?.description == "3.00 EUR")
    }

    @Test func everyCentUpToAHundredIsExact() {
        for cents in 0..<10_000 {
            let text = "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
            #expect(DecimalText.parse(text) == Decimal(cents) / 100)
            #expect(DecimalText.parse(text).map { DecimalText.plain($0, fractionDigits: 2) } == text)
        }
    }

    @Test(arguments: [
        ("-0", "0"), ("+7", "7"), (".5", "0.5"), ("007", "7"), ("-12.50", "-12.5"), ("", nil), ("-", nil),
        (".", nil), ("1.", nil), ("1,5", nil), ("1e3", "1000"), ("1.5e-3", "0.0015"), ("1e400", nil),
        ("1e", nil), ("0x10", nil), ("٣", nil), ("1.2.3", nil),
        ("1-", nil),
        ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
        ("123456789012345678901234567890123456789", nil),
    ])
    func decimalsAreKeptExactlyOrNotAtAll(text: String, plain: String?) {
        #expect(DecimalText.parse(text).map { DecimalText.plain($0) } == plain)
    }
}
