import Testing

@testable import ProductPage

@Suite struct HTMLScriptTests {
    private static let node = #"{"@type":"Product","name":"Tea"}"#

    @Test(arguments: [
        #"<script type="application/ld+json">"#, "<script type='application/ld+json'>",
        "<script type=application/ld+json>", "<SCRIPT TYPE=\"Application/LD+JSON\">",
        #"<script async data-x='a>b' id="s" type = "application/ld+json" >"#,
        "<script\n\ttype=\"application/ld+json; charset=utf-8\"\n>",
        #"<script type=" application/ld+json ">"#,
        #"<script type="application&#x2F;ld+json">"#, #"<script/type="application/ld+json"/>"#,
        #"<script type="application/ld+json" type="text/javascript">"#,
    ])
    func tagsOfEveryKindAreFound(tag: String) throws {
        #expect(try product("<!DOCTYPE html><html><head>\(tag)\(Self.node)</script></head>").name == "Tea")
    }

    @Test(arguments: [
        "<!-- \(node) -->", "<![CDATA[ \(node) ]]>", "//<![CDATA[\n\(node)\n//]]>",
        "/*<![CDATA[*/ \(node) /*]]>*/", "<!--\n\(node)\n//-->", "\(node);", "\r\n\(node)\r\n",
    ])
    func wrappersAreTakenOff(content: String) throws {
        #expect(
            try product("<html><script type=application/ld+json>\(content)</script >").name == "Tea")
    }

    @Test(arguments: [
        "<!-- <script type=application/ld+json>\(node)</script> -->",
        "<script>var x = '<script type=application/ld+json>\(node)'</script>",
        "<style><script type=application/ld+json>\(node)</script></style>",
        "<textarea><script type=application/ld+json>\(node)</script></textarea>",
        "<a title='<script type=application/ld+json>\(node)</script>'>x</a>",
        "<script type=application/json>\(node)</script>",
        "<scripts type=application/ld+json>\(node)</scripts>",
        "<script type=application/ld+json><!-- -->",
    ])
    func whatIsNoScriptIsNotRead(text: String) {
        #expect(message { _ = try products("<html>\(text)") }.hasPrefix("data: no schema.org Product"))
    }

    @Test func oneMalformedScriptDoesNotStopTheOthers() throws {
        let found = try products(
            """
            <html><script type="application/ld+json">{"@type":"Product","name":</script>
            <script type="application/ld+json">{"@type":"Organization","name":"shop"}</script>
            <script type="application/ld+json">\(Self.node)</script>
            """)
        #expect(found.map(\.name) == ["Tea"])
    }

    @Test func lineBreaksInsideStringsAreForgivenInPages() throws {
        let text = "<script type=application/ld+json>{\"@type\":\"Product\",\"name\":\"Tea\npot\"}</script>"
        #expect(try product(text).name == "Tea pot")
    }

    @Test func errorsCountTheScriptsAndSayWhatIsWrong() {
        let script = "<script type=application/ld+json>"
        #expect(
            message { _ = try products("<p>hello") }
                == "data: no schema.org Product: the page has no JSON-LD script")
        #expect(
            message { _ = try products("<p>\(script){}</script>") }
                == "data: no schema.org Product in the page's JSON-LD script")
        #expect(
            message { _ = try products("<p>\(script){}</script>\n\(script)[1,]</script>") }
                == "data: no schema.org Product in the page's 2 JSON-LD scripts; script 2 is not valid JSON "
                + "at line 2, column 37: expected a value but found ']'")
    }

    @Test func theContentDecidesWhetherItIsAPage() throws {
        let page = "<script type=application/ld+json>\(Self.node)</script>"
        #expect(try product("\n \(page)").name == "Tea")
        #expect(try product("stray words <html>\(page)").name == "Tea")
        #expect(try product(#"{"@type":"Product","name":"<html>"}"#).name == "<html>")
    }

    @Test func byteOrderMarksDecideTheEncoding() throws {
        let text = #"{"@type":"Product","name":"Té 🍵"}"#
        let little = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        for bytes in [[0xEF, 0xBB, 0xBF] + Array(text.utf8), [0xFF, 0xFE] + little, [0xFE, 0xFF] + big] {
            #expect(try ProductReader.read(bytes, from: "x").products.map(\.name) == ["Té 🍵"])
        }
        let broken = Array(#"{"@type":"Product","name":"T"#.utf8) + [0xE9] + Array(#""}"#.utf8)
        #expect(try ProductReader.read(broken, from: "x").products.map(\.name) == ["T\u{FFFD}"])
    }

    @Test(arguments: ["<", "<!--", "<script", "<script type=application/ld+json>", "<a b=\"", "</", "&#x"])
    func unfinishedMarkupRepeatedEndlesslyIsReadOnce(piece: String) {
        let text = "<p>" + String(repeating: piece, count: 50_000)
        #expect(message { _ = try products(text) }.hasPrefix("data: no schema.org Product"))
    }
}
