import Foundation
import TestSupport
import Testing

@testable import ProductPage

@Suite struct CartTotalsTests {
    @Test func eachCurrencyHasATotalInTheOrderInWhichTheyCame() {
        let cart = Cart(lines: [
            line("129.90", "EUR", 2), line("0.1", "USD", 3), line(nil, nil, 2), line("0.2", "EUR", 1),
            line("5", nil, 1), line(nil, "EUR", 1),
        ])
        #expect(cart.totals.map(\.description) == ["260.00 EUR", "0.30 USD", "5.00 (currency not given)"])
        #expect(cart.uncountedCount == 3)
    }

    @Test func anEmptyCartHasNoTotal() {
        #expect(Cart().totals == [])
        #expect(Cart().uncountedCount == 0)
    }

    @Test func whatWouldBeRoundedIsNotCounted() {
        let cart = Cart(lines: [
            line("999999999999999.999999999999", "EUR", 9_999), line("1000000000000000", "EUR", 1),
            line("0.0000000000001", "EUR", 4), line("-1e20", "EUR", 1), line("-2.5", "EUR", 2),
        ])
        #expect(cart.totals.map(\.description) == ["9998999999999999994.999999990001 EUR"])
        #expect(cart.uncountedCount == 6)
    }

    /// Against whole numbers of the smallest part that is counted.
    @Test func totalsAreExact() {
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

    private func line(_ price: String?, _ currency: String?, _ quantity: Int) -> Cart.Line {
        Cart.Line(
            id: .init(source: "shop", product: UUID().uuidString), name: "Thing",
            price: price.flatMap { Decimal(string: $0) }, currency: currency,
            quantity: quantity)
    }
}
