/// The products that the tool shows without a SOURCE: invented, and as varied as real ones.
///
/// They are text and go through the same reader as anyone's page.
enum BundledCatalogue {
    static let name = "bundled catalogue"

    /// - Throws: never, as a test makes sure; but the reader's signature is not hidden behind a trap.
    static func catalogue() throws(PageError) -> Catalogue {
        try ProductReader.read(Array(json.utf8), from: name)
    }

    private static let json = #"""
        [{"@type": "Product", "sku": "LMP-1", "name": "Ålesund desk lamp", "brand": "Nordlys & Sønn",
          "aggregateRating": {"ratingValue": 4.6, "ratingCount": 87},
          "offers": {"price": 129.90, "priceCurrency": "EUR", "availability": "https://schema.org/InStock"},
          "image": "https://shop.example/lamp-front.jpg", "description": "A lamp of oiled ash and brass. \#
        Its arm stays where you put it, and its light is warm enough for late pages."},
         {"@type": "Product", "sku": "POT-3", "name": "鉄瓶 Tetsubin tea pot", "brand": "南部工房",
          "aggregateRating": {"ratingValue": 4.9, "reviewCount": 212}, "image": "https://shop.example/p.jpg",
          "offers": {"price": "18400", "priceCurrency": "JPY", "availability": "LimitedAvailability"},
          "description": "Cast iron from Morioka, 0.8 l. Rain sounds better beside it."},
         {"@type": "Product", "sku": "BAG-5", "name": "Señal messenger bag", "brand": {"name": "Peñalara"},
          "aggregateRating": {"ratingValue": 4.2, "ratingCount": 41}, "image": "https://shop.example/bag.jpg",
          "offers": {"lowPrice": 59, "highPrice": 94.5, "priceCurrency": "EUR", "availability": "InStock"},
          "description": "Waxed canvas. The largest takes a week's shopping and forgives you for it."},
         {"@type": "Product", "sku": "CLK-7", "name": "Żuraw wall clock", "brand": {"name": "Huta Czasu"},
          "offers": {"price": "price on request", "priceCurrency": "PLN", "availability": "MadeToOrder"},
          "description": "One hand, wound on Sundays. For rooms in which ten minutes do not matter."},
         {"@type": "Product", "sku": "MUG-2", "name": "Camper's mug", "brand": "Field & Fell",
          "aggregateRating": {"ratingValue": 3.8, "ratingCount": 1}, "image": "https://shop.example/mug.jpg",
          "offers": {"price": 11.5, "priceCurrency": "GBP", "availability": "https://schema.org/OutOfStock"},
          "description": "Enamelled steel, speckled blue. Chips with dignity."},
         {"@type": "Product", "sku": "KNF-8", "name": "Brötchenmesser “Säntis”", "brand": "Messer Zürcher",
          "aggregateRating": {"ratingValue": 9.1, "bestRating": 10, "ratingCount": 19},
          "offers": {"price": 74, "priceCurrency": "CHF", "availability": "OnlineOnly"},
          "description": "A bread knife with a back of walnut. Its teeth are cut one by one."},
         {"@type": "Product", "sku": "KIT-4", "name": "Kite for two 🪁", "brand": "Updraft",
          "offers": [{"price": 48, "priceCurrency": "USD", "availability": "OutOfStock"},
                     {"price": 65.25, "priceCurrency": "USD", "availability": "PreOrder"}],
          "description": "Four lines, two handles each: it flies only when both agree."},
         {"@type": "Product", "sku": "OUD-6", "name": "عود Walnut oud", "brand": {"name": "Dar al-Nagham"},
          "aggregateRating": {"ratingValue": "5", "ratingCount": "6"},
          "offers": {"price": "385.750", "priceCurrency": "KWD", "availability": "BackOrder"},
          "description": "Eleven strings, nineteen ribs. Tuned once before it leaves, then by you."},
         {"@type": "Product", "sku": "BLK-9", "name": "Smörgås cutting board", "brand": "Björk",
          "aggregateRating": {"ratingValue": 4.4, "ratingCount": 1308},
          "offers": {"price": 449, "priceCurrency": "SEK", "availability": "Discontinued"},
          "description": "End-grain birch. The last of its kind: the workshop has closed."}]
        """#
}
