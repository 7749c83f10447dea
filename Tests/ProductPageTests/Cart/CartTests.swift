import Foundation
import TestSupport
import Testing

@testable import ProductPage
@testable import ProductReading
@testable import ToolSupport

@Suite struct CartTests {
    private let tea = Product(id: "t", name: "Tea", price: Price(value: .amount(3), currency: "EUR"))
    private let cup = Product(id: "c", name: "Cup", price: Price(value: .text("ask"), currency: "EUR"))

    @Test("pieces are added and taken out one by one, and what is not there is not taken out")
    func pieces() throws {
        let (tea, cup) = (Cart.Line(tea, from: "shop"), Cart.Line(cup, from: "shop"))
        var cart = Cart()
        let changes: [Cart.Change] = [
            .add(tea), .add(cup), .add(tea), .remove(cup), .remove(cup), .remove(tea), .remove(tea),
            .remove(tea), .add(cup),
        ]
        let changed = try changes.map { try cart.apply($0) }
        #expect(changed == [true, true, true, true, false, true, true, false, true])
        #expect(cart.lines == [cup] && cart.count == 1)
        #expect(cart.lines.map(\.price) == [nil])
    }

    @Test("a line is of one product of one source, and keeps the name and price of its first piece")
    func identity() throws {
        let dearer = Product(id: "t", name: "Green tea", price: Price(value: .amount(4), currency: "USD"))
        var cart = Cart()
        for (product, source) in [(tea, "one"), (dearer, "two"), (dearer, "one")] {
            #expect(try cart.apply(.add(.init(product, from: source))))
        }
        #expect(
            cart.lines == [
                .init(source: "one", product: "t", name: "Tea", price: 3, currency: "EUR", quantity: 2),
                .init(source: "two", product: "t", name: "Green tea", price: 4, currency: "USD"),
            ])
    }

    @Test("a piece too many is refused and changes nothing")
    func tooMany() {
        var full = Cart(lines: [.init(tea, from: "shop")])
        full.lines[0].quantity = Cart.maximumQuantity
        var cart = full
        #expect(throws: PageError.failed("the cart has 9999 of “Tea”, the most it takes")) {
            try cart.apply(.add(.init(tea, from: "shop")))
        }
        #expect(cart == full)
    }

    // MARK: Totals

    private func line(_ price: String?, _ currency: String?, _ quantity: Int) -> Cart.Line {
        let amount = price.flatMap { Decimal(string: $0) }.map {
            Price(value: .amount($0), currency: currency)
        }
        var line = Cart.Line(Product(id: UUID().uuidString, name: "Thing", price: amount), from: "shop")
        line.quantity = quantity
        return line
    }

    @Test("each currency has a total, in the order in which they came; what would be rounded has no price")
    func totals() {
        let cart = Cart(lines: [
            line("129.90", "EUR", 2), line("0.1", "USD", 3), line(nil, nil, 2), line("0.2", "EUR", 1),
            line("5", nil, 1), line(nil, "EUR", 1),
        ])
        #expect(cart.totals.map(\.description) == ["260.00 EUR", "0.30 USD", "5.00 (currency not given)"])
        #expect(Cart().totals == [])
        let extremes = [
            line("999999999999999.999999999999", "EUR", 9_999), line("1000000000000000", "EUR", 1),
            line("0.0000000000001", "EUR", 4), line("-1e20", "EUR", 1), line("-2.5", "EUR", 2),
        ]
        #expect(extremes.map { $0.price == nil } == [false, true, true, true, false])
        #expect(Cart(lines: extremes).totals.map(\.description) == ["9998999999999999994.999999990001 EUR"])
    }

    @Test("totals are exact, compared with whole numbers of the smallest part that is counted")
    func totalsAreExact() {
        var random = SeededGenerator(seed: 20)
        for _ in 1...rounds(20) {
            var expected: [String: Int128] = [:]
            let lines = (1...Int.random(in: 1...100, using: &random)).map { _ in
                let parts = Int128(Int.random(in: 0...(.max), using: &random)) * 100
                let currency = ["EUR", "USD", "KWD"].randomElement(using: &random) ?? ""
                let quantity = Int.random(in: 1...Cart.maximumQuantity, using: &random)
                expected[currency, default: 0] += parts * Int128(quantity)
                return line("\(parts)e-12", currency, quantity)
            }
            let totals = Cart(lines: lines).totals
            #expect(totals.count == expected.count)
            for total in totals {
                let parts = expected[total.currency ?? ""].map { "\($0)e-12" } ?? ""
                #expect(total.amount == Decimal(string: parts))
            }
        }
    }
}
