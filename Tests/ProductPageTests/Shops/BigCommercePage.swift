/// A page as a BigCommerce theme serves it: the product as one object, with the price twice; around it what
/// marketing has pasted in over the years.
enum BigCommercePage {
    static let html = #"""
        <!DOCTYPE html>
        <html class="no-js" lang="en">
            <head>
                <title>Trail Pan 24cm | Cast - Field Kitchen</title>
                <link rel="dns-prefetch preconnect" href="https://cdn.field.example/s-1" crossorigin><meta name="keywords" content="pan, <trail>">
                <script>document.documentElement.className = document.documentElement.className.replace('no-js', 'js');</script>
                <!-- Tag Manager --><script>(function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({'gtm.start':new Date().getTime(),event:'gtm.js'});})(window,document,'script','dataLayer','X-1');</script><!-- End -->
                <script type="application/ld+json"><!--
                {"@context":"https://schema.org","@type":"WebSite","url":"https://field.example/","potentialAction":{"@type":"SearchAction","target":"https://field.example/search.php?search_query={q}","query-input":"required name=q"}}
                //--></script>
                <script type="text/javascript">
                //<![CDATA[
                var BCData = {"product_attributes":{"sku":"PAN-24","upc":null,"instock":true,"stock":7,"price":{"without_tax":{"formatted":"$64.00","value":64,"currency":"USD"}}}};
                //]]>
                </script>
            </head>
            <body>
                <svg data-src="/icons.svg" class="icons-svg-sprite"><title>icons</title></svg>
                <ul class="breadcrumbs" itemscope itemtype="http://schema.org/BreadcrumbList">
                  <li class="breadcrumb" itemprop="itemListElement" itemscope itemtype="http://schema.org/ListItem"><a href="https://field.example/" itemprop="item"><span itemprop="name">Home</span></a><meta itemprop="position" content="1" /></li>
                </ul>
                <div itemscope itemtype="http://schema.org/Product"><h1 class="productView-title" itemprop="name">Trail Pan 24cm</h1></div>
                <script type="application/ld+json">
                //<![CDATA[
                {"@context":"https://schema.org/","@type":"FAQPage","mainEntity":[{"@type":"Question","name":"Does it fit?","acceptedAnswer":{"@type":"Answer","text":"<p>Yes: "snugly".</p>"}}]}
                //]]>
                </script>
                <script type="application/ld+json">
                    {
                        "@context": "https://schema.org/",
                        "@type": "Product",
                        "name": "Trail Pan 24cm",
                        "sku": "PAN-24",
                        "mpn": "FK-0024",
                        "url" : "https://field.example/trail-pan-24cm/",
                        "brand": {
                            "@type": "Brand",
                            "url": "https://field.example/brands/Cast.html",
                            "name": "Cast"
                        },
                        "description": "&lt;p&gt;Pre-seasoned.&nbsp;Weighs what it weighs.&lt;/p&gt;
        &lt;ul&gt;&lt;li&gt;24 cm&lt;/li&gt;&lt;li&gt;for two&lt;/li&gt;&lt;/ul&gt;",
                        "image": "https://cdn.field.example/images/pan__1.jpg?c=2",
                        "aggregateRating": { "@type": "AggregateRating", "ratingValue": "5", "reviewCount": "2" },
                        "review": [ { "@type" : "Review", "reviewRating": { "@type" : "Rating", "ratingValue": "5" }, "author": {"@type": "Person", "name": "J."} } ],
                        "offers": {
                            "@type": "Offer",
                            "priceCurrency": "USD",
                            "price": "64.00",
                            "itemCondition" : "https://schema.org/NewCondition",
                            "availability" : "https://schema.org/InStock",
                            "url" : "https://field.example/trail-pan-24cm/",
                            "priceSpecification": [{
                                "price": "64.00",
                                "priceCurrency": "USD",
                                "@type": "PriceSpecification",
                                "valueAddedTaxIncluded": "false"
                            }]
                        }
                    }
                </script>
                <script type="application/ld+json"></script>
                <script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"You may also like</script>
            </body>
        </html>
        """#
}
