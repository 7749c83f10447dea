import Testing

@testable import ProductPage
@testable import ProductReading

@Suite struct CatalogueTests {
    private let catalogue = Catalogue(
        source: "shop.json",
        products: [
            Product(id: "T-1", name: "Tea pot"), Product(id: "T-2", name: "Tea cup"),
            Product(id: "Tea pot", name: "Impostor"),
            Product(id: "C-1", name: "CAFÉ", availability: .soldOut),
        ])

    @Test(arguments: [
        ("T-1", 0), ("Tea pot", 2), ("tea POT", 0), ("café", 3), ("cup", 1), ("impos", 2), ("c-1", 3),
        ("t-2", 1),
    ])
    func pickingGoesFromExactToPart(query: String, place: Int) throws {
        #expect(try catalogue.index(of: query) == place)
    }

    @Test func anAmbiguousPartListsTheCandidates() {
        let error = message { _ = try catalogue.index(of: "tea") }
        #expect(
            error == "shop.json: 3 products match “tea”: Tea pot (T-1), Tea cup (T-2), Impostor (Tea pot)")
        #expect(throws: PageError.self) { try catalogue.index(of: "") }
    }

    @Test func noMatchListsABoundedNumberOfProducts() {
        let many = Catalogue(source: "s", products: (1...9).map { Product(id: "\($0)x", name: "\($0)x") })
        #expect(
            message { _ = try many.index(of: "lamp") }
                == "s: no product matches “lamp”; there is 1x, 2x, 3x, 4x, 5x and 4 more")
        let long = String(repeating: "y", count: 1_000_000)
        #expect(message { _ = try many.index(of: long) }.count < 200)
    }

    @Test func exitCodesTellNoMatchFromSeveral() {
        let there = "Tea pot (T-1), Tea cup (T-2), Impostor (Tea pot), CAFÉ (C-1)"
        #expect(
            message { _ = try catalogue.index(of: "lamp") }
                == "shop.json: no product matches “lamp”; there is \(there)")
        let errors: [PageError] = [
            .noInput(source: "", reason: ""), .usage(""), .unavailable(source: "", reason: ""),
            .cart(path: "", reason: ""),
        ]
        #expect(errors.map(\.exitCode) == [66, 64, 69, 1])
    }

    @Test func theListHasALineForEachProductAndAColumnAsWideAsTheIdsAreDrawn() {
        #expect(
            ProductText.list(catalogue.products) == [
                "T-1      Tea pot: no price given", "T-2      Tea cup: no price given",
                "Tea pot  Impostor: no price given", "C-1      CAFÉ: no price given, sold out",
            ])
        let wide = [Product(id: "鉄瓶", name: "Tea pot"), Product(id: "e\u{301}", name: "Lamp")]
        #expect(
            ProductText.list(wide) == ["鉄瓶  Tea pot: no price given", "e\u{301}     Lamp: no price given"])
    }

    @Test func descriptionsAreBrokenWhereTheyMustBe() {
        let product = Product(id: "x", name: "x", description: "aaaaaaaaaaaaaa b\n鉄瓶鉄瓶鉄瓶鉄瓶")
        #expect(
            ProductText.page(product, width: 12).suffix(4) == [
                "  aaaaaaaaaa", "  aaaa b", "  鉄瓶鉄瓶鉄", "  瓶鉄瓶",
            ])
    }

    @Test func anAddressThatIsTheIdIsShownOnce() {
        let other = Product(id: "x", name: "x", url: "https://s/x")
        #expect(ProductText.page(other).suffix(2) == ["  Id:           x", "  Page:         https://s/x"])
        let same = Product(id: "https://s/x", name: "x", url: "https://s/x")
        #expect(ProductText.page(same).last == "  Id:           https://s/x")
    }

    @Test func messagesAreOneLineThatNoTerminalObeys() {
        let error = PageError.noInput(source: "a\nb\u{1B}[2J", reason: "x\u{202E}y")
        #expect("\(error)" == "a b\u{FFFD}[2J: x\u{FFFD}y")
    }

    @Test func thePageShowsWhatIsKnown() throws {
        let lamp = try BundledCatalogue.catalogue().products[0]
        #expect(
            ProductText.page(lamp, width: 60) == [
                "Ålesund desk lamp",
                "  Brand:        Nordlys & Sønn",
                "  Price:        129.90 EUR",
                "  Availability: in stock",
                "  Rating:       4.6 (87)",
                "  Id:           LMP-1",
                "  Image:        https://shop.example/lamp-front.jpg",
                "",
                "  A lamp of oiled ash and brass. Its arm stays where you put",
                "  it, and its light is warm enough for late pages.",
            ])
    }
}

@Suite struct BundledCatalogueTests {
    @Test func itIsReadAndVaried() throws {
        let products = try BundledCatalogue.catalogue().products
        let prices = products.map { ProductText.price($0) }
        #expect(
            prices == [
                "129.90 EUR", "18400 JPY", "59.00–94.50 EUR", "price on request", "11.50 GBP", "74.00 CHF",
                "65.25 USD", "385.750 KWD", "449.00 SEK",
            ])
        #expect(Set(products.map(\.id)).count == products.count)
        #expect(products.contains { $0.availability == .outOfStock })
        #expect(products.filter { $0.rating == nil }.count == 2)
        #expect(products.allSatisfy { $0.description != nil && $0.brand != nil })
    }
}
