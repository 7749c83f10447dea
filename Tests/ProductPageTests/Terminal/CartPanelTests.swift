import Foundation
import Testing

@testable import ProductPage

@Suite struct CartPanelTests {
    private func line(_ price: String?, _ quantity: Int) -> Cart.Line {
        Cart.Line(
            id: "A", name: "Thing", price: price.flatMap(DecimalText.parse), currency: "EUR",
            quantity: quantity)
    }

    @Test("an amount is never cut, on a screen that has room for it", arguments: 14...80)
    func amounts(columns: Int) {
        let lines = CartPanel.lines(Cart(lines: [line("617.25", 2)]), columns)
        let words = lines.flatMap { $0.spans.flatMap { $0.text.split(separator: " ") } }
        #expect(words.contains("1234.50") && words.contains("617.25"))
        #expect(lines.allSatisfy { $0.width <= columns })
        #expect(lines.contains { $0.spans.first?.text.hasPrefix("  1234.50 EUR,") == true })
    }

    @Test("what the total leaves out, and why")
    func leftOut() {
        let cart = Cart(lines: [line("2", 2), line(nil, 1), line("0.0000000000001", 3)])
        let total = "4.00 EUR + 1 piece without a price + 3 pieces not counted"
        #expect(
            CartPanel.summary(cart, 100).map { $0.spans.map(\.text).joined() } == ["Cart: 6 pieces, \(total)"]
        )
    }
}
