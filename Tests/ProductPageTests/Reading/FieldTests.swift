import Testing

@testable import ProductPage

@Suite struct FieldTests {
    private func field(_ members: String) throws -> Product {
        try product(#"{"@type":"Product","name":"x",\#(members)}"#)
    }

    @Test(arguments: [
        (#""a.jpg""#, ["a.jpg"]), (#"["a.jpg","b.jpg","a.jpg"]"#, ["a.jpg", "b.jpg"]),
        (#"{"@type":"ImageObject","url":"a.jpg"}"#, ["a.jpg"]),
        (#"[{"contentUrl":"a.jpg"},"b.jpg",null,{}]"#, ["a.jpg", "b.jpg"]), ("null", []),
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
        ("https://schema.org/InStock", "in stock"), ("http://schema.org/OutOfStock ", "out of stock"),
        ("schema:PreOrder", "pre-order"), ("SoldOut", "sold out"), ("in_stock", "in stock"),
        ("oos", "out of stock"),
        ("OUTOFSTOCK", "out of stock"), ("Auf Lager / 24 h", "Auf Lager / 24 h"),
    ])
    func availability(value: String, expected: String) throws {
        #expect(try field(#""offers":{"availability":"\#(value)"}"#).availability?.description == expected)
    }

    @Test(arguments: [
        (#"{"ratingValue":4.6,"ratingCount":87}"#, "4.6 (87)"),
        (#"{"ratingValue":"4,6","reviewCount":"1"}"#, "4.6 (1)"),
        (#"{"ratingValue":"9.1","bestRating":"10"}"#, "9.1 of 10"),
        (#"{"ratingValue":4,"ratingCount":1e30}"#, "4"),
        (#"{"ratingValue":"good"}"#, nil), ("{}", nil), ("4", nil),
    ])
    func rating(value: String, expected: String?) throws {
        #expect(try field(#""aggregateRating":\#(value)"#).rating.map { "\($0)" } == expected)
    }

    @Test(arguments: [
        ("<p>One<br/>two</p><p>three &amp; four</p>", "One\ntwo\nthree & four"),
        ("&lt;p&gt;Caf&amp;eacute;&lt;/p&gt;", "Café"), ("<!-- hidden --><i>shown", "shown"),
        ("a <b>bold</b> move<script>alert(1)</script>", "a bold move"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("first\\r\\n\\r\\nsecond   line", "first\nsecond line"), ("<div>one\\ntwo</div>", "one two"),
    ])
    func descriptionsBecomePlainParagraphs(value: String, expected: String) throws {
        #expect(try field(#""description":"\#(value)""#).description == expected)
    }

    @Test(arguments: [
        ("&amp;&lt;&gt;&quot;&apos;", "&<>\"'"), ("&eacute;&Eacute;&nbsp;&yuml;&szlig;", "éÉ\u{A0}ÿß"),
        ("&euro;&ndash;&hellip;&trade;", "€–…™"), ("&#233;&#xE9;&#XE9;&#x1F381;", "ééé🎁"),
        ("&#128;&#150;", "€–"),
        ("&#0;&#xD800;&#x110000;&#129;", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"), ("&amp;eacute;", "&eacute;"),
        ("AT&T, R&D; &; &#; &#x; &unknown; &amp", "AT&T, R&D; &; &#; &#x; &unknown; &amp"),
        ("&#-5; &#+5; &#99999999999999999999;", "&#-5; &#+5; &#99999999999999999999;"),
    ])
    func references(text: String, expected: String) {
        #expect(Entities.decoded(text) == expected)
    }
}
