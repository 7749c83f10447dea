import Foundation
import Testing

@testable import ProductPage
@testable import ProductReading

/// Where in the data products stand.
@Suite struct ShapeTests {
    private static let node = #"{"@type":"Product","sku":"A1","name":"Tea"}"#

    @Test(arguments: [
        node, "[[\(node)]]", "{\"@graph\":[{\"@type\":\"WebSite\",\"name\":\"shop\"},\(node)]}",
        #"{"@type":"ItemList","itemListElement":[{"@type":"ListItem","item":\#(node)}]}"#,
        #"{"@type":"ItemList","itemListElement":\#(node)}"#,
        #"{"@graph":[{"@type":"ItemPage","mainEntity":{"@type":"ItemList","itemListElement":[\#(node)]}}]}"#,
        #"{"@type":"OfferCatalog","itemListElement":[{"@type":"Offer","itemOffered":\#(node)}]}"#,
        #"{"@type":"Store","makesOffer":{"itemOffered":\#(node)}}"#,
        #"{"@type":"Review","itemReviewed":\#(node)}"#, #"{"@type":"BuyAction","object":\#(node)}"#,
        #"{"@type":["Thing","Product"],"sku":"A1","name":"Tea"}"#,
        #"{"@type":"http://schema.org/Product","sku":"A1","name":"Tea"}"#,
        #"{"@type":"schema:Product","sku":["A1"],"name":{"@value":"Tea","@language":"en"}}"#,
        #"{"@context":{"s":"http://schema.org/"},"@type":"s:Product","s:sku":"A1","s:name":"Tea"}"#,
        #"{"@graph":[{"@type":"ProductGroup","@id":"g","name":"Tea"},{"@type":"Product","sku":"A1","name":"Tea","isVariantOf":{"@id":"g"}}]}"#,
        #"{"type":"Car","sku":"A1","name":[{"@value":"Tea"},"Tee"]}"#,
        #"{"@type":"Book","sku":"A1","name":"Tea","offers":{"price":1}}"#,
        #"[{"@type":"Product","sku":"A1","name":"Tea","isRelatedTo":{"@type":"Product","name":"Cup"}}]"#,
        #"[{"@id":"p","@type":"Product","name":"Tea"},{"@id":"p","@type":"Product","sku":"A1"}]"#,
        #"[{"@id":"p","@type":"WebPage","name":"Shop"},{"@id":"p","@type":"Product","sku":"A1","name":"Tea"}]"#,
        #"[{"@type":"Product","sku":"A1"},{"@type":"Product","sku":"A1","name":"Tea"}]"#,
        #"[{"@type":"Product","sku":"A1","name":"Tea"},{"@type":"Product","sku":"A1","name":"TEA"}]"#,
        #"[{"@type":"Product","sku":"A1","name":"Tea","url":"/a"},{"@type":"Product","name":"Tea"}]"#,
    ])
    func everyShapeHoldsTheProduct(text: String) throws {
        let found = try product(text)
        #expect(found.id == "A1")
        #expect(found.name == "Tea")
    }

    @Test func referencesAreFollowed() throws {
        let nodes = [
            ##"{"@type": "Product", "@id": "#p", "name": "Tea", "brand": {"@id": "#b"}, "image": {"@id": "#i"}}"##,
            ##"{"@type": "Product", "@id": "#p", "offers": {"@id": "#o"}, "aggregateRating": {"@id": "#r"}}"##,
            ##"{"@type": "Brand", "@id": "#b", "name": "Leaf"}"##,
            ##"{"@type": "ImageObject", "@id": "#i", "url": "https://x/i.jpg"}"##,
            ##"{"@type": "AggregateOffer", "@id": "#o", "offers": [{"@id": "#o"}, {"@id": "#s"}]}"##,
            ##"{"@type": "Offer", "@id": "#s", "price": 3, "priceCurrency": "EUR", "itemOffered": {"@id": "#p"}}"##,
            ##"{"@type": "AggregateRating", "@id": "#r", "ratingValue": 4}"##,
        ]
        let scripts = nodes.map { "<script type=application/ld+json>\($0)</script>" }.joined()
        for text in ["[\(nodes.joined(separator: ","))]", scripts] {
            let found = try product(text)
            #expect([found.id, found.brand, found.images.first] == ["#p", "Leaf", "https://x/i.jpg"])
            #expect(found.price.map { "\($0)" } == "3.00 EUR")
            #expect(found.rating == Rating(value: 4))
        }
    }

