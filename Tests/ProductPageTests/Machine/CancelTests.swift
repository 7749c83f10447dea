import PromisedSystem
import PromisedTesting
import Testing

@testable import ProductPage

@Suite struct CancelTests {
    @Test("cancelling the first load ends it and its work at once")
    func firstLoad() {
        let (catalogue, resolver) = Promise<Catalogue>.pending()
        let stage = PageStage(Effects(source: PromisedSource(promise: catalogue), storage: FakeShop()))
        stage.send(.load)
        stage.scheduler.advance(by: .seconds(6))
        stage.send(.cancel)
        stage.scheduler.advance()
        #expect(stage.lines == ["start", "loading", "still loading", "start", "start"])
        #expect(resolver.isCancelled)
        #expect(stage.scheduler.pendingCount == 0)
    }

    @Test("cancelling a refresh or a change goes back to the page, at once; what was added is not said again")
    func back() {
        let stage = PageStage(FakeShop(latency: .seconds(1)).effects)
        stage.play(.load, .add)
        // The cart is the one that is stored: this shop changes it when it is asked, and answers later.
        for (event, pieces) in [(ProductPage.Event.refresh, 1), (.add, 2), (.remove, 1)] {
            let before = stage.times.last
            stage.send(event)
            stage.scheduler.advance()
            stage.send(.cancel)
            stage.scheduler.run()
            #expect(stage.shown.suffix(2).map { $0.prefix(8) } == ["loaded A", "loaded A"])
            #expect(stage.shown.last == "loaded A \(pieces)")
            #expect(stage.times.last == before)
        }
        #expect(stage.shown.filter { $0.hasPrefix("added") } == ["added A 1"])
    }

    @Test("events that are queued have their turn after it, and a load after it works")
    func queue() {
        let stage = PageStage(FakeShop(latency: .seconds(1)).effects)
        stage.send(.load, .load, .next)
        stage.scheduler.advance()
        stage.send(.cancel)
        stage.scheduler.run()
        #expect(
            stage.shown == ["start", "loading", "start", "start", "loading", "loaded A 0", "loaded B 0"])
        #expect(stage.times.last == .seconds(1))
    }

    @Test("with nothing in flight it puts an error away")
    func idle() {
        let stage = PageStage(FakeShop(failing: [2]).effects)
        stage.play(.cancel)
        #expect(stage.lines == ["start", "start"])
        stage.play(.load, .refresh)
        stage.play(.cancel)
        #expect(stage.shown.suffix(3) == ["failed A 0", "loaded A 0", "loaded A 0"])
    }
}
