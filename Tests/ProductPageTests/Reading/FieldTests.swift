import Testing

@testable import ProductPage
@testable import ProductReading

@Suite struct FieldTests {
    /// What a product with those members has beside its name.
    private func facts(_ members: String) throws -> String {
        let found = try product(#"{"@type":"Product","name":"x",\#(members)}"#)
        let facts = [
            found.brand, found.availability?.description, found.rating?.description, found.description,
            found.url,
        ]
        return (found.images + facts.compactMap { $0 }).joined(separator: " ")
    }

    @Test(
        "a field is read in each of its shapes",
        arguments: rows(
            #"""
            "image":"a.jpg" => a.jpg | "image":["a.jpg","b.jpg","a.jpg"] => a.jpg b.jpg | "image":null => none
            "image":{"@type":"ImageObject","url":"a.jpg"} => a.jpg | "brand":[] => none | "brand":{} => none | "brand":" " => none
            "image":[{"contentUrl":"a.jpg"},"b.jpg",null,{}] => a.jpg b.jpg | "brand":"Leaf" => Leaf
            "brand":{"@type":"Brand","name":"Leaf"} => Leaf | "brand":[{"name":"Leaf"},"b"] => Leaf
            "manufacturer":{"name":"Leaf"} => Leaf | "brand":{"@value":"Leaf","@language":"en"} => Leaf
            "aggregateRating":{"ratingValue":4.6,"ratingCount":87} => 4.6 (87) | "aggregateRating":4 => none
            "aggregateRating":{"ratingValue":"4,6","reviewCount":"1"} => 4.6 (1)
            "aggregateRating":{"ratingValue":"9.1","bestRating":"10"} => 9.1 of 10
            "aggregateRating":{"ratingValue":4,"ratingCount":1e30} => 4 | "aggregateRating":{"ratingValue":"good"} => none
            "url":"/p","offers":{"price":1,"url":"/o"} => /p | "offers":{"price":1,"url":"/o"} => /o
            "offers":{"url":"/a","offers":[{"price":1,"url":"/o"}]} => /a
            "offers":{"availability":"https://schema.org/InStock"} => in stock
            "offers":{"availability":"http://schema.org/OutOfStock "} => out of stock
            "offers":{"availability":"schema:PreOrder"} => pre-order | "offers":{"availability":"SoldOut"} => sold out
            "offers":{"availability":"in_stock"} => in stock | "offers":{"availability":"oos"} => out of stock
            "offers":{"availability":"Auf Lager / 24 h"} => Auf Lager / 24 h
            """#))
    func fields(row: Row) throws { #expect(try facts(row.given) == row.expected.replacing("none", with: "")) }

    @Test("an address and an id are whole, or not there where no server would take one so long")
    func addresses() throws {
        func read(_ text: String) throws -> [String?] {
            let offer = #"{"price":1,"url":"\#(text)"}"#
            let found = try [
                #""sku":"\#(text)","url":"\#(text)","image":{"url":"\#(text)"}"#,
                #""@id":"\#(text)","offers":\#(offer)"#,
            ]
            .map { try product(#"{"@type":"Product","name":"x",\#($0)}"#) }
            return [
                found[0].id, found[0].sku, found[0].url, found[0].images.first, found[1].id, found[1].url,
            ]
        }
        let address = "https://shop.example/?a=1&amp;b=" + String(repeating: "x", count: 5_000)
        let whole = address.replacing("&amp;", with: "&")
        #expect(try read(address) == Array(repeating: whole, count: 6))
        #expect(try read(address + address) == ["x", nil, nil, nil, "x", nil])
    }

    @Test(arguments: [
        ("<p>One<br/>two</p><p>three &amp; four</p>", "One\ntwo\nthree & four"),
        ("&lt;p&gt;Caf&amp;eacute;&lt;/p&gt;", "Café"), ("<!-- hidden --><i>shown", "shown"),
        ("a <b>bold</b> move<script>alert(1)</script>", "a bold move"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("first\\r\\n\\r\\nsecond   line", "first\nsecond line"), ("<div>one\\ntwo</div>", "one two"),
    ])
    func descriptionsBecomePlainParagraphs(value: String, expected: String) throws {
        #expect(try facts(#""description":"\#(value)""#) == expected)
    }

    @Test(arguments: [
        ("&amp;&lt;&gt;&quot;&apos;", "&<>\"'"), ("&eacute;&Eacute;&nbsp;&yuml;&szlig;", "éÉ\u{A0}ÿß"),
        ("&euro;&ndash;&hellip;&trade;", "€–…™"), ("&#233;&#xE9;&#XE9;&#x1F381;&#128;&#150;", "ééé🎁€–"),
        ("&#0;&#xD800;&#x110000;&#129;", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"), ("&amp;eacute;", "&eacute;"),
        ("AT&T, R&D; &; &#; &#x; &unknown; &amp", "AT&T, R&D; &; &#; &#x; &unknown; &amp"),
        ("&#-5; &#+5; &#99999999999999999999;", "&#-5; &#+5; &#99999999999999999999;"),
    ])
    func references(text: String, expected: String) {
        #expect(Entities.decoded(text) == expected)
    }
}
