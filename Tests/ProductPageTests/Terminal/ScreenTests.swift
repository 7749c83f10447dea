import Foundation
import PromisedSystem
import PromisedTesting
import Testing

@testable import ProductPage
@testable import ProductReading
@testable import ToolSupport

/// What a person sees, compared with the files in `Tests/Fixtures/Screens`; `ScreenFile` says how they are
/// recorded.
@Suite struct ScreenTests {
    /// The page is loaded, keys are typed, and then time passes: all that it takes where none is given.
    struct Scene: Sendable, CustomTestStringConvertible {
        var name: String
        var keys = ""
        var cart: [Product] = []
        var failing: Set<Int> = []
        var products = [Product.lamp, .pot, .kit]
        var latency = Duration.milliseconds(300)
        var time: Duration?
        var testDescription: String { name }
    }

    private static let long = Duration.seconds(20)

    static let scenes: [Scene] = [
        Scene(name: "loading", latency: long, time: .milliseconds(1250)),
        Scene(name: "refreshing", keys: "r", latency: .seconds(1), time: .milliseconds(300)),
        Scene(name: "slow", keys: "r", latency: long, time: .seconds(7)),
        Scene(name: "loaded"),
        Scene(name: "added", keys: "a"),
        Scene(name: "added-sold-out", keys: "na"),
        Scene(name: "added-without-price", keys: "nna"),
        Scene(name: "removed", keys: "d", cart: [.lamp]),
        Scene(name: "missing", keys: "d"),
        Scene(name: "last", keys: "nnn"),
        Scene(name: "error-without-page", failing: [1]),
        Scene(name: "error-with-page", keys: "r", failing: [2]),
        Scene(name: "cart", keys: "c", cart: [.lamp, .pot, .lamp, .kit]),
        Scene(name: "cart-selected", keys: "cjj", cart: [.lamp, .pot, .lamp, .kit]),
        Scene(name: "cart-new-price", keys: "c", cart: [.dearLamp, .pot, .dearLamp]),
        Scene(name: "cart-empty", keys: "c"),
        Scene(name: "help", keys: "?"),
        Scene(name: "list", keys: "lj"),
        Scene(name: "found", keys: "/k"),
        Scene(name: "wide", keys: "n"),
        Scene(name: "joined", keys: "nn"),
        Scene(name: "scrolled", keys: "jjj ", products: [.long]),
        Scene(name: "hostile", keys: "a", cart: [.hostile], products: [.hostile]),
    ]

    @Test(arguments: scenes) func scene(_ scene: Scene) throws {
        try ScreenFile.compare(scene.name) { columns, rows, hasColor in
            let shop = FakeShop(cart: scene.cart, latency: scene.latency, failing: scene.failing)
            shop.restock(scene.products)
            let fixture = ScreenFixture(shop.effects, columns: columns, rows: rows, hasColor: hasColor)
            fixture.load(scene.keys.isEmpty ? scene.time : nil)
            if !scene.keys.isEmpty { fixture.play(scene.keys, scene.time) }
            return fixture.screen
        }
    }

    @Test("an address is never cut")
    func address() throws {
        let address = "https://shop.example/a/long/way/to/the/products?page=1&view=a+very+large+one&end=here"
        let page = ProductPage.Page(
            catalogue: Catalogue(source: address, products: [.lamp]), index: 0, cart: Cart())
        for (name, state) in [
            ("address", .loaded(page)),
            ("address-error", .failed(.unavailable(source: address, reason: "no answer"), page)),
        ] as [(String, ProductPage.State)] {
            try ScreenFile.compare(name) { columns, rows, hasColor in
                let size = ScreenSize(columns: columns, rows: rows)
                var screen = TerminalScreen(columns: columns, rows: rows)
                let lines = TerminalView(state: state, size: size).frame
                screen.take(Painter(hasColor: hasColor).paint(lines, over: nil, columns: columns).utf8)
                return screen
            }
            let whole = TerminalView(state: state, size: ScreenSize(columns: 20, rows: 60)).frame
            #expect(whole.map { $0.text.trimmingCharacters(in: .whitespaces) }.joined().contains(address))
        }
    }
}

extension Product {
    fileprivate static let lamp = Product(
        id: "LMP-1", name: "Ålesund desk lamp",
        description: "A lamp of oiled ash and brass. Its arm stays where you put it.\nIts light is warm.",
        brand: "Nordlys & Sønn", price: Price(value: .amount(Decimal(1299) / 10), currency: "EUR"),
        availability: .inStock, rating: Rating(value: Decimal(46) / 10, count: 87))
    fileprivate static let pot = Product(
        id: "POT-3", name: "鉄瓶 Tetsubin tea pot", description: "盛岡の鋳鉄。お茶が一時間冷めません。雨の音も良くなります。",
        brand: "南部工房", price: Price(value: .amount(18400), currency: "JPY"), availability: .soldOut)
    /// A family, a flag, a kept accent, a heart in two forms, and a key.
    fileprivate static let kit = Product(
        id: "KIT", name: "Kit 👨‍👩‍👧‍👦 🇫🇷 cafe\u{301} ❤️ ❤ 1️⃣ 👍🏽", description: "한국어 ไทย हिन्दी עברית عود é",
        price: Price(value: .range(1, 2), currency: nil), availability: .preOrder)
    /// As it was when it was added.
    fileprivate static let dearLamp = Product(
        id: "LMP-1", name: "Lamp", price: Price(value: .amount(Decimal(14950) / 100), currency: "EUR"))
    fileprivate static let long = Product(
        id: "LONG", name: "Long", description: String(repeating: "One line of many.\n", count: 30))
    /// An escape sequence, an override and a line break in every field.
    fileprivate static let hostile = {
        let bad = "\u{1B}[31mred\u{1B}]0;title\u{7} \u{202E}left \u{9B}2J \u{0}\u{8}\r\n\tend"
        return Product(
            id: bad, name: bad, description: bad, brand: bad, sku: bad,
            price: Price(value: .text(bad), currency: bad), availability: .other(bad), url: bad)
    }()
}
