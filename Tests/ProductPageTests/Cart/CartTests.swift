import Foundation
import Testing

@testable import ProductPage

@Suite struct CartTests {
    private let tea = Product(id: "t", name: "Tea", price: Price(value: .amount(3), currency: "EUR"))
    private let cup = Product(id: "c", name: "Cup", price: Price(value: .text("ask"), currency: "EUR"))

    @Test func addingAndRemovingCountsPieces() throws {
        var cart = Cart()
        #expect(cart.count == 0)
        try cart.add(tea)
        try cart.add(cup)
        try cart.add(tea)
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

    @Test func aLineFollowsWhatTheProductSaysNow() throws {
        var cart = Cart()
        try cart.add(tea)
        try cart.add(Product(id: "t", name: "Green tea", price: Price(value: .amount(4), currency: "USD")))
        #expect(
            cart.lines == [Cart.Line(id: "t", name: "Green tea", price: 4, currency: "USD", quantity: 2)])
    }

    @Test func aPieceTooManyIsRefusedAndChangesNothing() {
        let full = Cart(lines: [.init(id: "t", name: "Old", quantity: Cart.maximumQuantity)])
        var cart = full
        #expect(throws: PageError.failed("the cart has 9999 of “Tea”, the most it takes")) {
            try cart.add(tea)
        }
        #expect(cart == full)
    }

    @Test func aProductTooManyIsRefusedButNotAPieceOfOneThatIsThere() throws {
        var cart = Cart(
            lines: (1...Cart.maximumLines).map { .init(id: "\($0)", name: "Thing", quantity: 1) })
        #expect(throws: PageError.failed("the cart has 1000 products, the most it takes; remove one first")) {
            try cart.add(tea)
        }
        try cart.add(Product(id: "7", name: "Thing"))
        #expect(cart.count == Cart.maximumLines + 1)
        cart.remove("8")
        try cart.add(tea)
        #expect(cart.quantity(of: "t") == 1)
    }

    @Test func longTextsAreCutAndLongIdsStayApart() throws {
        let long = String(repeating: "é", count: 500_000)
        var cart = Cart()
        for end in ["a", "b", "a"] {
            let price = Price(value: .amount(1), currency: long)
            try cart.add(Product(id: long + end, name: long, price: price))
        }
        #expect(cart.lines.map(\.quantity) == [2, 1])
        #expect(cart.quantity(of: long + "a") == 2)
        for line in cart.lines {
            for text in [line.id, line.name, line.currency ?? ""] {
                #expect(text.utf8.count <= Cart.maximumTextLength)
                #expect(text.hasPrefix("ééé") && text.contains("…"))
            }
        }
        cart.remove(long + "a")
        cart.remove(long + "b")
        #expect(cart.lines.map(\.quantity) == [1])
    }

    @Test func aTextOfTheGreatestLengthStaysWhole() throws {
        let text = String(repeating: "x", count: Cart.maximumTextLength)
        var cart = Cart()
        try cart.add(Product(id: text, name: text))
        #expect(cart.lines == [.init(id: text, name: text, quantity: 1)])
    }

    @Test func aFullCartOfTheLongestTextsIsReadAgain() throws {
        // What is escaped as six characters a byte is the longest that is written.
        let text = String(repeating: "\u{7}", count: 1_000)
        let price = Price(value: .amount(Decimal(sign: .plus, exponent: -38, significand: 1)), currency: text)
        var cart = Cart()
        try cart.add(Product(id: text, name: text, price: price))
        let bytes = CartFormat.bytes(of: cart)
        #expect(bytes.count * Cart.maximumLines < CartStore.maximumBytes / 2)
        #expect(try CartFormat.cart(from: bytes) == cart)
    }
}
