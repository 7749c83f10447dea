import Foundation
import PromisedSystem
import PromisedTesting
import Testing

@testable import ProductPage

/// What a person sees, compared with the files in `Tests/Fixtures/Screens`; `ScreenFile` says how they are
/// recorded.
@Suite struct ScreenTests {
    private let lamp = Product(
        id: "LMP-1", name: "Ålesund desk lamp",
        description: "A lamp of oiled ash and brass. Its arm stays where you put it.\nIts light is warm.",
        brand: "Nordlys & Sønn", price: Price(value: .amount(Decimal(1299) / 10), currency: "EUR"),
        availability: .inStock, rating: Rating(value: Decimal(46) / 10, count: 87))
    private let pot = Product(
        id: "POT-3", name: "鉄瓶 Tetsubin tea pot", description: "盛岡の鋳鉄。お茶が一時間冷めません。雨の音も良くなります。",
        brand: "南部工房", price: Price(value: .amount(18400), currency: "JPY"), availability: .soldOut)
    /// A family, a flag, a kept accent, a heart in two forms, and a key.
    private let kit = Product(
        id: "KIT", name: "Kit 👨‍👩‍👧‍👦 🇫🇷 cafe\u{301} ❤️ ❤ 1️⃣ 👍🏽", description: "한국어 ไทย हिन्दी עברית عود é",
        price: Price(value: .range(1, 2), currency: nil), availability: .preOrder)

    private func stage(
        _ columns: Int, _ rows: Int, _ hasColor: Bool, latency: Duration = .seconds(20), cart: [Product] = [],
        failing: Set<Int> = [], products: [Product]? = nil
    ) -> ScreenStage {
        let shop = FakeShop(cart: cart, latency: latency, failing: failing)
        shop.restock(products ?? [lamp, pot, kit])
        return ScreenStage(shop.effects, columns: columns, rows: rows, hasColor: hasColor)
    }

    /// With its products there, and everything done.
    ///
    /// - Parameter latency: Each tenth of a second is a frame.
    private func loaded(
        _ columns: Int, _ rows: Int, _ hasColor: Bool, latency: Duration = .milliseconds(300),
        cart: [Product] = [], failing: Set<Int> = [], products: [Product]? = nil, then keys: String = ""
    ) -> ScreenStage {
        let stage = stage(
            columns, rows, hasColor, latency: latency, cart: cart, failing: failing, products: products)
        stage.send(.load)
        stage.scheduler.run()
        stage.play(keys)
        return stage
    }

    @Test func start() throws { try ScreenFile.compare("start") { stage($0, $1, $2) } }

    @Test func loading() throws {
        try ScreenFile.compare("loading") {
            let stage = stage($0, $1, $2)
            stage.send(.load)
            stage.scheduler.advance(by: .milliseconds(1250))
            return stage
        }
    }

    @Test("while it is refreshed, the product stays")
    func refreshing() throws {
        try ScreenFile.compare("refreshing") {
            let stage = loaded($0, $1, $2, latency: .seconds(1))
            stage.type("r")
            stage.scheduler.advance(by: .milliseconds(300))
            return stage
        }
    }

    @Test func slow() throws {
        try ScreenFile.compare("slow") {
            let stage = loaded($0, $1, $2, latency: .seconds(10))
            stage.type("r")
            stage.scheduler.advance(by: .seconds(7))
            return stage
        }
    }

    @Test func product() throws { try ScreenFile.compare("loaded") { loaded($0, $1, $2) } }

    @Test func added() throws { try ScreenFile.compare("added") { loaded($0, $1, $2, then: "a") } }

    @Test func removed() throws {
        try ScreenFile.compare("removed") { loaded($0, $1, $2, cart: [lamp], then: "d") }
    }

    @Test("an error without a page")
    func firstError() throws {
        try ScreenFile.compare("error-without-page") { loaded($0, $1, $2, failing: [1]) }
    }

    @Test("an error keeps the page")
    func laterError() throws {
        try ScreenFile.compare("error-with-page") { loaded($0, $1, $2, failing: [2], then: "r") }
    }

    @Test func cancelled() throws {
        try ScreenFile.compare("cancelled") {
            let stage = stage($0, $1, $2)
            stage.send(.load)
            stage.play("\u{1B}")
            return stage
        }
    }

    @Test("a cart in two currencies, and a piece without a price")
    func cart() throws {
        try ScreenFile.compare("cart") {
            loaded($0, $1, $2, cart: [lamp, pot, lamp, kit], then: "c")
        }
    }

    @Test func emptyCart() throws { try ScreenFile.compare("cart-empty") { loaded($0, $1, $2, then: "c") } }

    @Test func help() throws { try ScreenFile.compare("help") { loaded($0, $1, $2, then: "?") } }

    @Test("wide, joined and combining characters")
    func wide() throws { try ScreenFile.compare("wide") { loaded($0, $1, $2, then: "n") } }

    @Test("joined characters and many scripts")
    func joined() throws { try ScreenFile.compare("joined") { loaded($0, $1, $2, then: "nn") } }

    @Test("what is longer than the screen is scrolled")
    func scrolled() throws {
        var long = lamp
        long.description = Array(repeating: "One line of many.", count: 30).joined(separator: "\n")
        try ScreenFile.compare("scrolled") { loaded($0, $1, $2, products: [long], then: "jjj ") }
    }

    @Test("an escape sequence, an override and a line break in every field stay words")
    func hostile() throws {
        let bad = "\u{1B}[31mred\u{1B}]0;title\u{7} \u{202E}left \u{9B}2J \u{0}\u{8}\r\n\tend"
        var product = Product(id: bad, name: bad, description: bad, brand: bad, sku: bad, url: bad)
        product.price = Price(value: .text(bad), currency: bad)
        product.availability = .other(bad)
        try ScreenFile.compare("hostile") {
            loaded($0, $1, $2, cart: [product], products: [product], then: "a")
        }
    }
}
