import Foundation
import PromisedSystem
import PromisedTesting
import Testing

@testable import ProductPage

/// What is shown while something is on its way, in virtual time.
@Suite struct WaitingTests {
    @Test("a load says that it takes long after five seconds, once, and then shows its outcome")
    func slowLoad() {
        let stage = PageStage(FakeShop(latency: .seconds(60)).effects)
        stage.send(.load)
        stage.scheduler.advance(by: .milliseconds(4999))
        #expect(stage.shown == ["start", "loading"])
        stage.scheduler.advance(by: .milliseconds(1))
        #expect(stage.shown == ["start", "loading", "slow"])
        stage.scheduler.run()
        #expect(stage.shown == ["start", "loading", "slow", "loaded A 0"])
        #expect(stage.times.last == .seconds(60))
        #expect(stage.scheduler.pendingCount == 0)
    }

    @Test("one that is done before never says so, and leaves no timer")
    func quickLoad() {
        let stage = PageStage(FakeShop(latency: .milliseconds(4999), failing: [2]).effects)
        stage.play(.load, .refresh)
        #expect(stage.shown == ["start", "loading", "loaded A 0", "loading A 0", "failed A 0"])
        #expect(stage.scheduler.now == .milliseconds(9998))
    }

    @Test("the shop is asked once, however long it takes, and a late failure is an error of the load")
    func slowFailure() {
        let shop = FakeShop(latency: .seconds(6), failing: [1])
        let stage = PageStage(shop.effects)
        stage.play(.load)
        #expect(stage.shown == ["start", "loading", "slow", "failed"])
        #expect(shop.asked == ["catalogue"])
    }

    @Test("a change of the cart that takes long says so as well, over the product in view")
    func slowChange() {
        let stage = PageStage(FakeShop(latency: .seconds(6)).effects)
        stage.play(.load, .add)
        #expect(stage.shown.suffix(3) == ["loading A 0", "slow A 0", "added A 1"])
        #expect(stage.times.suffix(3) == [.seconds(6), .seconds(11), .seconds(12)])
    }
}

/// What an earlier run has left is shown while the fresh page is on its way.
@Suite struct RememberedTests {
    private func stage(_ shop: FakeShop, remembering products: [Product]) -> PageStage {
        shop.remember(products)
        return PageStage(shop.effects)
    }

    @Test("a product that is remembered is shown at once, and replaced by the fresh one")
    func interim() {
        var cheaper = Product.b
        cheaper.price = Price(value: .amount(1), currency: "EUR")
        let shop = FakeShop(cart: [.c], latency: .seconds(1))
        shop.restock([.a, .b])
        let stage = stage(shop, remembering: [cheaper, .a])
        stage.send(.load)
        stage.scheduler.advance()
        #expect(stage.shown == ["start", "loading", "loading B 1"])
        stage.scheduler.run()
        #expect(stage.lines.last == "loaded: Bread, 2.00 EUR, cart 1")
        #expect(stage.shown.count == 4)
    }

    @Test("it stays while the load is slow, and is kept under the error of one that fails")
    func failing() {
        let stage = stage(FakeShop(latency: .seconds(9), failing: [1]), remembering: [.b])
        stage.play(.load)
        #expect(stage.shown == ["start", "loading", "loading B 0", "slow B 0", "failed B 0"])
        stage.play(.next, .refresh)
        #expect(stage.shown.suffix(3) == ["loading B 0", "slow B 0", "loaded B 0"])
    }

    @Test("with a page there, a refresh does not ask for what is older")
    func refresh() {
        let shop = FakeShop()
        let stage = PageStage(shop.effects)
        stage.play(.load)
        shop.remember([.c])
        stage.play(.refresh)
        #expect(stage.shown == ["start", "loading", "loaded A 0", "loading A 0", "loaded A 0"])
    }

    @Test("one in which the product asked for is not is not shown")
    func unusable() {
        let shop = FakeShop()
        shop.remember([.c])
        var effects = shop.effects
        effects.choose = { catalogue in try catalogue.index(of: "A") }
        let missed = PageStage(effects)
        missed.play(.load)
        #expect(missed.shown == ["start", "loading", "loaded A 0"])
    }

    @Test("one that cannot be read is none")
    func unreadable() {
        var effects = FakeShop().effects
        effects.remembered = { Promise(error: PageError.failed("torn")) }
        let stage = PageStage(effects)
        stage.play(.load)
        #expect(stage.shown == ["start", "loading", "loaded A 0"])
    }
}
