/// A page as a Shopify theme serves it: one group of variants with relative ids and escaped slashes, between
/// the shop's own scripts.
enum ShopifyPage {
    static let html = #"""
        <!doctype html>
        <html class="no-js" lang="en">
          <head>
            <meta charset="utf-8">
            <meta http-equiv="X-UA-Compatible" content="IE=edge">
            <title>Harbour jumper &ndash; Kelp &amp; Co.</title>
            <link rel="canonical" href="https://kelp.example/products/harbour-jumper">
            <meta property="og:type" content="product"><meta property="og:price:amount" content="85.00">
            <meta property="og:price:currency" content="GBP">
            <script>window.performance && window.performance.mark && window.performance.mark('shop.start_of_head');</script>
            <script id="shop-features" type="application/json">{"accessToken":"0","betas":["rich-media"],"domain":"kelp.example"}</script>
            <script>var Shop = Shop || {}; Shop.theme = {"name":"Tide","id":1}; if (1 < 2 && "</scr" + "ipt>") {}</script>
            <script type="application/ld+json">
              {
                "@context": "http://schema.org",
                "@type": "Organization",
                "name": "Kelp \u0026 Co.",
                "logo": "https:\/\/kelp.example\/logo.png",
                "sameAs": ["", "https:\/\/social.example\/kelp", ""],
                "url": "https:\/\/kelp.example"
              }
            </script>
            <style>.price::after { content: "<script type='application/ld+json'>" }</style>
          </head>
          <body class="gradient">
            <noscript><iframe src="https://tags.example/ns.html" height="0"></iframe></noscript>
            <!-- BEGIN sections: header-group -->
            <a class="skip-to-content-link button visually-hidden" href="#MainContent">Skip to content</a>
            <script src="//kelp.example/cdn/shop/t/1/assets/product-info.js?v=1" defer="defer"></script>
            <product-info data-section="main" data-url="/products/harbour-jumper">
              <h1>Harbour jumper</h1>
              <span class="price-item">&pound;85.00</span>
              <script type="application/json" data-selected-variant>{"id":41,"price":8500,"available":true}</script>
              <script type="application/ld+json">
                {"@context":"http:\/\/schema.org\/","@id":"\/products\/harbour-jumper#product","@type":"ProductGroup","brand":{"@type":"Brand","name":"Kelp \u0026 Co."},"category":"Jumpers","description":"Knitted in one piece \u0026 washed in rain.\n\nSmall batch; no two are alike.","hasVariant":[{"@id":"\/products\/harbour-jumper?variant=41#variant","@type":"Product","image":"https:\/\/kelp.example\/cdn\/shop\/files\/jumper.jpg?v=1\u0026width=1920","name":"Harbour jumper - S \/ Navy","offers":{"@id":"\/products\/harbour-jumper?variant=41#offer","@type":"Offer","availability":"http:\/\/schema.org\/InStock","price":"85.00","priceCurrency":"GBP","url":"https:\/\/kelp.example\/products\/harbour-jumper?variant=41"},"sku":"KLP-HJ-S"},{"@id":"\/products\/harbour-jumper?variant=42#variant","@type":"Product","gtin":"5012345678900","image":"https:\/\/kelp.example\/cdn\/shop\/files\/jumper.jpg?v=1\u0026width=1920","name":"Harbour jumper - M \/ Navy","offers":{"@id":"\/products\/harbour-jumper?variant=42#offer","@type":"Offer","availability":"http:\/\/schema.org\/OutOfStock","price":"85.00","priceCurrency":"GBP","url":"https:\/\/kelp.example\/products\/harbour-jumper?variant=42"},"sku":"KLP-HJ-M"}],"name":"Harbour jumper","productGroupID":"9001","url":"https:\/\/kelp.example\/products\/harbour-jumper"}
              </script>
            </product-info>
            <script type="application/ld+json">
              { "@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": [
                { "@type": "ListItem", "position": 1, "name": "Home", "item": "https://kelp.example" },
                { "@type": "ListItem", "position": 2, "name": "Harbour jumper" } ] }
            </script>
            <script type="application/ld+json" id="reviews-app">
              {"@context": "http://schema.org", "@type": "Product", "@id": "/products/harbour-jumper#product",
               "name": "Harbour jumper", "aggregateRating": {"@type": "AggregateRating", "ratingValue": "4.8", "reviewCount": "31",},}
            </script>
          </body>
        </html>
        """#
}
