import Foundation
import Testing

@testable import ProductPage

@Suite struct CartTests {
    private let tea = Product(id: "t", name: "Tea", price: Price(value: .amount(3), currency: "EUR"))
    private let cup = Product(id: "c", name: "Cup", price: Price(value: .text("ask"), currency: "EUR"))

    /// The cart after these changes, and which of them changed something.
    private func cart(_ changes: Cart.Change...) throws -> (cart: Cart, changed: [Bool]) {
        var cart = Cart()
        let changed = try changes.map { try cart.apply($0) }
        return (cart, changed)
    }

    @Test("pieces are added and taken out one by one, and what is not there is not taken out")
    func pieces() throws {
        let (tea, cup) = (Cart.Line(tea, from: "shop"), Cart.Line(cup, from: "shop"))
        let (cart, changed) = try cart(
            .add(tea), .add(cup), .add(tea), .remove(cup), .remove(cup), .remove(tea), .remove(tea),
            .remove(tea),
            .add(cup))
        #expect(changed == [true, true, true, true, false, true, true, false, true])
        #expect(cart.lines == [cup])
        #expect(cart.lines.map(\.price) == [nil])
        #expect(cart.count == 1 && cart.quantity(of: cup) == 1 && cart.quantity(of: tea) == 0)
    }

    @Test("a line is of one product of one source, and keeps the name and price of its first piece")
    func identity() throws {
        let dearer = Product(id: "t", name: "Green tea", price: Price(value: .amount(4), currency: "USD"))
        let (cart, _) = try cart(
            .add(.init(tea, from: "one")), .add(.init(dearer, from: "two")), .add(.init(dearer, from: "one")))
        #expect(
            cart.lines == [
                .init(
                    id: .init(source: "one", product: "t"), name: "Tea", price: 3, currency: "EUR",
                    quantity: 2),
                .init(id: .init(source: "two", product: "t"), name: "Green tea", price: 4, currency: "USD"),
            ])
    }

    @Test("a line of an earlier version, without a source, is known by its id and name")
    func earlierLines() throws {
        var cart = Cart(lines: [.init(id: .init(source: "", product: "t"), name: "Tea", price: 1)])
        let cable = Product(id: "t", name: "Cable")
        #expect(try cart.apply(.add(.init(cable, from: "other"))))
        #expect(try cart.apply(.add(.init(tea, from: "shop"))))
        #expect(cart.lines.map(\.quantity) == [2, 1])
        #expect(cart.lines.map(\.price) == [1, nil])
        #expect(try cart.apply(.remove(.init(tea, from: "shop"))))
        #expect(cart.lines.map(\.quantity) == [1, 1])
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
}
