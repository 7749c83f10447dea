import Foundation
import Testing

@testable import ProductPage

@Suite struct CartTests {
    private let tea = Product(id: "t", name: "Tea", price: Price(value: .amount(3), currency: "EUR"))
    private let cup = Product(id: "c", name: "Cup", price: Price(value: .text("ask"), currency: "EUR"))

    @Test func addingAndRemovingCountsPieces() {
        var cart = Cart()
        #expect(cart.count == 0)
        cart.add(tea)
        cart.add(cup)
        cart.add(tea)
        #expect(cart.count == 3)
        #expect(cart.lines.map(\.id) == ["t", "c"])
        #expect(cart.quantity(of: "t") == 2)
        #expect(cart.lines.map(\.price) == [3, nil])
        cart.remove("c")
        cart.remove("c")
        cart.remove("unknown")
        cart.remove("t")
        #expect(cart.lines.map(\.id) == ["t"])
        #expect(cart.count == 1)
    }

    @Test func aLineFollowsWhatTheProductSaysNow() {
        var cart = Cart()
        cart.add(tea)
        cart.add(Product(id: "t", name: "Green tea", price: Price(value: .amount(4), currency: "USD")))
        #expect(
            cart.lines == [Cart.Line(id: "t", name: "Green tea", price: 4, currency: "USD", quantity: 2)])
    }

    @Test func quantitiesAreBounded() {
        var cart = Cart(lines: [.init(id: "t", name: "Tea", quantity: Cart.maximumQuantity)])
        cart.add(tea)
        #expect(cart.count == Cart.maximumQuantity)
    }
}
