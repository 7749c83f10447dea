/// A page as Magento serves it with an SEO extension: windows-1252 through an old proxy, initial data in
/// scripts of its own kind, a range of prices, and the product inside its web page.
enum MagentoPage {
    static let html = #"""
        <!doctype html>
        <html lang="fr">
            <head >
                <script>
            var LOCALE = 'fr\u002DFR'; var BASE_URL = 'https\u003A\u002F\u002Flumiere.example\u002F'; var require = { 'baseUrl': 'https\u003A\u002F\u002Flumiere.example' };
        </script>
                <meta http-equiv="Content-Type" content="text/html; charset=windows-1252"/>
        <title>Lampe d’atelier “Élan”</title>
        <script type="text/x-magento-init">{"*": {"Magento_PageCache/js/form-key-provider": {"isPaginationCacheEnabled": 0}}}</script>
            </head>
            <body data-container="body" class="catalog-product-view product-lampe page-layout-1column">
        <div class="cookie-status-message" id="cookie-status">The store will not work correctly when cookies are disabled.</div>
        <script type="text&#x2F;javascript">document.querySelector("#cookie-status").style.display = "none";</script>
        <script type="text/x-magento-init">
            { "[data-gallery-role=gallery-placeholder]": { "mage/gallery/gallery": { "data": [{"thumb":"https:\/\/lumiere.example\/a.jpg","caption":"</div>"}] } } }
        </script>
        <div class="product-info-price"><span class="price-from">&Agrave; partir de</span></div>
        <script type='application/ld+json; charset="windows-1252"'>/*<![CDATA[*/
        {
          "@context": "http://schema.org/", "@type": ["ItemPage", "WebPage"],
          "breadcrumb": {"@type": "BreadcrumbList", "itemListElement": []},
          "mainEntity": {
            "@type": "Product", "name": "Lampe d’atelier “Élan”", "sku": "EL-1", "gtin13": "3760000000017",
            "brand": [{"@type": "Thing", "name": "Lumière &amp; Fils"}],
            "image": ["https://lumiere.example/a.jpg", {"@type": "ImageObject", "url": "https://lumiere.example/b.jpg"}],
            "description": "Bras articulé<br/>Abat-jour émaillé – 3 tailles",
            "offers": {"@type": "http://schema.org/AggregateOffer", "lowPrice": 89, "highPrice": 129.5, "offerCount": "3", "priceCurrency": "eur",
              "offers": [
                {"@type": "Offer", "sku": "EL-1-S", "price": 89.0000, "availability": "http://schema.org/OutOfStock"},
                {"@type": "Offer", "sku": "EL-1-L", "price": 129.5000, "availability": "http://schema.org/PreOrder"}]},
            "aggregateRating": {"@type": "AggregateRating", "bestRating": "100", "worstRating": "1", "ratingValue": "93", "reviewCount": "14"},
            "isRelatedTo": [{"@type": "Product", "name": "Ampoule", "offers": {"price": 4, "priceCurrency": "EUR"}}]
          }
        }
        /*]]>*/</script>
            </body>
        </html>
        """#
}
