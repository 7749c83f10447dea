import Foundation
import PromisedSystem
import Synchronization
import Testing

@testable import ProductPage

@Suite struct LoadingTests {
    @Test("loading asks the shop once and shows the first product with the cart that was kept")
    func loading() {
        let shop = FakeShop(cart: [.a, .c])
        let stage = PageStage(shop.effects)
        stage.play(.load)
        #expect(stage.shown == ["start", "loading", "loaded A 2"])
        #expect(shop.asked == ["catalogue"])
    }

    @Test("a load that fails says why, and the next one recovers")
    func failureAndRecovery() {
        let stage = PageStage(FakeShop(failing: [1]).effects)
        stage.play(.load)
        stage.play(.load)
        #expect(stage.lines == ["start", "loading", "error: shop: out of order", "loading", loaded])
    }

    @Test("a refresh that fails keeps the page known, and everything works on")
    func failingRefresh() {
        let stage = PageStage(FakeShop(failing: [2]).effects)
        stage.play(.load, .next, .refresh, .add, .previous)
        #expect(
            stage.shown == [
                "start", "loading", "loaded A 0", "loaded B 0", "loading B 0", "failed B 0", "loading B 0",
                "added B 1", "loaded A 1",
            ])
    }

    @Test("the product in view stays in view wherever the new catalogue has it, and shows its new data")
    func refreshKeepsTheProductInView() {
        let shop = FakeShop()
        let stage = PageStage(shop.effects)
        stage.play(.load, .next)
        var dearer = Product.b
        dearer.price = Price(value: .amount(3), currency: "EUR")
        shop.restock([.c, .a, dearer])
        stage.play(.refresh)
        #expect(stage.lines.last == "loaded: Bread, 3.00 EUR, cart 0")
        stage.play(.next)
        #expect(stage.shown.last == "loaded C 0")
    }

    @Test("when the product in view is gone, the choice is made again")
    func refreshWithoutTheProductInView() {
        let shop = FakeShop()
        let stage = PageStage(shop.effects)
        stage.play(.load, .previous)
        shop.restock([.b, .a])
        stage.play(.refresh)
        #expect(stage.shown.last == "loaded B 0")
    }

    @Test("a choice that cannot be made is an error of the load")
    func choosing() {
        var effects = FakeShop().effects
        effects.choose = { catalogue in try catalogue.index(of: "bread") }
        let found = PageStage(effects)
        found.play(.load)
        #expect(found.shown.last == "loaded B 0")

        effects.choose = { catalogue in try catalogue.index(of: "lamp") }
        let missed = PageStage(effects)
        missed.play(.load)
        #expect(missed.lines.last?.hasPrefix("error: shop: no product matches “lamp”") == true)
    }

    @Test("a cart that cannot be read is an error of the load, and hides neither product nor memory")
    func unreadableCart() {
        let shop = FakeShop(latency: .seconds(1))
        shop.remember([.c])
        var effects = shop.effects
        effects.cart = { Promise(error: PageError.cart(path: "c", reason: "is newer")) }
        effects.changeCart = { _ in Promise(error: PageError.cart(path: "c", reason: "is newer")) }
        let stage = PageStage(effects)
        stage.play(.load)
        #expect(stage.shown == ["start", "loading", "loading C 0", "failed C 0"])
        stage.play(.next, .add)
        #expect(stage.shown.suffix(3) == ["loaded A 0", "loading A 0", "failed A 0"])
        #expect(stage.lines.last == "error: cart c: is newer")
    }

    @Test("a cart that cannot be read any more is shown as it was, and a failing catalogue says more")
    func cartUnreadableLater() {
        let shop = FakeShop(cart: [.a], failing: [3])
        var effects = shop.effects
        let isNewer = Mutex(false)
        effects.cart = {
            isNewer.withLock { $0 }
                ? Promise(error: PageError.cart(path: "c", reason: "is newer")) : .value(shop.cart)
        }
        let stage = PageStage(effects)
        stage.play(.load)
        isNewer.withLock { $0 = true }
        stage.play(.refresh)
        #expect(stage.shown.last == "failed A 1")
        #expect(stage.lines.last == "error: cart c: is newer")
        stage.play(.refresh)
        #expect(stage.lines.last == "error: shop: out of order")
    }

    @Test("an error that is not the page's own is shown in its own words")
    func foreignErrors() {
        struct Strike: Error, CustomStringConvertible { var description: String { "on\nstrike" } }
        var effects = FakeShop().effects
        effects.catalogue = { Promise(error: Strike()) }
        let stage = PageStage(effects)
        stage.play(.load)
        #expect(stage.lines.last == "error: on strike")
    }

    private let loaded = "loaded: Apple, 1.00 EUR, cart 0"
}
