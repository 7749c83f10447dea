import Testing

@testable import ProductPage
@testable import ProductReading

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
        "<div vocab=https://schema.org/ typeof=Product><b property=name>Tea</b><p rel=offers><i typeof=Offer>"
            + "<b property=price content=3></b><b property=priceCurrency content=EUR></b>",
        "<body prefix='sc: https://schema.org/'><div typeof=sc:Product><b property=sc:name>Tea</b>"
            + "<p rel=sc:offers typeof=sc:Offer><b property=sc:price>3</b><b property=sc:priceCurrency>EUR</b>",
        "<div vocab=http://schema.org/><p typeof=Product resource=#p><b property=name>Tea</b><meta property=offers "
            + "resource=#o></p><p typeof=Offer about=#o><b property=price>3 €</b></div>",
        "<div \(scope)><h1 itemprop=name>Tea</h1><p itemprop=offers><i itemscope>\(price)3</b></i></div>",
        "<div itemscope><p id=o \(offer)>\(price)3</p><i itemprop=mainEntity \(scope) itemref=o>"
            + "<b itemprop=name>Tea</b></i></div>",
        "<div \(scope)><b itemprop=name>Tea</b><i \(offer) itemref=o></i></div><p id=o>\(price)3.00</b></p>",
        "<p id=o>\(price)3.00</b></p><div \(scope)><b itemprop=name>Tea</b><i \(offer) itemref=o></i></div>",
        "<div \(scope) itemref='n o'></div><b id=n itemprop=name>Tea</b><p id=o><i \(offer) itemref='p o'></i></p>"
            + "<p id=p>\(price)3.00</b></p>",
        "<html vocab=https://schema.org/ typeof=WebPage \(scope)><b itemprop=name property=name>Tea</b>"
            + "<div \(offer)>\(price)3.00</b></div></html>",
    ])
    func theProductIsReadWhateverIsLeftOut(page: String) throws {
        let found = try product("<!DOCTYPE html>" + page)
        #expect(found.name == "Tea")
        #expect(found.price?.description == "3.00 EUR")
    }

    @Test(
        "a price is never put together out of pieces, nor out of what is struck through",
        arguments: rows(
            """
            129<sup>90</sup> => 129 / 90 EUR | <i>129</i><i>90</i> => 129 / 90 EUR | <s>9.90</s>7.90 => 7.90 EUR
            <b>20</b> <b>150</b> => 20 / 150 EUR | <i>1,299</i>.<i>90</i> => 1299.90 EUR
            20<b>&nbsp;150</b> => 20 / 150 EUR | 129<sup>,90</sup> € => 129.90 EUR | 1&nbsp;299,00&nbsp;&euro; => 1299.00 EUR
            <i>499€</i><i>499€</i><i>499</i> => 499.00 EUR | <i>499</i><i>499</i> => 499.00 EUR
            <strike>9.90</strike>7.90 => 7.90 EUR | <del>€45.00</del> <ins>€35.00</ins> => 35.00 EUR | <template>9</template>5 => 5.00 EUR
            """))
    func pieces(row: Row) throws {
        let price = "<div \(Self.offer)>\(Self.price)\(row.given)</b></div>"
        #expect(
            try product("<div \(Self.scope)><i itemprop=name>x</i>\(price)</div>").price?.description
                == row.expected)
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

    @Test(
        "what two syntaxes say is one product, by its number, its address or its name",
        arguments: rows(
            #"""
            "sku":"X","name":"Tee" => Tee | "url":"https://s.example/t#x","name":"Tee" => Tee | "sku":"X" => Tea
            "name":"Tea <b>green</b>","sku":"X" => Tea green | "sku":"1","name":"Tea" => Tea
            """#))
    func merging(row: Row) throws {
        let script = #"<script type=application/ld+json>{"@type":"Product",\#(row.given)}</script>"#
        let markup = "<h1 itemprop=name>Tea</h1><i itemprop=sku>X</i><link itemprop=url href=/t>"
        let found = try product(
            "<div \(Self.scope)>\(markup)<div \(Self.offer)>\(Self.price)3.00</div>\(script)")
        #expect(found.name == row.expected)
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
        #expect(ProductText.list([found]) == ["77  Tea & cup: 1299.00 USD, in stock"])
        let sale = "<meta property=product:sale_price:amount content=999>"
        #expect(try product(tags + sale).price?.description == "999.00 USD")
        #expect(message { _ = try products("<meta property=og:title content=News>") } != "")
    }

    @Test(
        "beside other data, Open Graph has what that lacks, and the product that a page recommends others to",
        arguments: rows(
            #"""
            {"@type":"Product","name":"Tea"} => Tea 50.00 EUR
            {"@type":"Product","name":"Tea","offers":{"price":50}} => Tea 50.00 EUR
            {"@type":"Product","name":"Tea","offers":{"price":40}} => Tea 40.00 (currency not given)
            {"@type":"Product","name":"Pot"} => Pot
            {"@type":"ItemList","itemListElement":[{"@type":"Product","name":"Pot"}]} => Tea – shop 50.00 EUR, Pot
            """#))
    func besideOpenGraph(row: Row) throws {
        let page =
            #"<meta property="og:title" content="Tea – shop"><meta property="og:price:amount" content="50">"#
            + #"<meta property="og:price:currency" content="EUR">"#
        let found = try products(page + "<script type=application/ld+json>\(row.given)</script>")
        let texts = found.map { [$0.name, $0.price?.description].compactMap { $0 }.joined(separator: " ") }
        #expect(texts.joined(separator: ", ") == row.expected)
    }
}
