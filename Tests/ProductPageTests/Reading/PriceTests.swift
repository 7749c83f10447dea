import Foundation
import Testing

@testable import ProductPage

@Suite struct PriceTests {
    @Test(arguments: [
        (#"{"price":129.90,"priceCurrency":"EUR"}"#, "129.90 EUR"),
        (#"{"price":"19.99","priceCurrency":"usd"}"#, "19.99 USD"),
        (#"{"price":74,"priceCurrency":"CHF"}"#, "74.00 CHF"),
        (#"{"price":"18400","priceCurrency":"JPY"}"#, "18400 JPY"),
        (#"{"price":"385.75","priceCurrency":"KWD"}"#, "385.750 KWD"),
        (#"{"price":0.00125,"priceCurrency":"EUR"}"#, "0.00125 EUR"),
        (#"{"price":-0,"priceCurrency":"EUR"}"#, "0.00 EUR"),
        (#"{"price":5}"#, "5.00 (currency not given)"),
        (#"{"price":"1.299,00","priceCurrency":"EUR"}"#, "1.299,00 EUR"),
        (#"{"price":"1.299,00 EUR","priceCurrency":"EUR"}"#, "1.299,00 EUR"),
        (#"{"price":1e400,"priceCurrency":"EUR"}"#, "1e400 EUR"),
        (#"{"price":"NaN","priceCurrency":"EUR"}"#, "NaN"),
        (#"{"price":"price on request","priceCurrency":"PLN"}"#, "price on request"),
        (
            #"{"@type":"AggregateOffer","lowPrice":"59.00","highPrice":94.5,"priceCurrency":"EUR"}"#,
            "59.00–94.50 EUR"
        ),
        (#"{"@type":"AggregateOffer","lowPrice":9,"highPrice":9,"priceCurrency":"EUR"}"#, "9.00 EUR"),
        (#"{"@type":"AggregateOffer","lowPrice":10,"highPrice":9,"priceCurrency":"EUR"}"#, "9.00–10.00 EUR"),
        (#"{"@type":"AggregateOffer","lowPrice":9,"priceCurrency":"EUR"}"#, "from 9.00 EUR"),
        (#"{"@type":"AggregateOffer","highPrice":9,"priceCurrency":"EUR"}"#, "up to 9.00 EUR"),
        (
            #"{"@type":"AggregateOffer","offers":[{"price":3,"priceCurrency":"EUR"},{"price":2,"priceCurrency":"EUR"}]}"#,
            "2.00–3.00 EUR"
        ),
        (#"[{"price":3,"priceCurrency":"EUR"},{"price":"3.00","priceCurrency":"EUR"}]"#, "3.00 EUR"),
        (#"[{"price":3,"priceCurrency":"EUR"},{"price":4,"priceCurrency":"EUR"}]"#, "3.00–4.00 EUR"),
        (#"[{"price":3,"priceCurrency":"EUR"},{"price":1,"priceCurrency":"USD"}]"#, "3.00 EUR, 1.00 USD"),
        (#"[{"price":"ask","priceCurrency":"EUR"},{"price":4,"priceCurrency":"EUR"}]"#, "4.00 EUR"),
        (#"{"priceSpecification":{"price":"7.5","priceCurrency":"EUR"}}"#, "7.50 EUR"),
        (
            #"{"priceSpecification":[{"priceType":"https://schema.org/ListPrice","price":9,"priceCurrency":"EUR"},{"price":7,"priceCurrency":"EUR"}]}"#,
            "7.00 EUR"
        ),
    ])
    func pricesReadAsAPersonWouldSayThem(offers: String, expected: String) throws {
        #expect(try price(offers: offers) == expected)
    }

    @Test(arguments: [
        (#""lowPrice":"1,234.50","highPrice":9"#, "1,234.50–9 USD"),
        (#""lowPrice":9,"highPrice":"1,234.50""#, "9–1,234.50 USD"),
        (#""lowPrice":"1,234.50","highPrice":"2,000""#, "1,234.50–2,000 USD"),
        (#""lowPrice":"2,000","highPrice":"2,000""#, "2,000 USD"),
        (#""lowPrice":"1,234.50""#, "from 1,234.50 USD"),
        (#""highPrice":"2,000","lowPrice":"""#, "up to 2,000 USD"),
        (#""lowPrice":"ask""#, "ask"),
        (
            #""lowPrice":"1,234.50","highPrice":9,"offers":[{"price":5,"priceCurrency":"USD"}]"#,
            "1,234.50–9 USD"
        ),
    ])
    func aBoundThatIsNoNumberLeavesBothAsGiven(bounds: String, expected: String) throws {
        #expect(
            try price(offers: #"{"@type":"AggregateOffer",\#(bounds),"priceCurrency":"USD"}"#) == expected)
    }

    @Test(arguments: [
        (["5 EUR", "7 USD"], "5.00 EUR, 7.00 USD"),
        (["7 USD", "5 EUR", "9 USD"], "5.00 EUR, 7.00–9.00 USD"),
        (["900 JPY", "7 USD", "5 EUR"], "5.00 EUR, 900 JPY, 7.00 USD"),
        (["7 USD", "6 GBP", "5 EUR", "4 CHF"], "4.00 CHF, 5.00 EUR, 6.00 GBP and other currencies"),
        (
            ["7 USD", "6 GBP", "5 EUR", "4 CHF", "9 EUR", "1 USD"],
            "4.00 CHF, 5.00–9.00 EUR, 6.00 GBP and other currencies"
        ),
        (["5", "7 USD"], "7.00 USD, 5.00 (currency not given)"),
        (["7 USD", "5"], "7.00 USD, 5.00 (currency not given)"),
        (["5", "4 CHF", "6 GBP", "7 USD"], "4.00 CHF, 6.00 GBP, 7.00 USD and other currencies"),
    ])
    func noCurrencyHidesAnother(prices: [String], expected: String) throws {
        #expect(try price(offers: offers(prices)) == expected)
    }

    /// The currency left out of the inner aggregate must not be shown with the outer amount alone.
    @Test func aCurrencyIsShownWithAllItsAmountsOrNotAtAll() throws {
        let inner = #"{"offers":\#(offers(["1 CHF", "2 EUR", "3 GBP", "4 USD"]))}"#
        let outer = #"{"price":9,"priceCurrency":"USD"}"#
        for both in ["[\(inner),\(outer)]", "[\(outer),\(inner)]"] {
            #expect(try price(offers: both) == "1.00 CHF, 2.00 EUR, 3.00 GBP and other currencies")
        }
    }

    @Test(arguments: [
        (["5 EUR", "7 EUR"], "5.00–7.00 EUR"),
        (["5 EUR", "7 USD"], "5.00 EUR, 7.00 USD"),
        (["5", "7 USD"], "5.00–7.00 USD"),
    ])
    func boundsWithoutACurrencyTakeTheOneOfTheOffers(prices: [String], expected: String) throws {
        #expect(try price(offers: #"{"lowPrice":5,"highPrice":7,"offers":\#(offers(prices))}"#) == expected)
    }

    @Test func severalCurrenciesAreNoAmountForTheCart() {
        var summary = OfferSummary()
        for currency in ["EUR", "USD"] {
            var offer = OfferSummary()
            offer.spans = [.init(low: 5, high: 5, currency: currency)]
            summary.merge(offer)
            #expect(summary.price?.amount == (currency == "EUR" ? 5 : nil))
        }
        #expect(summary.price?.description == "5.00 EUR, 5.00 USD")
    }

    @Test func tenThousandCurrenciesAreThreeAndOthers() throws {
        let prices = (10_000..<20_000).map { "1 X\($0)" }
        #expect(
            try price(offers: offers(prices)) == "1.00 X10000, 1.00 X10001, 1.00 X10002 and other currencies")
    }

    /// `5 EUR` as an offer, `5` as one without a currency.
    private func offers(_ prices: [String]) -> String {
        let offers = prices.map { price in
            let parts = price.split(separator: " ")
            return parts.count == 1
                ? #"{"price":\#(parts[0])}"# : #"{"price":\#(parts[0]),"priceCurrency":"\#(parts[1])"}"#
        }
        return "[\(offers.joined(separator: ","))]"
    }

    @Test(arguments: [
        "{}", "[]", "null", "5", #"{"price":""}"#, #"{"price":null}"#, #"{"availability":"InStock"}"#,
    ])
    func withoutAPriceThereIsNone(offers: String) throws {
        #expect(try price(offers: offers) == nil)
    }

    @Test func onlyOneAmountCanGoIntoACart() {
        #expect(Price(value: .amount(5), currency: "EUR").amount == 5)
        #expect(Price(value: .range(5, 6), currency: "EUR").amount == nil)
        #expect(Price(value: .text("5 or so"), currency: "EUR").amount == nil)
    }

    @Test func tenThousandOffersAreOneRange() throws {
        let offers = (1...10_000).map { #"{"price":\#($0),"priceCurrency":"EUR"}"# }.joined(separator: ",")
        #expect(try price(offers: "[\(offers)]") == "1.00–10000.00 EUR")
    }
}
