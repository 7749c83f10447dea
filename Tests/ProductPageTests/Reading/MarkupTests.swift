import Testing

@testable import ProductPage

/// Products in the markup of a page rather than in its scripts.
@Suite struct MarkupTests {
    private static let scope = #"itemscope itemtype="https://schema.org/Product""#
    private static let offer = #"itemprop=offers itemscope itemtype="http://schema.org/Offer""#
    private static let price = "<meta itemprop=priceCurrency content=EUR><b itemprop=price>"

    @Test(arguments: [
        "<div \(scope)><h1 itemprop=name>Tea</h1><div \(offer)>\(price)3.00</b></div></div>",
        "<div \(scope)><p itemprop=name>Tea<p \(offer)>\(price)3.00 €",
        "<div \(scope)><a itemprop=name href=/x>Tea</a><div \(offer)>\(price)3<sup>,00</sup></b></div></div>",
        "<ul><li \(scope)><i itemprop=name>Tea</i><b \(offer)>\(price)3.00</b></b><li>other<b itemprop=name>x</ul>",
        "<dl \(scope)><dt itemprop=name>Tea<dd \(offer)>\(price)3.00</dl>",
        "<table><tr><td \(scope)><b itemprop=name>Tea</b></div><b \(offer)>\(price)3.00</b></b><td itemprop=name>x</table>",
        "<body \(scope)><img itemprop=image src=a><br><meta itemprop=name content=Tea><p \(offer)>\(price)3.00</body>",
        "<div \(scope)><div><span itemprop=name>Tea</div><div \(offer)>\(price)3.00</div><script>'</div>'</script></div>",
        "<div \(scope) itemref='a b'><i></div><div id=b><p \(offer)>\(price)3.00</div><p id=a itemprop=name>Tea</p>",
        "<div id=a \(offer)>\(price)3.00</div><h1 id=b itemprop=name>Tea</h1><div \(scope) itemref=\"b a\"></div>",
        "<div \(scope)><i itemprop=Name>Tea</i><div itemprop=offers itemscope itemtype=AggregateOffer>"
            + "<i itemprop=lowPrice>3</i>–<i itemprop=highPrice>3</i><data itemprop=priceCurrency value=EUR></div></div>",
        "<div vocab=http://schema.org/ typeof=Product><h1 property=name>Tea</h1><div property=offers typeof=Offer>"
            + "<span property=price content=3.00>3 Euro</span><meta property=priceCurrency content=EUR></div></div>",
        "<div typeof=schema:Product><h1 property=schema:name>Tea</h1><div rel='x' property=schema:offers typeof=schema:Offer>"
            + "<span property='schema:price'>€ 3,00</span></div><meta property=og:title content=x></div>",
        "<html vocab=https://schema.org/ typeof=WebPage \(scope)><b itemprop=name property=name>Tea</b>"
            + "<div \(offer)>\(price)3.00</b></div></html>",
    ])
    func theProductIsReadWhateverIsLeftOut(page: String) throws {
        let found = try product("<!DOCTYPE html>" + page)
        #expect(found.name == "Tea")
        #expect(found.price?.description == "3.00 EUR")
    }

    @Test(
        "a price is never put together out of pieces",
        arguments: [
            ("129<sup>90</sup>", "129 90 EUR"), ("<i>129</i><i>90</i>", "129 90 EUR"),
            ("<s>9.90</s>7.90", "7.90 EUR"),
            ("129<sup>,90</sup> €", "129.90 EUR"), ("<i>1,299</i>.<i>90</i>", "1299.90 EUR"),
            ("1&nbsp;299,00&nbsp;&euro;", "1299.00 EUR"),
        ])
    func pieces(text: String, shown: String) throws {
        let page =
            "<div \(Self.scope)><i itemprop=name>x</i><div \(Self.offer)>\(Self.price)\(text)</b></div></div>"
        #expect(try product(page).price?.description == shown)
    }

