import Foundation
import Testing

@testable import ProductPage
@testable import ProductReading

@Suite struct PriceTests {
    /// The price of an offer, written as a shop would, and the currency beside it.
    private func shown(_ text: String, _ currency: String?) throws -> String? {
        let currency = currency.map { #","priceCurrency":"\#($0)""# } ?? ""
        return try price(offers: #"{"price":"\#(text)"\#(currency)}"#)
    }

    @Test(
        "a text is a number only if it can be no other",
        arguments: rows(
            """
            129.90 => 129.90 EUR | 1.299,00 => 1299.00 EUR | 1,299.00 => 1299.00 EUR | € 129,90 => 129.90 EUR
            129,- => 129.00 EUR | 129.– € => 129.00 EUR | 129.90 EUR => 129.90 EUR | 1 299,00 => 1299.00 EUR
            1\u{202F}299,5\u{A0}€* => 1299.50 EUR | 1'299.00 => 1299.00 EUR | 1.234.567 => 1234567.00 EUR
            1.234.567,8 => 1234567.80 EUR | 12.3456 => 12.3456 EUR | 1299.000 => 1299.00 EUR | 0.125 => 0.125 EUR
            5 => 5.00 EUR |  05.5  => 5.50 EUR | 1.299 => 1.299 EUR | 1,299 => 1299.00 EUR | 129.900 => 129.900 EUR
            12 99 => 12 99 EUR | 1.29.99 => 1.29.99 EUR | 1,2345,678.00 => 1,2345,678.00 EUR | NaN => NaN
            1234.567,00 => 1234.567,00 EUR | 12,34.56 => 12,34.56 EUR | from 5 => from 5.00 EUR | 5 / kg => 5 / kg EUR | 5 € / kg => 5 € / kg
            5 - 7 => 5.00–7.00 EUR | on request => on request | 1e400 => 1e400 EUR | ٣ => ٣ EUR | - => -
            129,-- => 129.00 EUR | 1.299,-- € => 1299.00 EUR | € 129.-- => 129.00 EUR | 129-- => 129-- EUR
            1.299,- => 1299.00 EUR | 12.00 - 15.00 => 12.00–15.00 EUR | 22.944 => 22.944 EUR | -5 => none
            Preis: 15,90 EUR * => 15.90 EUR | UVP: 15,90 => UVP: 15,90 EUR | 15,90 € inkl. MwSt. => 15.90 EUR
            2 für 15 => 2 für 15 EUR | <b>15,90</b> € => 15.90 EUR | <s>20</s><b>150</b> => 20 / 150 EUR
            -5.00 => none | −5,00 € => none | <b></b> => none | 5 – -7 => 5 – -7 EUR
            19.989999999999998 => 19.99 EUR | £15.90 => £15.90 | $15.90 => 15.90 EUR
            ,89 € => 0.89 EUR | €,89 => 0.89 EUR | ab ,89 € => from 0.89 EUR | Preis,5 => Preis,5 EUR | , 89 => , 89 EUR
            499€ 499€ 499 => 499.00 EUR | € 499 € 499 => 499.00 EUR | 1.299,00 € / 1299,00 => 1299.00 EUR
            499€ 499€ 489 => 499€ 499€ 489 | 5 € 5 % => 5 € 5 % | 499€ $499 => 499€ $499 | 5 x 5 => 5 x 5 EUR
            499€ 499$ 499€ => 499€ 499$ 499€
            """))
    func texts(row: Row) throws {
        #expect(try shown(row.given, "EUR") ?? "none" == row.expected)
    }

    @Test(
        "the currency tells how to read a number; the text may name it",
        arguments: rows(
            """
            ¤ € 12,90 => 12.90 EUR | ¤ £12.90 => 12.90 GBP | ¤ $12.90 => 12.90 $ | ¤ US$ 12.90 USD => 12.90 USD
            ¤ 12,90 zł => 12.90 PLN | ¤ CHF 12.– => 12.00 CHF | ¤ R$ 1.299,90 => 1299.90 BRL | ¤ Rs. 49 => 49.00 Rs
            ¤ 5 => 5.00 (currency not given) | CHF Fr. 49 => 49.00 CHF | CHF Fr. 49.– => 49.00 CHF | ¤ $.99 => 0.99 $
            DKK kr. 99 => 99.00 DKK | DKK kr. 1299 => 1299.00 DKK | CHF Fr.12 => 12.00 CHF | BGN лв. 12 => 12.00 BGN
            INR Rs. 1,299 => 1299.00 INR | USD .99 => 0.99 USD | JPY 12,800 => 12800 JPY | ¤ ₩12,000 => 12000 KRW
            ¤ 12.000 ₫ => 12000 VND | IDR 150.000 => 150000.00 IDR | CLP $12.990 => 12990 CLP | ¤ $1,299 => 1299.00 $
            USD 10,000 => 10000.00 USD | KWD 1,299 => 1,299 KWD | KWD 12.500 => 12.500 KWD | SEK 1299:- => 1299.00 SEK
            ¤ ₹1,29,900.00 => 129900.00 INR | ¤ ab 12,00 € => from 12.00 EUR | RUB 1 290 р. => 1290.00 RUB
            ¤ 12,00 € – 15,00 € => 12.00–15.00 EUR | COP 129.900 => 129900.00 COP | eur 12.50 => 12.50 EUR
            JPY \\\\1,980 => 1980 JPY | ¤ 1,980円（税込） => 1980 JPY | JPY 税込1,980円 => 1980 JPY | JPY ¥1,980 (税込) => 1980 JPY
            JPY 1,800円（税別） => 1,800円（税別） JPY
            """))
    func currencies(row: Row) throws {
        let parts = row.given.split(separator: " ", maxSplits: 1).map(String.init)
        #expect(try shown(parts[1], parts[0] == "¤" ? nil : parts[0]) == row.expected)
    }

    @Test(
        "offers read as a person would say them",
        arguments: rows(
            #"""
            {"price":129.90,"priceCurrency":"EUR"} => 129.90 EUR | {"price":1.299,"priceCurrency":"€"} => 1.299 EUR
            {"price":"18400","priceCurrency":"jpy"} => 18400 JPY | {"price":-0,"priceCurrency":"EUR"} => 0.00 EUR
            {"price":["29.99","19.99"],"priceCurrency":"EUR"} => 19.99–29.99 EUR | {"price":-1} => none
            {"price":{"@value":"7"},"priceCurrency":"EUR"} => 7.00 EUR | {"price":05.50,"currency":"EUR"} => 5.50 EUR
            {"price":{"price":7,"priceCurrency":"EUR"}} => 7.00 EUR | {"price":{"value":5,"currency":"EUR"}} => 5.00 EUR
            {"minPrice":7,"maxPrice":"9,00","priceCurrency":"EUR"} => 7.00–9.00 EUR
            {"lowPrice":"59.00","highPrice":94.5,"priceCurrency":"EUR"} => 59.00–94.50 EUR
            {"lowPrice":1.299,"highPrice":1.299,"priceCurrency":"EUR"} => 1.299 EUR
            {"lowPrice":10,"highPrice":9,"priceCurrency":"EUR"} => 9.00–10.00 EUR
            {"lowPrice":10,"highPrice":0,"priceCurrency":"EUR"} => from 10.00 EUR
            {"highPrice":9,"priceCurrency":"EUR"} => up to 9.00 EUR
            {"lowPrice":"1.299","highPrice":9,"priceCurrency":"EUR"} => 1.299–9 EUR
            {"lowPrice":"1.299","priceCurrency":"EUR"} => from 1.299 EUR
            {"price":20,"minPrice":5,"priceCurrency":"EUR"} => 20.00 EUR
            {"price":19.989999999999998,"priceCurrency":"EUR"} => 19.99 EUR
            {"offers":[{"price":3,"currency":"EUR"},[{"price":2,"currency":"EUR"}]]} => 2.00–3.00 EUR
            [{"price":3,"priceCurrency":"EUR"},{"price":"3.00","priceCurrency":"EUR"}] => 3.00 EUR
            [{"price":"ask","priceCurrency":"EUR"},{"price":4,"priceCurrency":"EUR"}] => 4.00 EUR
            [{"price":7,"priceCurrency":"USD"},{"price":5,"priceCurrency":"EUR"}] => 7.00 USD or 5.00 EUR
            [{"price":7,"currency":"USD"},{"price":5,"currency":"EUR"},{"price":8,"currency":"USD"},{"price":6,"currency":"EUR"}] => 7.00–8.00 USD or 5.00–6.00 EUR
            {"lowPrice":7,"priceCurrency":"USD","offers":[{"price":7,"priceCurrency":"USD"},{"price":5,"priceCurrency":"EUR"}]} => from 7.00 USD or 5.00 EUR
            {"@list":[{"price":3,"priceCurrency":"EUR"},{"price":2,"priceCurrency":"EUR"}]} => 2.00–3.00 EUR
            {"@set":[{"price":3,"priceCurrency":"EUR"}]} => 3.00 EUR
            {"lowPrice":"0.00","highPrice":"0.00","offerCount":0,"priceCurrency":"EUR"} => none
            {"price":"0.00","offerCount":"0","priceCurrency":"EUR"} => none
            {"lowPrice":9,"offerCount":0,"priceCurrency":"EUR","offers":[{"price":5}]} => 5.00 EUR
            [{"price":699,"currency":"EUR"},{"price":29.99,"currency":"EUR","priceSpecification":{"price":29.99,"billingDuration":"P1M"}}] => 699.00 EUR
            [{"price":699,"currency":"EUR"},{"price":29.99,"currency":"EUR","billingDuration":"P1M"}] => 699.00 EUR
            [{"price":699,"currency":"EUR"},{"currency":"EUR","priceSpecification":{"price":29.99,"billingIncrement":1,"unitCode":"MON"}}] => 699.00 EUR
            {"price":29.99,"priceCurrency":"EUR","priceSpecification":{"price":29.99,"billingDuration":"P1M"}} => 29.99 EUR per month
            {"price":699,"priceCurrency":"EUR","priceSpecification":{"price":29.99,"billingDuration":"P1M"}} => 699.00 EUR
            {"lowPrice":5,"highPrice":7,"offers":[{"price":5,"priceCurrency":"EUR"}]} => 5.00–7.00 EUR
            {"lowPrice":0,"highPrice":0,"priceCurrency":"EUR","offers":[{"price":5}]} => 5.00 EUR
            {"@type":"AggregateOffer","priceCurrency":"SEK","offers":[{"price":12}]} => 12.00 SEK
            [{"price":300,"businessFunction":"http://purl.org/goodrelations/v1#LeaseOut"},{"price":20,"currency":"EUR"}] => 20.00 EUR
            [{"price":20,"priceType":"https://schema.org/ListPrice"},{"price":15,"priceCurrency":"EUR"}] => 15.00 EUR
            [{"price":10,"currency":"EUR"},{"price":8,"currency":"EUR","eligibleQuantity":{"minValue":100}}] => 10.00 EUR
            [{"priceSpecification":{"price":8,"validForMemberTier":{}}},{"price":10,"currency":"EUR"}] => 10.00 EUR
            [{"price":8,"currency":"EUR","validForMemberTier":{}},{"price":10,"currency":"EUR"}] => 10.00 EUR
            [{"price":8,"currency":"EUR","eligibleQuantity":{"minValue":100}},{"availability":"InStock"}] => 8.00 EUR
            [{"price":8,"currency":"EUR","eligibleQuantity":{"minValue":1}},{"price":10,"currency":"EUR"}] => 8.00–10.00 EUR
            {"price":15,"priceSpecification":{"price":15,"priceCurrency":"EUR"}} => 15.00 EUR
            {} => none | 5 => none | {"price":""} => none | {"price":null} => none | {"price":1e400} => none
            {"availability":"InStock"} => none
            """#))
    func offers(row: Row) throws {
        #expect(try price(offers: row.given) ?? "none" == row.expected)
    }

    @Test(
        "an offer whose price its own specification calls one of a month, or a part, is not the price to pay",
        arguments: rows(
            #"""
            "@type":"UnitPriceSpecification","unitText":"month" => 30.00 EUR per month
            "@type":"UnitPriceSpecification","unitCode":"MON" => 30.00 EUR per month
            "@type":"UnitPriceSpecification","unitText":"/mo" => 30.00 EUR per month
            "@type":"UnitPriceSpecification","unitText":"per Year" => 30.00 EUR per year
            "@type":"UnitPriceSpecification","unitText":"night" => 30.00 EUR per night
            "referenceQuantity":{"value":1,"unitCode":"WEE"} => 30.00 EUR per week
            "referenceQuantity":{"value":12,"unitCode":"MON"} => 30.00 EUR per 12 month
            "priceComponentType":"https://schema.org/Subscription" => 30.00 EUR per period
            "priceComponentType":"https://schema.org/Installment","unitText":"x" => 30.00 EUR per period
            "priceComponentType":"https://schema.org/Downpayment" => none
            "@type":"UnitPriceSpecification","unitText":"kg" => 30.00 EUR | "referenceQuantity":{"unitCode":"GRM"} => 30.00 EUR
            "@type":"UnitPriceSpecification","unitText":"piece" => 30.00 EUR | "validFrom":"2000-01-01" => 30.00 EUR
            "referenceQuantity":{"unitCode":"MON","valueReference":{"value":1}} => 30.00 EUR
            """#))
    func repeated(row: Row) throws {
        let offer = #"{"price":30,"priceCurrency":"EUR","priceSpecification":{"price":30,\#(row.given)}}"#
        #expect(try price(offers: offer) ?? "none" == row.expected)
        let isPrice = row.expected == "30.00 EUR"
        #expect(
            try price(offers: #"[\#(offer),{"price":699,"priceCurrency":"EUR"}]"#)
                == (isPrice ? "30.00–699.00 EUR" : "699.00 EUR"))
    }

    @Test(
        "of several specifications the one to pay counts",
        arguments: rows(
            #"""
            {"price":"7.5"} => 7.50 EUR | {"minPrice":7,"maxPrice":9} => 7.00–9.00 EUR
            {"price":10,"minPrice":10,"maxPrice":25} => 10.00–25.00 EUR
            [{"priceType":"https://schema.org/ListPrice","price":9},{"price":7}] => 7.00 EUR
            [{"priceType":"StrikethroughPrice","price":9},{"priceType":"SalePrice","price":7}] => 7.00 EUR
            [{"price":1,"referenceQuantity":{"value":100,"unitCode":"GRM"}},{"price":7}] => 7.00 EUR
            {"price":7,"referenceQuantity":{"value":1,"unitCode":"C62"}} => 7.00 EUR
            [{"price":1,"referenceQuantity":{"value":1,"unitCode":"KGM"}}] => 1.00 EUR per 1 KGM
            [{"@type":"UnitPriceSpecification","price":9,"unitCode":"KGM"},{"price":2}] => 2.00 EUR
            {"@type":"UnitPriceSpecification","price":9,"unitText":"kg"} => 9.00 EUR per kg
            {"@type":"UnitPriceSpecification","price":9,"unitCode":"LTR","referenceQuantity":{"value":5}} => 9.00 EUR per 5 LTR
            {"@type":"UnitPriceSpecification","price":9,"unitText":"Stück","unitCode":"C62"} => 9.00 EUR
            {"price":2.5,"referenceQuantity":{"value":100,"unitText":"g"}} => 2.50 EUR per 100 g
            {"price":81,"referenceQuantity":{"value":4.5,"unitCode":"KGM","valueReference":{"value":100}}} => 81.00 EUR
            [{"price":6,"validForMemberTier":{}},{"price":7}] => 7.00 EUR
            [{"price":6,"billingDuration":"P1M"},{"price":7}] => 7.00 EUR | [{"price":6,"billingDuration":"P1Y"}] => 6.00 EUR per year
            [{"price":6,"billingDuration":24,"unitCode":"MON"}] => 6.00 EUR per month | {"price":6,"billingDuration":"P3M"} => 6.00 EUR per P3M
            [{"price":50,"priceComponentType":"https://schema.org/Downpayment"},{"price":500}] => 500.00 EUR
            [{"price":50,"priceType":"Downpayment"},{"price":500}] => 500.00 EUR | [{"price":50,"priceComponentType":"Downpayment"}] => none
            [{"price":5,"priceComponentType":"ActivationFee"},{"price":20,"priceComponentType":"Installment"},{"price":7}] => 7.00 EUR
            [{"price":6,"valueAddedTaxIncluded":false},{"price":7,"valueAddedTaxIncluded":"true"}] => 7.00 EUR
            [{"price":6,"eligibleQuantity":{"minValue":10}},{"price":7}] => 7.00 EUR
            [{"@type":"DeliveryChargeSpecification","price":4}] => none | [{"priceType":"ListPrice","price":9}] => 9.00 EUR
            [{"priceType":"https://schema.org/RegularPrice","price":9}] => 9.00 EUR | {"priceType":"MSRP","price":9} => none
            [{"priceType":"https://schema.org/StrikethroughPrice","price":9}] => none
            """#))
    func specifications(row: Row) throws {
        let offer = #"{"priceCurrency":"EUR","priceSpecification":\#(row.given)}"#
        #expect(try price(offers: offer) ?? "none" == row.expected)
    }

    @Test(
        "a specification that is only referred to counts like one that is there",
        arguments: rows(
            #"""
            {"@id":"#s"} => 3.00 EUR | [{"@id":"#old"},{"@id":"#s"}] => 3.00 EUR | {"@id":"#old"} => 2.00 EUR until 2020-01-01
            [{"@id":"#month"},{"@id":"#s"}] => 3.00 EUR | [{"price":7},{"@id":"#list"}] => 7.00 EUR | {"@id":"#none"} => none
            """#))
    func references(row: Row) throws {
        let specifications = #"""
            {"@id":"#s","price":3},{"@id":"#old","price":2,"validThrough":"2020-01-01"},
            {"@id":"#month","price":1,"billingDuration":"P1M"},{"@id":"#list","price":9,"priceType":"ListPrice"}
            """#
        let offer = #"{"priceCurrency":"EUR","priceSpecification":\#(row.given)}"#
        let found = try products(#"[{"@type":"Product","name":"x","offers":\#(offer)},\#(specifications)]"#)
        #expect(found.first?.price?.description ?? "none" == row.expected)
    }

    private static let gone = #"{"price":48,"availability":"OutOfStock"}"#
    private static let left = #"{"price":65,"availability":"InStock"}"#

    @Test(
        "only what can be ordered makes the price",
        arguments: rows(
            #"""
            [\#(gone),{"price":65,"availability":"PreOrder"}] => 65, pre-order
            [\#(gone),{"price":65,"availability":"SoldOut"}] => 48–65, out of stock
            [\#(gone),{"price":65}] => 65 | [{"price":48},\#(left)] => 48–65, in stock
            {"lowPrice":48,"highPrice":65,"offers":[\#(gone),\#(left)]} => 65, in stock
            {"lowPrice":48,"highPrice":70,"offers":[\#(left)]} => 48–70, in stock
            {"price":5,"availability":{"@id":"https://schema.org/OutOfStock"}} => 5, out of stock
            {"availability":"InStock","offers":[\#(gone)]} => 48, out of stock | {"availability":"InStock","offers":[{"price":48}]} => 48, in stock
            {"lowPrice":20,"availability":"InStock","offers":[{"price":20,"validThrough":"2020-01-01"},\#(gone)]} => 48, out of stock
            {"lowPrice":48,"availability":"InStock","offers":[\#(gone)]} => from 48, in stock
            """#))
    func availability(row: Row) throws {
        let product = #"{"@type":"Product","name":"x","priceCurrency":"USD","offers":\#(row.given)}"#
        let found = try products(product)
        let line = ProductText.list(found)[0].replacing(".00", with: "").replacing(" USD", with: "")
        #expect(line == "x  x: \(row.expected)")
    }

    @Test(
        "the price stands around the product",
        arguments: [
            #"{"@type":"Offer","price":3,"priceCurrency":"EUR","itemOffered":{"@type":"Product","name":"x"}}"#,
            #"{"@type":"AggregateOffer","lowPrice":3,"highPrice":3,"priceCurrency":"EUR","itemOffered":[{"@type":"Product","name":"x"}]}"#,
            #"{"@type":"OfferCatalog","itemListElement":[{"@type":"Offer","price":3,"priceCurrency":"EUR","itemOffered":{"@type":"Product","name":"x"}}]}"#,
            ##"[{"@type":"Offer","price":3,"priceCurrency":"EUR","itemOffered":{"@id":"#x"}},{"@type":"Product","@id":"#x","name":"x"}]"##,
            #"{"@type":"Product","name":"x","price":"3","priceCurrency":"EUR"}"#,
            #"{"@type":"Product","name":"x","priceSpecification":{"price":3,"priceCurrency":"EUR"}}"#,
        ])
    func around(text: String) throws {
        #expect(try product(text).price?.description == "3.00 EUR")
    }

    @Test(
        "decimals are kept exactly or not at all",
        arguments: rows(
            """
            -0 => 0 | +7 => 7 | .5 => 0.5 | 007 => 7 | -12.50 => -12.5 |  => none | - => none | . => none
            1. => none | 1,5 => none | 1e3 => 1000 | 1.5e-3 => 0.0015 | 1e400 => none | 1e => none | 0x10 => none
            ٣ => none | 1.2.3 => none | 1- => none | 123456789012345678901234567890123456789 => none
            12345678901234567890123456789012345678 => 12345678901234567890123456789012345678
            """))
    func decimals(row: Row) {
        #expect(DecimalText.parse(row.given).map { DecimalText.plain($0) } ?? "none" == row.expected)
    }

    @Test func everyCentUpToAHundredIsExact() {
        for cents in 0..<10_000 {
            let text = "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
            #expect(DecimalText.parse(text) == Decimal(cents) / 100)
            #expect(DecimalText.parse(text).map { DecimalText.plain($0, fractionDigits: 2) } == text)
        }
    }
}
