import Foundation
import Testing

@testable import ProductPage

@Suite struct ProductShapeTests {
    private static let node = #"{"@type":"Product","sku":"A1","name":"Tea"}"#

    @Test(arguments: [
        node,
        "[\(node)]",
        #"{"@context":"https://schema.org","@graph":[{"@type":"WebSite","name":"shop"},\#(node)]}"#,
        #"{"@type":"ItemList","itemListElement":[{"@type":"ListItem","position":1,"item":\#(node)}]}"#,
        #"{"@type":"ItemList","itemListElement":[\#(node)]}"#,
        #"{"@type":"ItemList","itemListElement":\#(node)}"#,
        #"{"@type":"WebPage","mainEntity":\#(node)}"#,
        #"{"@graph":[{"@type":"ItemPage","mainEntity":{"@type":"ItemList","itemListElement":[{"item":\#(node)}]}}]}"#,
        #"{"@type":"OfferCatalog","itemListElement":[{"@type":"Offer","itemOffered":\#(node)}]}"#,
        #"{"@type":["Thing","Product"],"sku":"A1","name":"Tea"}"#,
        #"{"@type":"http://schema.org/Product","sku":"A1","name":"Tea"}"#,
        #"{"@type":"https://schema.org/Product","sku":"A1","name":"Tea"}"#,
        #"{"@type":"schema:Product","sku":"A1","name":"Tea"}"#,
        #"{"type":"Product","sku":"A1","name":"Tea"}"#,
        #"{"@type":"ItemList","@type":"Product","sku":"A0","sku":"A1","name":"Tea"}"#,
    ])
    func everyShapeHoldsTheProduct(text: String) throws {
        let found = try product(text)
        #expect(found.id == "A1")
        #expect(found.name == "Tea")
    }

    @Test func productsKeepTheOrderOfTheData() throws {
        let items = (1...5).map { #"{"item":{"@type":"Product","name":"p\#($0)"}}"# }.joined(separator: ",")
        #expect(
            try products(#"{"@type":"ItemList","itemListElement":[\#(items)]}"#).map(\.name)
                == ["p1", "p2", "p3", "p4", "p5"])
    }

    @Test func whatIsSaidTwiceIsPutTogether() throws {
        let found = try product(
            #"[{"@type":"Product","sku":"A","name":"Tea","brand":"B"},{"@type":"Product","sku":"A","name":"Tea","brand":"C","description":"hot"}]"#
        )
        #expect(found.brand == "B")
        #expect(found.description == "hot")
    }

    @Test func referencesAreFollowed() throws {
        let found = try product(
            #"""
            {"@graph": [
              {"@type": "Product", "@id": "#p", "name": "Tea", "brand": {"@id": "#b"}, "image": {"@id": "#i"},
               "offers": {"@id": "#o"}, "aggregateRating": {"@id": "#r"}},
              {"@type": "Brand", "@id": "#b", "name": "Leaf"},
              {"@type": "ImageObject", "@id": "#i", "url": "https://x/i.jpg"},
              {"@type": "Offer", "@id": "#o", "price": 3, "priceCurrency": "EUR", "itemOffered": {"@id": "#p"}},
              {"@type": "AggregateRating", "@id": "#r", "ratingValue": 4}
            ]}
            """#)
        #expect(found.id == "#p")
        #expect(found.brand == "Leaf")
        #expect(found.images == ["https://x/i.jpg"])
        #expect(found.price.map { "\($0)" } == "3.00 EUR")
        #expect(found.rating == Rating(value: 4))
    }

    @Test func referencesInACircleEnd() throws {
        let found = try product(
            #"""
            [{"@type": "Product", "name": "Tea", "offers": {"@id": "#a"}},
             {"@type": "AggregateOffer", "@id": "#a", "offers": [{"@id": "#a"}, {"@id": "#b"}]},
             {"@type": "AggregateOffer", "@id": "#b", "offers": [{"@id": "#a"}, {"price": 3, "priceCurrency": "EUR"}]}]
            """#)
        #expect(found.price.map { "\($0)" } == "3.00 EUR")
    }

    @Test func variantsAreCompletedFromTheirGroup() throws {
        let found = try products(
            #"""
            {"@graph": [
              {"@type": "ProductGroup", "name": "Mug", "brand": "B", "productGroupID": "g", "hasVariant": [
                {"@type": "Product", "sku": "m1", "name": "Mug, red", "offers": {"price": 1, "priceCurrency": "EUR"}},
                {"@id": "#m2"}]},
              {"@type": "Product", "@id": "#m2", "sku": "m2", "name": "Mug, blue"}]}
            """#)
        #expect(found.map(\.id) == ["m1", "m2"])
        #expect(found.map(\.brand) == ["B", "B"])
        let alone = try product(#"{"@type":"ProductGroup","name":"Mug","productGroupID":"g"}"#)
        #expect(alone.id == "g")
    }

    @Test(arguments: [
        (#""sku":"s","productID":"p","@id":"i""#, "s"), (#""sku":12,"productID":"p""#, "12"),
        (#""productID":"p","gtin13":"g""#, "p"), (#""gtin13":"g","@id":"i""#, "g"), (#""@id":"i""#, "i"),
        (#""color":"red""#, "Tea"),
    ])
    func theIdIsTheBestThereIs(members: String, id: String) throws {
        #expect(try product(#"{"@type":"Product","name":"Tea",\#(members)}"#).id == id)
    }

    @Test(arguments: [
        (#"{"@type":"Organization"}"#, "data: no schema.org Product in it (it describes: Organization)"),
        ("[]", "data: no schema.org Product in it"), ("3", "data: no schema.org Product in it"),
        (#"{"@type":"Product"}"#, "data: no schema.org Product in it (it describes: Product)"),
        ("", "data: is empty"), (" \n", "data: is empty"),
        ("{\n \"a\": [1,,2]}", "data: not valid JSON at line 2, column 10: expected a value but found ','"),
        ("hello", "data: not valid JSON at line 1, column 1: expected a value but found 'h'"),
    ])
    func withoutAProductTheErrorSaysWhatThereIs(text: String, expected: String) {
        #expect(message { _ = try products(text) } == expected)
    }

    @Test func everyPrefixOfThePageIsProductsOrAnError() throws {
        let page = Array(
            #"<html><!-- x --><script type='application/ld+json'>\#(Self.node)</script><p a="b">"#.utf8)
        for length in 0...page.count {
            let text = String(decoding: page[..<length], as: UTF8.self)
            let isError = message { _ = try products(text) }.hasPrefix("data: ")
            #expect(try isError || products(text).count == 1)
        }
    }
}