    @Test func everyFieldHasItsAttribute() throws {
        let found = try product(
            """
            <div \(Self.scope)><meta itemprop="sku" content="S&amp;1"><link itemprop=url href=/p>
            <img itemprop=image src="data:x" data-src=a.jpg><a itemprop=image href=b.jpg>x</a>
            <img itemprop=brand src=logo.png alt="Leaf"><h1 itemprop=name>Green<br>tea</h1>
            <div itemprop=description><p>One<p>two <b>three</b></div>
            <div itemprop=isRelatedTo \(Self.scope)><i itemprop=name>Cup</i></div>
            <div itemprop=aggregateRating itemscope><i itemprop=ratingValue>4,5</i>/<i itemprop=bestRating>5</i></div>
            <div \(Self.offer)><link itemprop=availability href=http://schema.org/InStock /></div></div>
            """)
        #expect([found.id, found.name, found.url, found.brand] == ["S&1", "Green tea", "/p", "Leaf"])
        #expect(found.images == ["a.jpg", "b.jpg"])
        #expect(found.description == "One\ntwo three")
        #expect(found.rating?.description == "4.5 of 5")
        #expect(found.availability == .inStock)
    }

    @Test func whatTwoSyntaxesSayIsOneProduct() throws {
        let script = #"<script type=application/ld+json>{"@type":"Product","name":"Tea","sku":"1"}</script>"#
        let markup =
            "<div \(Self.scope)><h1 itemprop=name>Tea</h1><i itemprop=sku>X</i><div \(Self.offer)>\(Self.price)3.00"
        let found = try product(markup + script)
        #expect(found.id == "1")
        #expect(found.price?.description == "3.00 EUR")
    }

    @Test(arguments: [
        (#""sku":"X","name":"Tee""#, "Tee"), (#""url":"https://s.example/t#x","name":"Tee""#, "Tee"),
        (#""sku":"X""#, "Tea"), (#""name":"Tea <b>green</b>","sku":"X""#, "Tea green"),
    ])
    func oneNumberInTwoSyntaxesIsOneProduct(members: String, name: String) throws {
        let script = #"<script type=application/ld+json>{"@type":"Product",\#(members)}</script>"#
        let markup = "<i itemprop=name>Tea</i><i itemprop=sku>X</i><link itemprop=url href=/t>"
        let found = try product(
            "<div \(Self.scope)>\(markup)<div \(Self.offer)>\(Self.price)3.00</div>\(script)")
        #expect(found.name == name)
        #expect(found.price?.description == "3.00 EUR")
    }

    @Test func aProductWithoutANameHasThatOfThePage() throws {
        let page = "<h1>Green <b>tea</b></h1><div \(Self.scope)><i itemprop=sku>X</i></div>"
        #expect(try product(page).name == "Green tea")
    }

    @Test func productsInsideEachOtherAreTwo() throws {
        let inner = "<div \(Self.scope)><i itemprop=name>Cup</i></div>"
        #expect(
            try products("<div \(Self.scope)>\(inner)<i itemprop=name>Tea</i></div>").map(\.name) == [
                "Tea", "Cup",
            ])
    }

    @Test func openGraphIsTheLastResort() throws {
        let tags =
            "<meta property=og:title content='Tea &amp; cup'><meta property=product:price:amount content='1,299.00'>"
            + "<meta property=product:price:currency content=USD><meta property=og:availability content=instock>"
            + "<meta property=product:retailer_item_id content=77><meta name=og:image content=a.jpg>"
        let found = try product("<head>" + tags)
        #expect([found.id, found.name, found.images.first] == ["77", "Tea & cup", "a.jpg"])
        #expect(found.price?.description == "1299.00 USD")
        #expect(found.availability == .inStock)
        let sale = "<meta property=product:sale_price:amount content=999>"
        #expect(try product(tags + sale).price?.description == "999.00 USD")
        let script = #"<script type=application/ld+json>{"@type":"Product","name":"Pot"}</script>"#
        #expect(try product(tags + script).price == nil)
        #expect(message { _ = try products("<meta property=og:title content=News>") } != "")
    }
}