    @Test func oneNodeMayBeABrandAndAnImage() throws {
        let found = try product(
            ##"[{"@type":"Product","name":"Tea","brand":{"@id":"#l"},"image":{"@id":"#l"}},"##
                + ##"{"@type":"Organization","@id":"#l","name":"Leaf","url":"https://x/l.svg"}]"##)
        #expect(found.brand == "Leaf")
        #expect(found.images == ["https://x/l.svg"])
    }

    @Test func variantsAreCompletedFromTheirGroup() throws {
        let group = ##"{"@type":"ProductGroup","@id":"#g","name":"Mug","brand":"B","productGroupID":"g""##
        let blue =
            ##"{"@type":"Product","@id":"#m2","sku":"m2","name":"Mug, blue","isVariantOf":{"@id":"#g"}}"##
        let red = #"{"@type":"Product","sku":"m1","name":"Mug, red"}"#
        let found = try products(##"[\##(group),"hasVariant":[\##(red),{"@id":"#m2"}]},\##(blue)]"##)
        #expect(found.map(\.id) == ["m1", "m2"])
        #expect(found.map(\.brand) == ["B", "B"])
        #expect(try product(group + "}").id == "g")
        #expect(try product("[\(blue),\(group)}]").brand == "B")
    }

    @Test(
        "the id is the best there is",
        arguments: rows(
            #"""
            "sku":"s","productID":"p","@id":"i" => s | "sku":12,"productID":"p" => 12 | "@id":"i" => i
            "productID":"p","gtin13":"g" => p | "gtin13":"g","@id":"i" => g | "color":"red" => Tea
            """#))
    func id(row: Row) throws {
        #expect(try product(#"{"@type":"Product","name":"Tea",\#(row.given)}"#).id == row.expected)
    }

    @Test(
        "a group: its variants, those that can be ordered first; without names of their own they are one product",
        arguments: rows(
            #"""
            {"name":"Coat S",\#(gone)},{"name":"Coat M",\#(left)} => Coat M 12.00, Coat S 9.00
            {"name":"Coat","sku":"1",\#(left)},{"name":"Coat","sku":"2","offers":{"price":15}} => Coat 12.00–15.00
            {"sku":"1",\#(left)},{"sku":"2","offers":{"price":15}} => Coat 12.00–15.00
            {"sku":"1",\#(left)},{"sku":"2",\#(gone)} => Coat 12.00
            """#))
    func groups(row: Row) throws {
        let found = try products(#"{"@type":"ProductGroup","name":"Coat","hasVariant":[\#(row.given)]}"#)
        let texts = found.map { "\($0.name) \($0.price?.description ?? "")" }.joined(separator: ", ")
        #expect(texts.replacing(" (currency not given)", with: "") == row.expected)
    }

    private static let gone = #""offers":{"price":9,"availability":"OutOfStock"}"#
    private static let left = #""offers":{"price":12,"availability":"InStock"}"#

    @Test(
        "what differs in a number, a colour or a size is another product, with an id that does not depend on the order",
        arguments: ["gtin13", "gtin", "mpn", "productID", "color", "size", "pattern", "material"])
    func differing(mark: String) throws {
        let nodes = [#""\#(mark)":"11","offers":\#(Self.sold)"#, #""\#(mark)":"22","offers":\#(Self.here)"#]
            .map { #"{"@type":"Product","name":"Mug",\#($0)}"# }
        // Each twice, as two plugins write them.
        for order in [nodes + nodes, nodes.reversed() + nodes] {
            let found = try products("[\(order.joined(separator: ","))]")
            let isNumber = !["color", "size", "pattern", "material"].contains(mark)
            let lines = [
                "\(isNumber ? "22" : "Mug 22")  Mug: 12.00 EUR, in stock",
                "\(isNumber ? "11" : "Mug 11")  Mug: 10.00 EUR, out of stock",
            ]
            #expect(ProductText.list(found) == lines)
        }
    }

    private static let sold = #"{"price":10,"priceCurrency":"EUR","availability":"OutOfStock"}"#
    private static let here = #"{"price":12,"priceCurrency":"EUR","availability":"InStock"}"#

    @Test("of two descriptions of one product, the stock is not that of another price")
    func priceAndStock() throws {
        func found(_ first: String, _ second: String) throws -> String {
            let nodes = [first, second].map { #"{"@type":"Product","name":"Mug","offers":\#($0)}"# }
            return ProductText.list([try product("[\(nodes.joined(separator: ","))]")])[0]
        }
        let plain = #"{"price":10,"priceCurrency":"EUR"}"#
        #expect(try found(plain, Self.here) == "Mug  Mug: 10.00 EUR")
        #expect(try found(plain, Self.sold) == "Mug  Mug: 10.00 EUR, out of stock")
        #expect(try found(plain, #"{"availability":"InStock"}"#) == "Mug  Mug: 10.00 EUR, in stock")
        #expect(try found("{}", Self.here) == "Mug  Mug: 12.00 EUR, in stock")
    }

    @Test(
        "of the sizes at the root one that is left leads; another product does not take its place",
        arguments: rows(
            #"""
            41 gone, 42 left => 42 | 41 left, 42 gone => 41 | 41 gone, 42 gone => 41 | 41 gone, 42 gone, 43 left => 43
            """#))
    func sizes(row: Row) throws {
        let sizes = row.given.components(separatedBy: ", ").map { $0.split(separator: " ").map(String.init) }
        func first(_ node: (_ size: String) -> String, page: String = "") throws -> String? {
            let nodes = sizes.map {
                #"{"@type":"Product",\#(node($0[0])),"offers":\#($0[1] == "gone" ? Self.sold : Self.here)}"#
            }
            let other = #"{"@type":"Product","name":"Sock","offers":\#(Self.here)}"#
            let text = "[\((nodes + [other]).joined(separator: ","))]"
            return try products(
                page.isEmpty ? text : "\(page)<script type=application/ld+json>\(text)</script>"
            )
            .first?.id
        }
        let expected = row.expected
        #expect(try first { #""sku":"\#($0)","name":"Trail shoe","size":"\#($0)""# } == expected)
        #expect(try first { #""sku":"\#($0)","name":"Trail shoe \#($0)""# } == expected)
        #expect(
            try first { #""sku":"\#($0)","name":"Size \#($0), shoe","url":"/shoe?s=\#($0)""# } == expected)
        #expect(try first({ #""sku":"\#($0)","name":"Shoe EU \#($0)""# }, page: "<h1>Shoe</h1>") == expected)
        #expect(try first({ #""sku":"\#($0)","name":"Shoe \#($0)""# }, page: "<h1>Shoe 41</h1>") == "41")
        let title = "<title>Shoe 41 – Shop</title>"
        #expect(try first({ #""sku":"\#($0)","name":"Shoe \#($0)""# }, page: title) == "41")
        #expect(try first { #""sku":"\#($0)","name":"\#($0)""# } == "41")
    }

    @Test func aListIsInTheOrderOfItsPositions() throws {
        func names(_ positions: [String], of type: String = "ItemList") throws -> String {
            let items = positions.enumerated().map { place, position in
                #"{"@type":"ListItem",\#(position)"item":{"@type":"Product","name":"\#(place)"}}"#
            }
            let list = #"{"@type":"\#(type)","itemListElement":[\#(items.joined(separator: ","))]}"#
            return try products(list).map(\.name).joined()
        }
        #expect(try names(["3", "1", "2"].map { #""position":\#($0),"# }) == "120")
        #expect(try names(["10", "9", "9"].map { #""position":"\#($0)","# }) == "120")
        #expect(try names([#""position":2,"#, "", #""position":1,"#]) == "201")
        #expect(try names(["2", "1"].map { #""position":\#($0),"# }, of: "OfferCatalog") == "10")
        #expect(try names(["99999999999999999999", "1"].map { #""position":\#($0),"# }) == "10")
    }

    @Test func productsWithOneNumberHaveIDsThatDoNotDependOnTheirOrder() throws {
        let nodes = ["Red", "Blue"].map { #"{"@type":"Product","sku":"1","name":"\#($0)"}"# }
        for text in [nodes.joined(separator: ","), nodes.reversed().joined(separator: ",")] {
            #expect(Set(try products("[\(text)]").map { "\($0.id)" }) == ["1 Red", "1 Blue"])
        }
    }

    @Test(arguments: [
        ([("S", "a"), ("S", "b"), ("S", "c"), ("S", "a")], ["S a a", "S b b", "S c c"]),
        ([("S1", "Mug"), ("S2", "Mug"), ("S1", "Mug")], ["S1 Mug", "S2 Mug"]),
    ])
    func productsOfOneNumberOrOneNameStaySeveral(given: [(String, String)], found: [String]) throws {
        let nodes = given.map { #"{"@type":"Product","sku":"\#($0.0)","name":"\#($0.1)"}"# }
        #expect(try products("[\(nodes.joined(separator: ","))]").map { "\($0.id) \($0.name)" } == found)
    }

    @Test func theTitleOfAPageTellsNoneOfSeveralOfOneName() throws {
        let text = [1, 2].map { #"{"@type":"Product","sku":"S\#($0)","name":"Mug"}"# }.joined(separator: ",")
        let title = "<meta property=og:title content='Mug | Shop'>"
        let page = "\(title)<script type=application/ld+json>[\(text)]</script>"
        #expect(try products(page).map(\.id) == ["S1", "S2"])
    }

    @Test func thePagesOwnProductComesFirst() throws {
        let list = #"{"@type":"ItemList","itemListElement":[{"item":{"@type":"Product","name":"Cup"}}]}"#
        let other = #"{"@type":"Product","name":"Pot","url":"https://s/pot?x"}"#
        let script = "<script type=application/ld+json>[\(list),\(Self.node),\(other)]</script>"
        #expect(try products(script).map(\.name) == ["Tea", "Pot", "Cup"])
        // What stands in a list and for itself stands for itself.
        let cup = #"{"@type":"Product","name":"Cup"}"#
        #expect(try products("[\(list),\(Self.node),\(cup)]").map(\.name) == ["Cup", "Tea"])
        for mark in [
            "<h1> pot </h1>", "<p itemscope><h1 itemprop=name>Pot</h1></p>",
            "<meta property=og:title content='Pot | Shop'>", "<h1>Shop</h1><h1>Pot</h1>",
            "<title>Pot – Shop</title>",
            "<link rel=canonical href=http://s/pot#a>",
        ] {
            #expect(try products(mark + script).map(\.name) == ["Pot", "Tea", "Cup"])
        }
    }

    @Test func whereSeveralNodesClaimOneIdTheSameOneCountsInEveryRun() throws {
        let nodes = (1...9).map { #""part\#($0)": {"@id": "o", "price": \#($0), "priceCurrency": "EUR"}"# }
        let text =
            #"{"@type": "Product", "name": "P", "offers": {"@id": "o"}, \#(nodes.joined(separator: ","))}"#
        for _ in 1...20 { #expect(try product(text).price?.description == "1.00 EUR") }
    }

    @Test func everyPrefixOfAPageIsProductsOrAnError() throws {
        let page = Array(
            #"<html><!-- x --><script type='application/ld+json'>\#(Self.node)</script><p a="b">"#.utf8)
        for length in 0...page.count {
            let text = String(decoding: page[..<length], as: UTF8.self)
            let isError = message { _ = try products(text) }.hasPrefix("data: ")
            #expect(try isError || products(text).count == 1)
        }
    }
}
