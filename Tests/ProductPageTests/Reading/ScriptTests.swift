import Testing

@testable import ProductPage
@testable import ProductReading

/// JSON-LD as shops write it: in pages, by hand, and with faults.
@Suite struct ScriptTests {
    private static let node = #"{"@type":"Product","name":"Tea"}"#

    @Test(arguments: [
        #"<script type="application/ld+json">"#, "<script type='application/ld+json'>",
        "<script type=application/ld+json>", "<SCRIPT TYPE=\"Application/LD+JSON\">",
        #"<script async data-x='a>b' id="s" type = "application/ld+json" >"#,
        "<script\n\ttype=\"application/ld+json; charset=utf-8\"\n>",
        #"<script type="application&#x2F;ld+json">"#, #"<script/type="application/ld+json"/>"#,
        #"<script type="application/ld+json" type="text/javascript">"#,
        "<!--><script type=application/ld+json>", "<!---><script type=application/ld+json>",
    ])
    func tagsOfEveryKindAreFound(tag: String) throws {
        #expect(try product("<!DOCTYPE html><html><head>\(tag)\(Self.node)</script></head>").name == "Tea")
    }

    @Test(arguments: [
        "<!-- \(node) -->", "<![CDATA[ \(node) ]]>", "//<![CDATA[\n\(node)\n//]]>", "\u{FEFF}\(node)",
        "/*<![CDATA[*/ \(node) /*]]>*/", "\(node);", "\r\n\(node)\r\n", "data(\(node));", "[\(node),]",
        "/* \"it's\" */ \(node)", #"{"@type":"Product" /* ' */, "name":"Tea" // "}"# + "\n}",
        #"{"@type":"Product","name":"Tea",}"#, #"{"@type":"Product",,"name":"Tea"}"#,
        #"{,"@type":"Product","name":"Tea"}"#, #"{"@type":"Product","sku": ,"name":"Tea"}"#,
        #"{"@type":"Product","name":"Tea","sku":}"#, "{'@type':'Product','name':'Tea'}",
        "{\"@type\":\"Product\"\n\"name\":\"Tea\"}",
        "{\"@type\":\"Product\",\"name\":\"\tTea\n\"}", #"{"@type":"Product","name":"\Tea"}"#,
        "{&quot;@type&quot;:&quot;Product&quot;,&quot;name&quot;:&quot;Tea&quot;}",
        #"{"schema:type":1,"@type":"schema:Product","schema:name":"Tea"}"#,
        #"{"@type":"product","Name":"Tea"}"#,
        #"{"a":None,"b":[true,"c",false],"@type":"Product","name":"Tea"}"#,
        "{\u{A0}\"@type\":\"Product\",\u{A0}\"name\":\"Tea\"}", "{\"@type\":\"Organization\"}\n\(node)",
    ])
    func faultsAreForgiven(script: String) throws {
        let page = "<html><script type=application/ld+json>\(script)</script ><p>"
        #expect(try product(page).name == "Tea")
    }

    @Test(
        "texts are read as they are meant",
        arguments: rows(
            #"""
            The 24" monitor => The 24" monitor | a "b" c => a "b" c | 24", wide => 24", wide | it's => it's | \x => x
            it\'s => it's | a\#r\#nb\#u{1}c => a b c | \u0041\/\\ \" => A/\ " | a\#u{2028}b => a b | 🍵 => 🍵
            &quot;Tea&quot; &amp; caf&eacute; => "Tea" & café | Tom&amp;#039;s => Tom's | \ud83c\udf75 => 🍵
            a\ud83cb => a\#u{FFFD}b
            """#))
    func texts(row: Row) throws {
        #expect(try product(#"{"@type":"Product","name":"\#(row.given)","sku":1}"#).name == row.expected)
    }

    @Test(arguments: [
        "<!-- <script type=application/ld+json>\(node)</script> -->",
        "<script>var x = '<script type=application/ld+json>\(node)'</script>",
        "<style><script type=application/ld+json>\(node)</script></style>",
        "<textarea><script type=application/ld+json>\(node)</script></textarea>",
        "<a title='<script type=application/ld+json>\(node)</script>'>x</a>",
        "<script type=application/json>\(node)</script>",
        "<scripts type=application/ld+json>\(node)</scripts>",
        "<script type=application/ld+json></script>",
    ])
    func whatIsNoScriptIsNotRead(text: String) {
        #expect(message { _ = try products("<html>\(text)") }.hasPrefix("data: no schema.org Product"))
    }

    @Test func oneMalformedScriptDoesNotStopTheOthers() throws {
        let scripts = [
            #"{"@type":"Product","name":"#, "", #"{"@type":"Organization","name":"s"}"#, Self.node,
        ]
        .map { "<script type=\"application/ld+json\">\($0)</script>" }
        #expect(try products("<html>" + scripts.joined()).map(\.name) == ["Tea"])
    }

    @Test func theContentDecidesWhetherItIsAPage() throws {
        let page = "<script type=application/ld+json>\(Self.node)</script>"
        #expect(try product("\n \(page)").name == "Tea")
        #expect(try product("stray words <html>\(page)").name == "Tea")
        #expect(try product(#"{"@type":"Product","name":"<html>"}"#).name == "<html>")
    }

    @Test(arguments: [
        (#"{"@type":"Organization"}"#, "no schema.org Product in it (it describes: Organization)"),
        ("[]", "no schema.org Product in it"), ("", "is empty"), (" \n", "is empty"),
        (
            #"{"@type":"Product"}"#,
            "no schema.org Product in it (it describes: a Product without a name or an id)"
        ),
        ("{\n \"a\": [1}", "not valid JSON at line 2, column 9: a bracket closes that is not open"),
        (#"{"price": 12,90}"#, "not valid JSON at line 1, column 14: malformed"),
        ("{\"a\": b}", "not valid JSON at line 1, column 7: malformed"),
        ("{\"a\": [", "not valid JSON at line 1, column 8: the text ends before its brackets close"),
        ("\nhello", "not valid JSON at line 2, column 1: there is no { or [ in it"),
        ("<p>hello", "no schema.org Product: the page has no JSON-LD, microdata or RDFa"),
        ("<script type=application/ld+json>{}</script>", "no schema.org Product in the page"),
        (
            "<p>\n<script type=application/ld+json>[{]</script><div itemscope itemtype=https://schema.org/Event>",
            "no schema.org Product in the page (it describes: Event); script 1 is not valid JSON at line 2, "
                + "column 36: a bracket closes that is not open"
        ),
    ])
    func withoutAProductTheMessageSaysWhatThereIs(text: String, reason: String) {
        #expect(message { _ = try products(text) } == "data: " + reason)
    }
}
