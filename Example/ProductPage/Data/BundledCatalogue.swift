/// The products that the tool shows without a SOURCE: invented, and as varied as real ones.
///
/// They are text and go through the same reader as anyone's page.
enum BundledCatalogue {
    static let name = "bundled catalogue"

    /// - Throws: never, as a test makes sure; but the reader's signature is not hidden behind a trap.
    static func catalogue() throws(PageError) -> Catalogue {
        try ProductReader.read(Array(json.utf8), from: name)
    }

    static let json = #"""
        {
          "@context": "https://schema.org",
          "@graph": [
            {
              "@type": "Product", "sku": "LMP-1", "name": "Ålesund desk lamp",
              "description": "A lamp of oiled ash and brass. Its arm stays where you put it, and its light is warm enough for late pages.",
              "image": ["https://shop.example/lamp-front.jpg", "https://shop.example/lamp-side.jpg"],
              "brand": {"@type": "Brand", "name": "Nordlys & Sønn"},
              "offers": {"@type": "Offer", "price": 129.90, "priceCurrency": "EUR", "availability": "https://schema.org/InStock"},
              "aggregateRating": {"@type": "AggregateRating", "ratingValue": 4.6, "ratingCount": 87}
            },
            {
              "@type": "Product", "sku": "POT-3", "name": "鉄瓶 Tetsubin tea pot",
              "description": "Cast iron from Morioka, 0.8 l. It keeps tea hot for an hour and rain sounds better beside it.",
              "image": "https://shop.example/tetsubin.jpg", "brand": "南部工房",
              "offers": {"@type": "Offer", "price": "18400", "priceCurrency": "JPY", "availability": "LimitedAvailability"},
              "aggregateRating": {"@type": "AggregateRating", "ratingValue": "4.9", "reviewCount": "212"}
            },
            {
              "@type": "Product", "sku": "BAG-5", "name": "Señal messenger bag",
              "description": "Waxed canvas in three sizes. The largest takes a week's shopping and forgives you for it.",
              "image": {"@type": "ImageObject", "contentUrl": "https://shop.example/bag.jpg"},
              "brand": {"@type": "Brand", "name": "Peñalara"},
              "offers": {"@type": "AggregateOffer", "lowPrice": "59.00", "highPrice": "94.50", "priceCurrency": "EUR", "offerCount": 3, "availability": "InStock"},
              "aggregateRating": {"@type": "AggregateRating", "ratingValue": 4.2, "ratingCount": 41}
            },
            {
              "@type": "Product", "sku": "CLK-7", "name": "Żuraw wall clock",
              "description": "One hand, and a movement that is wound on Sundays. For rooms in which ten minutes do not matter.",
              "brand": {"@type": "Brand", "name": "Huta Czasu"},
              "offers": {"@type": "Offer", "price": "price on request", "priceCurrency": "PLN", "availability": "MadeToOrder"}
            },
            {
              "@type": "Product", "sku": "MUG-2", "name": "Camper's mug",
              "description": "Enamelled steel, speckled blue. Chips with dignity.",
              "image": "https://shop.example/mug.jpg", "brand": "Field & Fell",
              "offers": {"@type": "Offer", "price": 11.5, "priceCurrency": "GBP", "availability": "https://schema.org/OutOfStock"},
              "aggregateRating": {"@type": "AggregateRating", "ratingValue": 3.8, "ratingCount": 1}
            },
            {
              "@type": "Product", "sku": "KNF-8", "name": "Brötchenmesser “Säntis”",
              "description": "A bread knife with a back of walnut. The teeth are cut one by one, and sharpened for free.",
              "image": "https://shop.example/knife.jpg", "brand": {"@type": "Brand", "name": "Messerschmiede Zürcher"},
              "offers": {"@type": "Offer", "price": 74, "priceCurrency": "CHF", "availability": "OnlineOnly"},
              "aggregateRating": {"@type": "AggregateRating", "ratingValue": 9.1, "bestRating": 10, "ratingCount": 19}
            },
            {
              "@type": "Product", "sku": "KIT-4", "name": "Kite for two 🪁",
              "description": "Four lines, two handles each: it flies only when both agree.",
              "image": "https://shop.example/kite.jpg", "brand": "Updraft",
              "offers": [
                {"@type": "Offer", "name": "small", "price": 48.00, "priceCurrency": "USD", "availability": "OutOfStock"},
                {"@type": "Offer", "name": "large", "price": 65.25, "priceCurrency": "USD", "availability": "PreOrder"}
              ]
            },
            {
              "@type": "Product", "sku": "OUD-6", "name": "عود Walnut oud",
              "description": "Eleven strings, a bowl of nineteen ribs. Tuned once before it leaves, then by you for the rest of its life.",
              "brand": {"@type": "Brand", "name": "Dar al-Nagham"},
              "offers": {"@type": "Offer", "price": "385.750", "priceCurrency": "KWD", "availability": "BackOrder"},
              "aggregateRating": {"@type": "AggregateRating", "ratingValue": "5", "ratingCount": "6"}
            },
            {
              "@type": "Product", "sku": "BLK-9", "name": "Smörgås cutting board",
              "description": "End-grain birch, heavy enough to stay. The last of its kind: the workshop has closed.",
              "image": "https://shop.example/board.jpg", "brand": "Björk",
              "offers": {"@type": "Offer", "price": 449, "priceCurrency": "SEK", "availability": "Discontinued"},
              "aggregateRating": {"@type": "AggregateRating", "ratingValue": 4.4, "ratingCount": 1308}
            }
          ]
        }
        """#
}
