import Foundation
import Testing

@testable import ProductPage

@Suite struct StateTextTests {
    @Test("PK-29: any state drawn twice gives the same text, as a line and as JSON", arguments: Pair.states)
    func twice(state: ProductPage.State) {
        #expect(StateText.line(state) == StateText.line(state))
        #expect(StateText.json(state).description == StateText.json(state).description)
        #expect(!StateText.line(state).contains { $0.isNewline })
        #expect(!StateText.json(state).description.contains { $0.isNewline })
    }

    @Test("PK-29: a state's line")
    func lines() {
        #expect(
            Pair.states.map(StateText.line) == [
                "start", "loading", "still loading", "error: shop: out of order", "loading", "still loading",
                "loaded: Bread, 2.00 EUR, cart 1", "added: Bread, 2.00 EUR, cart 1",
                "removed: Bread, 2.00 EUR, cart 1", "error: shop: out of order",
            ])
    }

    @Test("a state's JSON: keys in one order, and left out where there is nothing")
    func json() {
        let page =
            #""cart":{"count":1,"lines":[{"id":"B","quantity":1}]}"#
        let product =
            #""product":{"amount":"2","currency":"EUR","id":"B","name":"Bread","price":"2.00 EUR"}"#
        #expect(
            Pair.states.map { StateText.json($0).description } == [
                #"{"state":"start"}"#,
                #"{"state":"loading"}"#,
                #"{"slow":true,"state":"loading"}"#,
                #"{"error":"shop: out of order","state":"error"}"#,
                #"{\#(page),\#(product),"state":"loading"}"#,
                #"{\#(page),\#(product),"slow":true,"state":"loading"}"#,
                #"{\#(page),\#(product),"state":"loaded"}"#,
                #"{\#(page),\#(product),"state":"added"}"#,
                #"{\#(page),\#(product),"state":"removed"}"#,
                #"{\#(page),"error":"shop: out of order",\#(product),"state":"error"}"#,
            ])
    }

    @Test("everything that is known of a product is in its JSON")
    func productJSON() throws {
        let product = Product(
            id: "x", name: "X\u{1B}[2J", description: "one\ntwo", images: ["i", "j"], brand: "Y\u{202E}",
            sku: "s", price: Price(value: .range(1, 2), currency: nil), availability: .inStock,
            rating: Rating(value: 4, count: 2), url: "u")
        let expected =
            #"{"availability":"in stock","brand":"Y\u202e","description":"one\ntwo","id":"x","#
            + #""images":["i","j"],"name":"X\u001b[2J","price":"1.00–2.00 (currency not given)","#
            + #""rating":"4 of 5 (2 ratings)","sku":"s","url":"u"}"#
        #expect(product.json.description == expected)
        let object = try JSONSerialization.jsonObject(with: Data(expected.utf8))
        #expect((object as? [String: Any])?["name"] as? String == product.name)
    }

    @Test("PK-31: the lines and the JSON of a script are those of the states it shows")
    func script() {
        let stage = PageStage(FakeShop(failing: [2]).effects)
        stage.play(.load, .add)
        #expect(
            stage.json.map { $0.suffix(18) } == [
                #"{"state":"start"}"#, #"{"state":"loading"}"#.suffix(18), #","state":"loaded"}"#,
                #""state":"loading"}"#, #"},"state":"error"}"#,
            ])
        #expect(stage.lines.count == stage.json.count)
    }
}
