/// A page as WordPress serves it with WooCommerce and an SEO plugin: one graph for the site, one for the
/// product, the latter with prices by specification and reviews.
enum WooCommercePage {
    static let html = #"""
        <!DOCTYPE html>
        <html lang="de-DE" prefix="og: https://ogp.me/ns#">
        <head>
        <meta charset="UTF-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <!-- This site is optimized with the SEO plugin v27.1 - https://seo.example/ -->
        <title>Bergkäse, 12 Monate gereift &#8211; Sennerei Alp</title>
        <meta property="og:locale" content="de_DE" />
        <script type="application/ld+json" class="seo-schema-graph">{"@context":"https://schema.org","@graph":[{"@type":"WebPage","@id":"https://alp.example/produkt/bergkaese/","url":"https://alp.example/produkt/bergkaese/","name":"Bergkäse, 12 Monate gereift – Sennerei Alp","isPartOf":{"@id":"https://alp.example/#website"},"primaryImageOfPage":{"@id":"https://alp.example/produkt/bergkaese/#primaryimage"},"image":{"@id":"https://alp.example/produkt/bergkaese/#primaryimage"},"datePublished":"2026-03-01T08:00:00+00:00","breadcrumb":{"@id":"https://alp.example/produkt/bergkaese/#breadcrumb"},"inLanguage":"de","potentialAction":[{"@type":"ReadAction","target":["https://alp.example/produkt/bergkaese/"]}]},{"@type":"ImageObject","inLanguage":"de","@id":"https://alp.example/produkt/bergkaese/#primaryimage","url":"https://alp.example/wp-content/uploads/bergkaese.jpg","contentUrl":"https://alp.example/wp-content/uploads/bergkaese.jpg","width":1200,"height":1200},{"@type":"BreadcrumbList","@id":"https://alp.example/produkt/bergkaese/#breadcrumb","itemListElement":[{"@type":"ListItem","position":1,"name":"Startseite","item":"https://alp.example/"},{"@type":"ListItem","position":2,"name":"Shop","item":"https://alp.example/shop/"},{"@type":"ListItem","position":3,"name":"Bergkäse"}]},{"@type":"WebSite","@id":"https://alp.example/#website","url":"https://alp.example/","name":"Sennerei Alp","publisher":{"@id":"https://alp.example/#organization"},"potentialAction":[{"@type":"SearchAction","target":{"@type":"EntryPoint","urlTemplate":"https://alp.example/?s={search_term_string}"},"query-input":{"@type":"PropertyValueSpecification","valueRequired":true,"valueName":"search_term_string"}}]},{"@type":"Organization","@id":"https://alp.example/#organization","name":"Sennerei Alp","url":"https://alp.example/"}]}</script>
        <!-- / SEO plugin. -->
        <script type="text/javascript">
        /* <![CDATA[ */
        window._wpemojiSettings = {"baseUrl":"https:\/\/emoji.example\/","ext":".png","source":{"concatemoji":"https:\/\/alp.example\/wp-includes\/js\/emoji.js"}};
        !function(s,n){var o,i="wpEmojiSettingsSupports";if(o<n)document.write("<p>");}(window,document);
        /* ]]> */
        </script>
        <noscript><style>.woocommerce-product-gallery{ opacity: 1 !important; }</style></noscript>
        </head>
        <body class="wp-singular product-template-default single single-product woocommerce">
        <nav class="woocommerce-breadcrumb" aria-label="Breadcrumb"><a href="https://alp.example">Startseite</a>&nbsp;&#47;&nbsp;Bergkäse</nav>
        <div id="product-77" class="product type-product post-77 status-publish first instock">
        <h1 class="product_title entry-title">Bergkäse, 12 Monate gereift</h1>
        <p class="price"><span class="woocommerce-Price-amount amount"><bdi>12,90&nbsp;<span class="woocommerce-Price-currencySymbol">&euro;</span></bdi></span></p>
        </div>
        <script type="speculationrules">
        {"prefetch":[{"source":"document","where":{"and":[{"href_matches":"\/*"}]},"eagerness":"conservative"}]}
        </script>
        <script type="application/ld+json">{"@context":"https:\/\/schema.org\/","@graph":[{"@context":"https:\/\/schema.org\/","@type":"BreadcrumbList","itemListElement":[{"@type":"ListItem","position":1,"item":{"name":"Startseite","@id":"https:\/\/alp.example"}},{"@type":"ListItem","position":2,"item":{"name":"Bergk\u00e4se, 12 Monate gereift","@id":"https:\/\/alp.example\/produkt\/bergkaese\/"}}]},{"@context":"https:\/\/schema.org\/","@type":"Product","@id":"https:\/\/alp.example\/produkt\/bergkaese\/#product","name":"Bergk\u00e4se, 12 Monate gereift","url":"https:\/\/alp.example\/produkt\/bergkaese\/","description":"Rohmilch von Almk\u00fchen, &amp; sonst nichts.\r\n\r\nIm Keller gewendet &#8211; jeden Tag.","image":"https:\/\/alp.example\/wp-content\/uploads\/bergkaese.jpg","sku":"BK-12","offers":[{"@type":"Offer","priceSpecification":[{"@type":"UnitPriceSpecification","price":"14.90","priceCurrency":"EUR","valueAddedTaxIncluded":true,"priceType":"https:\/\/schema.org\/ListPrice","validThrough":"2027-12-31"},{"@type":"UnitPriceSpecification","price":"12.90","priceCurrency":"EUR","valueAddedTaxIncluded":true,"validThrough":"2027-12-31"}],"priceValidUntil":"2027-12-31","availability":"https:\/\/schema.org\/InStock","url":"https:\/\/alp.example\/produkt\/bergkaese\/","seller":{"@type":"Organization","name":"Sennerei Alp","url":"https:\/\/alp.example"}}],"aggregateRating":{"@type":"AggregateRating","ratingValue":"4.67","reviewCount":3},"review":[{"@type":"Review","reviewRating":{"@type":"Rating","bestRating":"5","ratingValue":"5","worstRating":"1"},"author":{"@type":"Person","name":"M. <script>"},"reviewBody":"Besser als der vom Nachbarn!","datePublished":"2026-05-01T10:00:00+02:00"}]}]}</script>
        <script>(function () { var c = document.body.className; c = c.replace(/woocommerce-no-js/, 'woocommerce-js'); document.body.className = c; })();</script>
        </body>
        </html>
        """#
}
