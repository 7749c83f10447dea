import Foundation
import Testing

@testable import ProductPage
@testable import ProductReading

/// Prices from a day on and until a day.
@Suite struct OfferDatesTests {
    private static let today = Day(year: 2026, month: 5, day: 10)

    private func price(_ members: String) throws -> String {
        let text = #"{"@type":"Product","name":"x",\#(members)}"#
        let found = try ProductReader.read(Array(text.utf8), from: "data", today: Self.today).products
        return found.first?.price.map { "\($0)" } ?? "none"
    }

    @Test(
        "what is out of its dates is no price, or one in words where there is no other",
        arguments: rows(
            #"""
            "validFrom":"2026-05-10" => 10.00 EUR | "validFrom":"2026-05-11" => 10.00 EUR from 2026-05-11
            "validFrom":"2099-01-01T00:00:00+01:00" => 10.00 EUR from 2099-01-01
            "validThrough":"2026-05-10" => 10.00 EUR | "validThrough":"2026-05-09" => 10.00 EUR until 2026-05-09
            "validThrough":"2026-05-10T00:00:00Z" => 10.00 EUR | "validThrough":"20251231" => 10.00 EUR until 2025-12-31
            "priceValidUntil":"2020-12-31" => 10.00 EUR until 2020-12-31 | "priceValidUntil":"2027-01-01" => 10.00 EUR
            "availabilityEnds":"2026-05-09 23:59" => 10.00 EUR until 2026-05-09 | "validFrom":"2020-01-01" => 10.00 EUR
            "priceValidUntil":"soon" => 10.00 EUR | "priceValidUntil":"0000-00-00" => 10.00 EUR | "priceValidUntil":"" => 10.00 EUR
            "priceValidUntil":"1970-01-01" => 10.00 EUR | "priceValidUntil":20261301 => 10.00 EUR | "priceValidUntil":null => 10.00 EUR
            "priceValidUntil":{"@type":"Date","@value":"2026-01-31"} => 10.00 EUR until 2026-01-31
            "validThrough":"999999999999-01-01" => 10.00 EUR | "validFrom":"10.05.2099" => 10.00 EUR
            """#))
    func dates(row: Row) throws {
        let price = #""price":10,"priceCurrency":"EUR""#
        #expect(try self.price(#""offers":{\#(price),\#(row.given)}"#) == row.expected)
        #expect(try self.price("\(price),\(row.given)") == row.expected)
        let specification = #"{"priceSpecification":{\#(price),\#(row.given)}}"#
        #expect(try self.price(#""offers":\#(specification)"#) == row.expected)
        #expect(try self.price(#""offers":{"offers":[{\#(price)}],\#(row.given)}"#) == row.expected)
    }

    private static let past = #""validThrough":"2026-01-31""#
    private static let next = #""validFrom":"2099-01-01""#

    @Test(
        "a sale of the past or to come is not beside the price of today",
        arguments: rows(
            #"""
            [{"price":10,\#(past)},{"price":20}] => 20.00 EUR | [{"price":20},{"price":10,\#(next)}] => 20.00 EUR
            [{"price":10,\#(past)},{"price":9,\#(next)},{"price":20}] => 20.00 EUR
            {"price":20,"priceSpecification":[{"price":10,\#(next)}]} => 20.00 EUR
            {"priceSpecification":[{"price":10,\#(next)},{"price":20}]} => 20.00 EUR
            {"priceSpecification":[{"price":10,\#(past)},{"price":20,\#(past)}]} => 10.00 EUR until 2026-01-31
            {"price":10,"priceSpecification":{"price":10,\#(past)}} => 10.00 EUR until 2026-01-31
            {"price":10,"priceSpecification":[{"price":10,\#(past)},{"price":20}]} => 20.00 EUR
            {"lowPrice":10,"highPrice":20,\#(past),"offers":[{"price":10,\#(past)}]} => 10.00–20.00 EUR until 2026-01-31
            {"lowPrice":10,"highPrice":20,"offers":[{"price":10,\#(past)},{"price":20}]} => 20.00 EUR
            {"lowPrice":10,"highPrice":20,"offers":[{"price":10,\#(past)}]} => 10.00 EUR until 2026-01-31
            {"offers":[{"price":10,\#(past)},{"price":20}]} => 20.00 EUR
            [{"price":10,\#(past),"availability":"InStock"},{"price":20,"availability":"OutOfStock"}] => 20.00 EUR
            """#))
    func sales(row: Row) throws {
        #expect(try price(#""priceCurrency":"EUR","offers":\#(row.given)"#) == row.expected)
    }

    @Test("the dates stand in the markup and in Open Graph as well")
    func otherSyntaxes() throws {
        func price(_ page: String) throws -> String? {
            try ProductReader.read(Array(page.utf8), from: "page", today: Self.today).products.first?.price?
                .description
        }
        let offer = "<meta itemprop=price content=10><meta itemprop=priceCurrency content=EUR>"
        let markup =
            "<p itemscope itemtype=http://schema.org/Product><b itemprop=name>x</b>"
            + "<i itemprop=offers itemscope>\(offer)<time itemprop=priceValidUntil datetime="
        #expect(try price(markup + "2026-05-09></time>") == "10.00 EUR until 2026-05-09")
        #expect(try price(markup + "2026-05-10></time>") == "10.00 EUR")
        func graph(_ names: [String: String]) throws -> String? {
            let all = names.merging(["og:title": "x", "product:price:amount": "20"]) { own, _ in own }
            return try price(
                "<head>" + all.map { "<meta property='\($0.key)' content='\($0.value)'>" }.joined()
                    + "<meta property=product:price:currency content=EUR>")
        }
        let sale = ["product:sale_price:amount": "10"]
        #expect(try graph(sale) == "10.00 EUR")
        let dates = "product:sale_price_dates:"
        for (start, end, expected) in [
            ("2026-05-01", "2026-05-10", "10.00 EUR"), ("2026-05-01", "2026-05-09", "20.00 EUR"),
            ("2099-01-01", "2099-02-01", "20.00 EUR"),
        ] {
            let period = [dates + "start": start + "T00:00Z", dates + "end": end]
            #expect(try graph(sale.merging(period) { own, _ in own }) == expected)
        }
    }

    @Test("today is the day in the place of the reader")
    func today() throws {
        let zone = try #require(TimeZone(identifier: "Etc/GMT-14"))
        #expect(Day(Date(timeIntervalSince1970: 0), in: zone) == Day(year: 1970, month: 1, day: 1))
        #expect(Day(Date(timeIntervalSince1970: -1), in: zone) == Day(year: 1970, month: 1, day: 1))
        #expect(Day(Date(timeIntervalSince1970: 36_000), in: zone) == Day(year: 1970, month: 1, day: 2))
    }
}
