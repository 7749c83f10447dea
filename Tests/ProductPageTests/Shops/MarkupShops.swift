/// Invented pages in the shape of the templates of shop systems that write microdata, RDFa or Open Graph.
enum MarkupShops {
    static let all = ShopPage.pages(
        #"""
        # Magento
        <body id="html-body" itemtype="http://schema.org/Product" itemscope="itemscope" class="catalog-product-view">
        <div class="page-title-wrapper product"><h1 class="page-title"><span class="base" data-ui-id="page-title-wrapper" itemprop="name">Lampe « Élan »</span></h1></div>
        <div class="product-info-price"><div class="price-box" itemprop="offers" itemscope itemtype="http://schema.org/Offer">
        <span class="special-price"><span id="product-price-7" data-price-amount="89" class="price-wrapper"><span class="price">89,00 €</span></span>
        <meta itemprop="price" content="89" /><meta itemprop="priceCurrency" content="EUR" /></span></div></div>
        <div class="product attribute sku"><strong class="type">SKU</strong> <div class="value" itemprop="sku">EL-1</div></div>
        <div class="product attribute overview"><div class="value" itemprop="description"><p>Bras articulé</div></div>
        <script type="text/x-magento-init">{"[data-role=x]": {"caption": "</div>"}}</script></body>
        = EL-1  Lampe « Élan »: 89.00 EUR
        # OpenCart, a theme with microdata
        <div id="content" itemscope itemtype="http://schema.org/Product"><meta itemprop="url" content="https://oc.example/p" >
        <h1 itemprop="name">Чайник</h1><ul class="list-unstyled"><li>Brand: <a href="/b"><span itemprop="brand">Гжель</span></a><li>Code: <span itemprop="model">T1</span></ul>
        <ul itemprop="offers" itemscope itemtype="http://schema.org/Offer"><li><span style="text-decoration:line-through">1 500 р.</span>
        <li><h2><span itemprop="price" content="1290.0000">1 290 р.</span></h2><meta itemprop="priceCurrency" content="RUB">
        <link itemprop="availability" href="http://schema.org/InStock"></ul></div>
        = https://oc.example/p  Чайник: 1290.00 RUB, in stock
        # Shopware 5 and 6
        <div class="product-detail" itemscope itemtype="https://schema.org/Product"><meta itemprop="productID" content="a1b2">
        <h1 class="product-detail-name" itemprop="name"> Kraxe </h1><div itemprop="offers" itemscope itemtype="https://schema.org/Offer">
        <meta itemprop="url" content="https://steig.example/kraxe"><meta itemprop="priceCurrency" content="EUR">
        <meta itemprop="price" content="1249.95"><p class="product-detail-price">1.249,95 €*</p>
        <link itemprop="availability" href="https://schema.org/InStock"></div>
        <span class="product-detail-ordernumber" itemprop="sku">SW-7</span></div>
        = SW-7  Kraxe: 1249.95 EUR, in stock
        # Ecwid
        <div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">Honey</h1><p itemprop="sku">H-1</p>
        <img itemprop="image" src="https://ec.example/h.jpg" alt="Honey" /><div itemprop="description">From <b>lime</b></div>
        <div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><span itemprop="price" content="9.5">$9.50</span>
        <span itemprop="priceCurrency" content="USD"></span><link itemprop="availability" href="http://schema.org/InStock" />In stock</div></div>
        = H-1  Honey: 9.50 USD, in stock
        # JTL, whose accessories are products as well
        <div id="result-wrapper" itemprop="mainEntity" itemscope itemtype="https://schema.org/Product"><meta itemprop="url" content="https://jtl.example/zelt">
        <h1 itemprop="name">Zelt</h1><span itemprop="sku">Z-2</span><div itemprop="offers" itemscope itemtype="https://schema.org/Offer">
        <link itemprop="businessFunction" href="http://purl.org/goodrelations/v1#Sell" /><strong class="price">249,00 €</strong>
        <meta itemprop="price" content="249"><meta itemprop="priceCurrency" content="EUR"><div itemprop="priceSpecification" itemscope itemtype="https://schema.org/UnitPriceSpecification">
        <meta itemprop="price" content="12.45"><div itemprop="referenceQuantity" itemscope itemtype="https://schema.org/QuantitativeValue"><meta itemprop="unitCode" content="KGM"></div></div>
        <link itemprop="availability" href="https://schema.org/InStock"></div>
        <div itemprop="isAccessoryOrSparePartFor" itemscope itemtype="https://schema.org/Product"><a itemprop="name" href="/h">Hering</a></div></div>
        = Z-2  Zelt: 249.00 EUR, in stock
        # Drupal, RDFa of its own beside that of the product
        <html prefix="og: http://ogp.me/ns# schema: http://schema.org/ sioc: http://rdfs.org/sioc/ns#"><body>
        <article about="/node/1" typeof="schema:Product sioc:Item"><h2 property="schema:name"><a href="/node/1">Violin</a></h2>
        <div rel="x" property="schema:offers" typeof="schema:Offer"><span property="schema:price" content="1890.00">1.890,00</span> <span property="schema:priceCurrency">CHF</span></div>
        <div property="content:encoded">made by hand</div></article></body></html>
        = /node/1  Violin: 1890.00 CHF
        # Bitrix, an offer for each size
        <div itemscope itemtype="http://schema.org/Product"><meta itemprop="name" content="Самовар"><link itemprop="url" href="/p/">
        <span itemprop="offers" itemscope itemtype="http://schema.org/AggregateOffer"><meta itemprop="offerCount" content="2"><meta itemprop="lowPrice" content="12900"><meta itemprop="highPrice" content="15000"><meta itemprop="priceCurrency" content="RUB">
        <span itemprop="offers" itemscope itemtype="http://schema.org/Offer"><meta itemprop="sku" content="3 l"><meta itemprop="price" content="12900"><meta itemprop="priceCurrency" content="RUB"><link itemprop="availability" href="http://schema.org/InStock"></span></span></div>
        = /p/  Самовар: 12900.00–15000.00 RUB, in stock
        # Odoo
        <section itemscope="itemscope" itemtype="http://schema.org/Product" id="product_detail"><h1 itemprop="name">Desk</h1><span itemprop="url" style="display:none;">https://odoo.example/shop/desk-9</span>
        <div itemprop="offers" itemscope="itemscope" itemtype="http://schema.org/Offer"><h3><span class="oe_price">$ <span class="oe_currency_value">1,299.00</span></span><span itemprop="price" style="display:none;">1299.0</span><span itemprop="priceCurrency" style="display:none;">USD</span></h3></div></section>
        = https://odoo.example/shop/desk-9  Desk: 1299.00 USD
        # nopCommerce
        <div itemscope itemtype="http://schema.org/Product"><div class="product-name"><h1 itemprop="name">Loom</h1></div><span class="sku">SKU: <span class="value" itemprop="sku">LM-1</span></span>
        <div class="prices" itemprop="offers" itemscope itemtype="http://schema.org/Offer"><div class="old-product-price"><span>Old price:</span> <span>$1,300.00</span></div><div class="product-price"><span itemprop="price" content="1200.00"> $1,200.00 </span></div><meta itemprop="priceCurrency" content="USD" /></div></div>
        = LM-1  Loom: 1200.00 USD
        # PrestaShop 1.6, with accessories
        <div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Théière</h1><p>Réf. <span itemprop="sku">TH-1</span><p class="our_price_display" itemprop="offers" itemscope itemtype="https://schema.org/Offer">
        <link itemprop="availability" href="https://schema.org/InStock"/><span itemprop="price" content="34.8">34,80 €</span> TTC<meta itemprop="priceCurrency" content="EUR" /></p><p id="old_price"><span class="price">40,00 €</span></p></div>
        <ul><li itemscope itemtype="https://schema.org/Product"><h5 itemprop="name">Tasse</h5><div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span itemprop="price">5,00 €</span></div></li></ul>
        = TH-1   Théière: 34.80 EUR, in stock
        = Tasse  Tasse: 5.00 EUR
        # a shop with Open Graph alone
        <head prefix="og: http://ogp.me/ns#"><meta property="og:type" content="og:product" /><meta property="og:title" content="Kite" />
        <meta property="product:price:amount" content="65.00"/><meta property="product:price:currency" content="NOK"/>
        <meta property="product:availability" content="out of stock" /><meta property="product:retailer_item_id" content="K-4" /></head>
        = K-4  Kite: 65.00 NOK, out of stock
        """#)
}
