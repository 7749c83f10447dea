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
        let stage = PageStage(
            Effects(source: shop, storage: ShopCart(shop: shop, storage: FakeShop()), product: "mug"))
        stage.play(.load, .add)
        #expect(
            stage.lines == [
                "start", "loading", "loaded: Camper's mug, 11.50 GBP, cart 0", "loading",
                "error: bundled catalogue: the shop does not answer; try again",
            ])
        #expect(stage.times == [.zero, .zero, .seconds(1), .seconds(1), .seconds(2)])
    }

    @Test("PK-31: nothing of the queue is shown before its turn")
    func queued() {
        let stage = PageStage(FakeShop(latency: .seconds(1)).effects)
        stage.send(.load, .add, .add, .add, .next, .remove)
        stage.scheduler.advance()
        #expect(stage.shown == ["start", "loading"])
        stage.scheduler.advance(by: .seconds(1))
        #expect(stage.shown.dropFirst(2) == ["loaded A 0", "loading A 0"])
        stage.scheduler.advance(by: .seconds(3))
        #expect(
            stage.shown.dropFirst(4) == [
                "added A 1", "loading A 1", "added A 2", "loading A 2", "added A 3", "loaded B 3",
                "loading B 3",
            ])
        stage.scheduler.advance(by: .seconds(1))
        #expect(stage.shown.dropFirst(11) == ["missing B 3"])
        #expect(stage.scheduler.pendingCount == 0)
    }

    @Test("a line of the cart is changed whatever is in view")
    func lines() {
        let shop = FakeShop(cart: [.c])
        let stage = PageStage(shop.effects)
        stage.play(.load, .addLine(.oneC), .removeLine(.oneC), .removeLine(.oneC), .removeLine(.oneC))
        #expect(
            stage.lines.filter { $0 != "loading" }.dropFirst(2) == [
                "added: Cheese, no single price, cart 2", "removed: Cheese, no single price, cart 1",
                "removed: Cheese, no single price, cart 0", "nothing to remove: Cheese is not in the cart",
            ])
    }

    @Test("a session is at rest when every event that was sent has ended, and at once when none was")
    func rest() {
        let stage = PageStage(FakeShop(latency: .seconds(1), failing: [2]).effects)
        let session = Session(stage.page, console: Said().console(isInteractive: false))
        #expect(isFulfilled(session.rest().start()))
        session.send(.load)
        session.send(.add)
        let (one, another) = (session.rest().start(), session.rest().start())
        stage.scheduler.advance(by: .milliseconds(1999))
        #expect(!isFulfilled(one))
        stage.scheduler.advance(by: .milliseconds(1))
        #expect(isFulfilled(one) && isFulfilled(another) && isFulfilled(session.rest().start()))
    }

    private func isFulfilled(_ promise: Promise<Void>) -> Bool {
        if case .success? = promise.result { true } else { false }
    }
}
