import PromisedSystem
import PromisedTesting
import Testing

@testable import ProductPage

@Suite struct ProductPageQueueTests {
    @Test(
        "PK-31: events sent all at once are shown one after the other: start, loading, loaded, loading, error"
    )
    func seededFailure() {
        // With this seed the shop answers the first question and not the second.
        let shop = Shop(latency: .seconds(1), failRate: 0.5, seed: 2)
        var effects = FakeShop().effects
        effects.catalogue = { shop.answer { Catalogue(source: "shop", products: [.a, .b, .c]) } }
        effects.changeCart = { _ in shop.answer { Cart() } }
        let stage = PageStage(effects)
        stage.play(.load, .add)
        #expect(
            stage.lines == [
                "start", "loading", "loaded: Apple, 1.00 EUR, cart 0", "loading",
                "error: bundled catalogue: the shop does not answer; try again",
            ])
        #expect(stage.times == [.zero, .zero, .seconds(1), .seconds(1), .seconds(2)])
    }

    @Test("PK-31: nothing of the queue is shown before its turn")
    func queued() {
        let stage = PageStage(FakeShop(latency: .seconds(1)).effects)
        stage.send(.load, .add, .next, .remove)
        stage.scheduler.advance()
        #expect(stage.shown == ["start", "loading"])
        stage.scheduler.advance(by: .seconds(1))
        #expect(stage.shown.dropFirst(2) == ["loaded A 0", "loading A 0"])
        stage.scheduler.advance(by: .seconds(1))
        #expect(stage.shown.dropFirst(4) == ["added A 1", "loaded B 1", "loading B 1"])
        stage.scheduler.advance(by: .seconds(1))
        #expect(stage.shown.dropFirst(7) == ["removed B 1"])
        #expect(stage.scheduler.pendingCount == 0)
    }

    @Test("promises that are settled by hand let the queue go on one by one")
    func settledByHand() {
        let (catalogue, load) = Promise<Catalogue>.pending()
        let (change, keep) = Promise<Cart>.pending()
        var effects = FakeShop().effects
        effects.catalogue = { catalogue }
        effects.changeCart = { _ in change }
        let stage = PageStage(effects)
        stage.send(.load, .add, .next)
        stage.scheduler.advance()
        #expect(stage.shown == ["start", "loading"])
        keep.reject(FakeShop.outOfOrder)
        stage.scheduler.advance()
        #expect(stage.shown == ["start", "loading"])
        load.fulfill(Catalogue(source: "shop", products: [.c, .a]))
        stage.scheduler.advance()
        #expect(stage.shown.dropFirst(2) == ["loaded C 0", "loading C 0", "failed C 0", "loaded A 0"])
    }
}
