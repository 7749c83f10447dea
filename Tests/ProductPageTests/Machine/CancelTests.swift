import PromisedSystem
import PromisedTesting
import Testing

@testable import ProductPage

@Suite struct CancelTests {
    private let words = "error: loading was cancelled; send load to try again"

    @Test("cancelling the first load ends it at once, lets go of the work, and says so")
    func firstLoad() {
        let (catalogue, resolver) = Promise<Catalogue>.pending()
        var effects = FakeShop().effects
        effects.catalogue = { catalogue }
        let stage = PageStage(effects)
        stage.send(.load)
        stage.scheduler.advance(by: .seconds(6))
        stage.send(.cancel)
        stage.scheduler.advance()
        #expect(stage.lines == ["start", "loading", "still loading", "loading", words])
        #expect(resolver.isCancelled)
        #expect(stage.scheduler.pendingCount == 0)
    }

    @Test("with nothing shown but what is remembered, that stays, under the error")
    func rememberedPage() {
        let shop = FakeShop(cart: [.c], latency: .seconds(1))
        shop.remember([.b])
        let stage = PageStage(shop.effects)
        stage.send(.load)
        stage.scheduler.advance()
        stage.send(.cancel)
        stage.scheduler.run()
        #expect(stage.shown == ["start", "loading", "loading B 1", "loading", "failed B 1"])
        #expect(stage.lines.last == words)
    }

    @Test("cancelling a refresh goes back to the page, and does not tell of what was added again")
    func refresh() {
        let stage = PageStage(FakeShop(latency: .seconds(1)).effects)
        stage.play(.load, .add)
        stage.send(.refresh)
        stage.scheduler.advance()
        stage.send(.cancel)
        stage.scheduler.run()
        #expect(stage.shown.suffix(4) == ["added A 1", "loading A 1", "loading A 1", "loaded A 1"])
        #expect(stage.times.last == .seconds(2))
    }

    @Test("cancelling a change of the cart leaves the cart that is kept")
    func change() {
        let shop = FakeShop(latency: .seconds(1))
        let stage = PageStage(shop.effects)
        stage.play(.load)
        stage.play(.add)
        stage.send(.next, .remove)
        stage.scheduler.advance()
        stage.send(.cancel)
        stage.scheduler.run()
        #expect(stage.shown.suffix(4) == ["loaded B 1", "loading B 1", "loading B 1", "loaded B 1"])
    }

    @Test("events that wait have their turn after it, and a load after it works")
    func queue() {
        let stage = PageStage(FakeShop(latency: .seconds(1)).effects)
        stage.send(.load, .load, .next)
        stage.scheduler.advance()
        stage.send(.cancel)
        stage.scheduler.run()
        #expect(
            stage.shown == ["start", "loading", "loading", "failed", "loading", "loaded A 0", "loaded B 0"])
        #expect(stage.times.last == .seconds(1))
    }

    @Test("with nothing running it puts an error away, and where nothing was loaded it says what to do")
    func idle() {
        let stage = PageStage(FakeShop(failing: [2]).effects)
        stage.play(.cancel)
        #expect(stage.lines.last == words)
        stage.play(.load, .refresh)
        stage.play(.cancel)
        #expect(stage.shown.suffix(3) == ["failed A 0", "loading A 0", "loaded A 0"])
    }
}
