import Testing

@testable import ProductPage

@Suite struct EntityTests {
    @Test(arguments: [
        ("&amp;&lt;&gt;&quot;&apos;", "&<>\"'"), ("&eacute;&Eacute;&nbsp;&yuml;&szlig;", "éÉ\u{A0}ÿß"),
        ("&euro;&ndash;&hellip;&trade;", "€–…™"), ("&#233;&#xE9;&#XE9;&#x1F381;", "ééé🎁"),
        ("&#128;&#150;", "€–"), ("&#0;&#xD800;&#x110000;", "\u{FFFD}\u{FFFD}\u{FFFD}"),
        ("AT&T, R&D; &; &#; &#x; &unknown; &amp", "AT&T, R&D; &; &#; &#x; &unknown; &amp"),
        ("&amp;eacute;", "&eacute;"), ("&#-5; &#+5;", "&#-5; &#+5;"), ("", ""),
        ("&#99999999999999999999;", "&#99999999999999999999;"),
    ])
    func references(text: String, expected: String) {
        #expect(Entities.decoded(text) == expected)
    }
}
