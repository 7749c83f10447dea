/// Invented pages in the shape of the templates of shop systems that write JSON-LD.
enum ScriptShops {
    static let all = ShopPage.pages(
        #"""
        # Shopify, variants
        {"@context":"http:\/\/schema.org\/","@id":"\/products\/jumper#product","@type":"ProductGroup","brand":{"@type":"Brand","name":"Kelp \u0026 Co."},"hasVariant":[{"@id":"\/products\/jumper?variant=41#variant","@type":"Product","name":"Harbour jumper - S \/ Navy","offers":{"@id":"\/products\/jumper?variant=41#offer","@type":"Offer","availability":"http:\/\/schema.org\/InStock","price":"85.00","priceCurrency":"GBP","url":"https:\/\/kelp.example\/products\/jumper?variant=41"},"sku":"KLP-S"},{"@id":"\/products\/jumper?variant=42#variant","@type":"Product","name":"Harbour jumper - M \/ Navy","offers":{"@id":"\/products\/jumper?variant=42#offer","@type":"Offer","availability":"http:\/\/schema.org\/OutOfStock","price":"85.00","priceCurrency":"GBP"},"sku":"KLP-M"}],"name":"Harbour jumper","productGroupID":"9001"}
        head <meta property=og:type content=product><meta property=og:price:amount content=85.00>
        = KLP-S  Harbour jumper - S / Navy: 85.00 GBP, in stock
        = KLP-M  Harbour jumper - M / Navy: 85.00 GBP, out of stock
        # Shopify, one product and an app for reviews
        {"@context":"http:\/\/schema.org\/","@type":"Product","name":"Oilskin","url":"https:\/\/kelp.example\/products\/oilskin","image":["https:\/\/kelp.example\/a.jpg"],"description":"Dry.","sku":"OIL-1","offers":[{"@type":"Offer","availability":"http:\/\/schema.org\/InStock","price":120.0,"priceCurrency":"GBP"}]}
        body <script type="application/ld+json">{"@type":"Product","name":"Oilskin","aggregateRating":{"@type":"AggregateRating","ratingValue":"4.8","reviewCount":"31",},}</script>
        = OIL-1  Oilskin: 120.00 GBP, in stock
        # WooCommerce
        {"@context":"https:\/\/schema.org\/","@graph":[{"@type":"BreadcrumbList","itemListElement":[{"@type":"ListItem","position":1,"item":{"name":"Shop","@id":"https:\/\/alp.example"}}]},{"@type":"Product","@id":"https:\/\/alp.example\/kaese\/#product","name":"Bergk\u00e4se, 12 Monate","url":"https:\/\/alp.example\/kaese\/","sku":"BK-12","offers":[{"@type":"Offer","priceSpecification":[{"@type":"UnitPriceSpecification","price":"14.90","priceCurrency":"EUR","priceType":"https:\/\/schema.org\/ListPrice"},{"@type":"UnitPriceSpecification","price":"12.90","priceCurrency":"EUR","valueAddedTaxIncluded":true,"validThrough":"2027-12-31"}],"availability":"https:\/\/schema.org\/InStock"}]}]}
        body <script type="application/ld+json">{"@graph":[{"@type":"WebPage","@id":"https://alp.example/kaese/","name":"Bergkäse – Alp"},{"@type":"Organization","@id":"https://alp.example/#organization","name":"Alp"}]}</script><p class="price">12,90&nbsp;&euro;</p>
        = BK-12  Bergkäse, 12 Monate: 12.90 EUR, in stock
        # WooCommerce, variable, with a SEO plugin
        {"@context":"https://schema.org","@graph":[{"@type":"WebPage","@id":"https://alp.example/hut/#webpage","mainEntity":{"@id":"https://alp.example/hut/#richSnippet"}},{"@type":"Product","name":"Filzhut","sku":"HUT","category":"Hüte","mainEntityOfPage":{"@id":"https://alp.example/hut/#webpage"},"offers":{"@type":"AggregateOffer","lowPrice":"39.00","highPrice":"45.00","offerCount":"2","priceCurrency":"EUR","availability":"http://schema.org/InStock"},"@id":"https://alp.example/hut/#richSnippet"}]}
        = HUT  Filzhut: 39.00–45.00 EUR, in stock
        # BigCommerce
        {"@context": "http://schema.org", "@type": "Product", "name": "Trail Pan 24cm", "sku": "PAN-24",
        "url" : "https://field.example/pan/", "brand": {"@type": "Brand", "name": "Cast"},
        "description": "Pre-seasoned.
        	24" wide &amp; for two", "image": "https://field.example/pan.jpg",
        "offers": {"@type": "Offer", "priceCurrency": "USD", "price": "64.00", "itemCondition" :
        "https://schema.org/NewCondition", "availability" : "https://schema.org/InStock"}}
        = PAN-24  Trail Pan 24cm: 64.00 USD, in stock
        # PrestaShop, also as microdata of its theme
        {"@context":"https://schema.org/","@type":"Product","name":"Affiche « Été »","sku":"demo_6","mpn":"demo_6","brand":{"@type":"Brand","name":"Atelier"},"offers":{"@type":"Offer","priceCurrency":"EUR","name":"Affiche « Été »","price":"34.8","url":"https://atelier.example/6","availability":"https://schema.org/InStock","seller":{"@type":"Organization","name":"Atelier"}}}
        head <meta property=product:price:amount content=34.8>
        body <section id="main" itemscope itemtype="https://schema.org/Product"><meta itemprop="url" content="https://atelier.example/6"><h1 itemprop="name">Affiche « Été »</h1><div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span itemprop="price" content="34.8">34,80 €</span></div></section>
        = demo_6  Affiche « Été »: 34.80 EUR, in stock
        # Squarespace
        {"name":"Clay cup \u2014 Potter","image":"http://static.example/cup.jpg","description":"Fired twice","brand":"Potter","offers":{"price":28.00,"priceCurrency":"USD","url":"https://potter.example/cup","availability":"InStock","sku":"SQ1","@context":"http://schema.org","@type":"Offer"},"@context":"http://schema.org","@type":"Product"}
        = Clay cup — Potter  Clay cup — Potter: 28.00 USD, in stock
        # Wix, with capital names
        {"@context":"https://schema.org/","@type":"Product","name":"Beeswax","description":"","sku":"217","image":[{"@type":"ImageObject","contentUrl":"https://wix.example/a.jpg","width":"1000"}],"Offers":{"@type":"Offer","url":"https://bees.example/wax","priceCurrency":"ILS","price":"45","Availability":"https://schema.org/InStock"}}
        = 217  Beeswax: 45.00 ILS, in stock
        # Salesforce Commerce Cloud
        {"@context":"http://schema.org/","@type":"Product","name":"Wool coat","description":"Long","mpn":"2570","sku":"2570","image":["https://sfcc.example/a.jpg"],"offers":{"url":{},"@type":"AggregateOffer","priceCurrency":"USD","lowprice":"199.00","highprice":"249.00","availability":"http://schema.org/InStock"}}
        = 2570  Wool coat: 199.00–249.00 USD, in stock
        # Shopware
        [{"@context":"https://schema.org/","@type":"Product","name":"Wanderstock","sku":"SW10","productID":"SW10","brand":{"@type":"Brand","name":"Steig"},"offers":[{"@type":"Offer","availability":"https://schema.org/LimitedAvailability","priceCurrency":"EUR","priceSpecification":{"@type":"PriceSpecification","price":1299.5,"priceCurrency":"EUR"},"url":"https://steig.example/SW10"}]}]
        = SW10  Wanderstock: 1299.50 EUR, limited availability
        # SAP Commerce
        [{"@context":"http://schema.org","@type":"Product","sku":"300938","name":"Photosmart","brand":"H","offers":{"@type":"Offer","price":"129.9","priceCurrency":"USD","availability":"InStock"},"review":[{"@type":"Review","author":"x","reviewRating":{"@type":"Rating","ratingValue":4}}]},{"@type":"BreadcrumbList","itemListElement":[]}]
        = 300938  Photosmart: 129.90 USD, in stock
        # Kibo, sale and list price
        {"@context":"https://schema.org","@type":"Product","name":"Grill","sku":"GR","offers":{"@type":"AggregateOffer","priceCurrency":"USD","priceSpecification":[{"@type":"PriceSpecification","price":"46.99","priceType":"https://schema.org/ListPrice"},{"@type":"PriceSpecification","price":"37.59","priceType":"https://schema.org/SalePrice"}]}}
        = GR  Grill: 37.59 USD
        # a shop on React, with a list before its product
        {"@context":"https://schema.org","@type":"ItemList","itemListElement":[{"@type":"ListItem","position":1,"item":{"@type":"Product","name":"Other","offers":{"@type":"Offer","price":1,"priceCurrency":"SEK"}}}]}
        head <link rel=canonical href=https://nord.example/p/skis>
        body <script data-n-head="ssr" type="application/ld+json">{"@type":"Product","name":"Skis","url":"https://nord.example/p/skis","gtin13":"7312345678901","offers":{"@type":"Offer","price":"4999","priceCurrency":"SEK","availability":"OutOfStock"}}</script>
        = 7312345678901  Skis: 4999.00 SEK, out of stock
        = Other          Other: 1.00 SEK
        """#
    ).map { ShopPage(name: $0.name, html: html($0.html), list: $0.list) }

    /// A page around the script: the lines that begin with `head` or `body` stand in front of it and behind.
    private static func html(_ text: String) -> String {
        let lines = text.split(separator: "\n").map(String.init)
        let (head, body) = (lines.filter { $0.hasPrefix("head ") }, lines.filter { $0.hasPrefix("body ") })
        let script = lines.filter { !(head + body).contains($0) }.joined(separator: "\n")
        return #"""
            <!doctype html><html lang="en"><head><meta charset="utf-8">\#(head.joined().dropFirst(5))
            <script>if (1 < 2) { document.write("<scr" + "ipt type='application/ld+json'>{") }</script>
            <style>.price::after { content: "<div itemscope>" }</style></head><body><!-- <h1>no</h1> -->
            <script type="application/ld+json">\#(script)</script>\#(body.joined().dropFirst(5))</body></html>
            """#
    }
}
