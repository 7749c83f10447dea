import Foundation
import Testing

@testable import ProductPage
@testable import ProductReading

@Suite struct StateTextTests {
    @Test(
        "PK-29: any state drawn twice gives the same text, as a line and as JSON",
        arguments: TransitionCase.states)
    func twice(state: ProductPage.State) {
        #expect(StateText.line(state) == StateText.line(state))
        #expect(StateText.json(state) == StateText.json(state))
        #expect(!StateText.line(state).contains { $0.isNewline })
        #expect(!StateText.json(state).contains { $0.isNewline })
    }

    @Test("PK-29: a state's line, and its JSON, with what is not there left out")
    func lines() {
        #expect(
            TransitionCase.states.map(StateText.line) == [
                "start", "loading", "still loading", "error: shop: out of order", "loading", "still loading",
                "loaded: Bread, 2.00 EUR, cart 1", "added: Bread, 2.00 EUR, cart 1",
                "removed: Cheese, no single price, cart 1", "nothing to remove: Apple is not in the cart",
                "error: shop: out of order",
            ])
        let line = #"{"currency":"EUR","id":"B","name":"Bread","price":2,"quantity":1,"source":"shop"}"#
        let cart = #""cart":{"count":1,"lines":[\#(line)]}"#
        let price = #"{"currency":"EUR","high":2,"low":2,"text":"2.00 EUR"}"#
        let product = #""product":{"id":"B","name":"Bread","price":\#(price)}"#
        #expect(
            TransitionCase.states.map(StateText.json) == [
                #"{"state":"start"}"#, #"{"state":"loading"}"#, #"{"slow":true,"state":"loading"}"#,
                #"{"error":"shop: out of order","state":"error"}"#,
                #"{\#(cart),\#(product),"state":"loading"}"#,
                #"{\#(cart),\#(product),"slow":true,"state":"loading"}"#,
                #"{\#(cart),\#(product),"state":"loaded"}"#, #"{\#(cart),\#(product),"state":"added"}"#,
                #"{\#(cart),\#(product),"state":"removed"}"#, #"{\#(cart),\#(product),"state":"missing"}"#,
                #"{\#(cart),"error":"shop: out of order",\#(product),"state":"error"}"#,
            ])
    }

    @Test("a change of the product in view says its price as the page does, of another what the cart knows")
    func changes() {
        var page = TransitionCase.page
        page.index = 2
        #expect(StateText.line(.added(page, .oneC)) == "added: Cheese, ask, cart 1")
        #expect(StateText.line(.removed(page, .oneB)) == "removed: Bread, 2.00 EUR, cart 1")
    }

    @Test("everything that is known of a product is in its JSON, numbers as numbers")
    func productJSON() throws {
        let product = Product(
            id: "x", name: "X\u{1B}[2J", description: "one\ntwo", images: ["https://i/j"], brand: "Y\u{202E}",
            sku: "s", price: Price(value: .range(1, Decimal(string: "2.10")!), currency: nil),
            availability: .soldOut, rating: Rating(value: Decimal(string: "4.6")!, best: 10, count: 2),
            url: "u")
        let expected =
            #"{"availability":"sold out","brand":"Y\u202e","canBeOrdered":false,"description":"one\ntwo","#
            + #""id":"x","images":["https://i/j"],"name":"X\u001b[2J","#
            + #""price":{"high":2.1,"low":1,"text":"1.00–2.10 (currency not given)"},"#
            + #""rating":{"best":10,"count":2,"value":4.6},"sku":"s","url":"u"}"#
        #expect(ProductJSON(product).jsonLine == expected)
        let object = try JSONSerialization.jsonObject(with: Data(expected.utf8))
        #expect((object as? [String: Any])?["brand"] as? String == product.brand)
    }

    @Test("a price has the bounds that are known")
    func bounds() {
        let prices: [Price.Value] = [.amount(5), .from(5), .upTo(5), .text("ask")]
        #expect(
            prices.map { value in
                let product = Product(id: "x", name: "x", price: Price(value: value, currency: "GBP"))
                return ProductJSON(product).price?.jsonLine ?? ""
            } == [
                #"{"currency":"GBP","high":5,"low":5,"text":"5.00 GBP"}"#,
                #"{"currency":"GBP","low":5,"text":"from 5.00 GBP"}"#,
                #"{"currency":"GBP","high":5,"text":"up to 5.00 GBP"}"#,
                #"{"currency":"GBP","text":"ask"}"#,
            ])
    }
}
