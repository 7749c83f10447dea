import Testing

@testable import ProductPage

@Suite struct ProductFieldTests {
    private func field(_ members: String) throws -> Product {
        try product(#"{"@type":"Product","name":"x",\#(members)}"#)
    }

    @Test(arguments: [
        (#""a.jpg""#, ["a.jpg"]), (#"["a.jpg","b.jpg","a.jpg"]"#, ["a.jpg", "b.jpg"]),
        (#"{"@type":"ImageObject","url":"a.jpg"}"#, ["a.jpg"]),
        (#"[{"contentUrl":"a.jpg"},"b.jpg",3,null,{}]"#, ["a.jpg", "b.jpg", "3"]), ("null", []),
    ])
    func images(value: String, expected: [String]) throws {
        #expect(try field(#""image":\#(value)"#).images == expected)
    }

    @Test(arguments: [
        (#""Leaf""#, "Leaf"), (#"{"@type":"Brand","name":"Leaf"}"#, "Leaf"),
        (#"[{"name":"Leaf"},"b"]"#, "Leaf"),
        (#"{"@value":"Leaf","@language":"en"}"#, "Leaf"), ("[]", nil), ("{}", nil), (#"" ""#, nil),
    ])
    func brand(value: String, expected: String?) throws {
        #expect(try field(#""brand":\#(value)"#).brand == expected)
    }

    @Test(arguments: [
        ("https://schema.org/InStock", "in stock"), ("http://schema.org/OutOfStock", "out of stock"),
        ("schema:PreOrder", "pre-order"), ("SoldOut", "sold out"), ("in stock", "in stock"),
        ("in_stock", "in stock"), ("OUTOFSTOCK", "out of stock"), ("https://schema.org/Maybe", "Maybe"),
    ])
    func availabilityIsShownInWords(value: String, expected: String) throws {
        let found = try field(#""offers":{"availability":"\#(value)"}"#)
        #expect(found.availability.map { "\($0)" } == expected)
    }

    @Test func theMostAvailableOfferSpeaksForAll() throws {
        let found = try field(
            #""offers":[{"availability":"SoldOut"},{"availability":"Odd"},{"availability":"InStock"}]"#)
        #expect(found.availability == .inStock)
    }

    @Test(arguments: [
        (#"{"ratingValue":4.6,"ratingCount":87}"#, "4.6 of 5 (87 ratings)"),
        (#"{"ratingValue":"4,6","reviewCount":"1"}"#, "4.6 of 5 (1 rating)"),
        (#"{"ratingValue":"9.1","bestRating":"10"}"#, "9.1 of 10"),
        (#"{"ratingValue":4,"ratingCount":1e30}"#, "4 of 5"),
        (#"{"ratingValue":"good"}"#, nil), ("{}", nil), ("4", nil),
    ])
    func rating(value: String, expected: String?) throws {
        #expect(try field(#""aggregateRating":\#(value)"#).rating.map { "\($0)" } == expected)
    }

    @Test(arguments: [
        ("<p>One<br/>two</p><p>three &amp; four</p>", "One\ntwo\nthree & four"),
        ("&lt;p&gt;Caf&amp;eacute;&lt;/p&gt;", "Café"),
        ("a <b>bold</b> move<script>alert(1)</script>", "a bold move"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("first\\r\\n\\r\\nsecond   line", "first\nsecond line"),
        ("<div>one\\ntwo</div>", "one two"),
        ("<!-- hidden --><i>shown", "shown"),
    ])
    func descriptionsBecomePlainParagraphs(value: String, expected: String) throws {
        #expect(try field(#""description":"\#(value)""#).description == expected)
    }

    @Test func namesAreDecodedAndOnOneLine() throws {
        let found = try product(#"{"@type":"Product","name":" Caf&eacute;\n &amp; Bar ","sku":"a&#45;1"}"#)
        #expect(found.name == "Café & Bar")
        #expect(found.id == "a-1")
    }
}
