import PromisedSystem
import PromisedTesting
import Synchronization
import Testing

@testable import ProductPage

/// The whole table: what every event leads to from every state, alone, when the shop fails, and when it is slow.
@Suite struct TransitionTests {
    /// The loading state, if any, and the outcome. To describe them asks for nothing.
    private func steps(_ pair: Pair, in shop: FakeShop) throws -> [String] {
        let promise = ProductPage.reduce(state: pair.state, event: pair.event, effects: shop.effects)
        let loading = promise.loadingState.map(\.sketch)
        #expect(shop.requests == [])
        let scheduler = TestScheduler()
        let result = promise.start(on: scheduler)
        scheduler.run()
        return [loading, try #require(result.result).get().sketch].compactMap { $0 }
    }

    @Test("every state with every event", arguments: Pair.all)
    func everyStateWithEveryEvent(pair: Pair) throws {
        let steps = try steps(pair, in: FakeShop(cart: [.b]))
        switch (pair.event, pair.state.page != nil) {
        case (.load, false), (.refresh, false): #expect(steps == ["loading", "loaded A 1"])
        case (.cancel, false): #expect(steps == ["start"])
        case (_, false): #expect(steps == ["failed"])
        case (.load, true), (.refresh, true): #expect(steps == ["loading B 1", "loaded B 1"])
        case (.add, true), (.addLine, true): #expect(steps == ["loading B 1", "added B 2"])
        case (.remove, true): #expect(steps == ["loading B 1", "removed B 0"])
        case (.removeLine, true): #expect(steps == ["loading B 1", "missing B 1"])
        case (.next, true): #expect(steps == ["loaded C 1"])
        case (.previous, true): #expect(steps == ["loaded A 1"])
        case (.cancel, true): #expect(steps == ["loaded B 1", "loaded B 1"])
        }
    }

    @Test("every state with every event, in a shop that fails", arguments: Pair.all)
    func everyStateWithEveryEventWhenTheShopFails(pair: Pair) throws {
        // The cart that is stored is another than the one in view: it is read again after a failed change.
        let shop = FakeShop(cart: [.b, .c], failing: [1])
        let steps = try steps(pair, in: shop)
        switch (pair.event, pair.state.page != nil) {
        case (.load, false), (.refresh, false): #expect(steps == ["loading", "failed"])
        case (.cancel, false): #expect(steps == ["start"])
        case (_, false): #expect(steps == ["failed"])
        case (.load, true), (.refresh, true): #expect(steps == ["loading B 1", "failed B 1"])
        case (.add, true), (.remove, true), (.addLine, true), (.removeLine, true):
            #expect(steps == ["loading B 1", "failed B 2"])
        case (.next, true): #expect(steps == ["loaded C 1"])
        case (.previous, true): #expect(steps == ["loaded A 1"])
        case (.cancel, true): #expect(steps == ["loaded B 1", "loaded B 2"])
        }
        #expect(shop.keptCart.count == 2)
    }

    @Test("PK-31: what takes more than five seconds says so, and is asked for once", arguments: Pair.all)
    func everyStateWithEveryEventInASlowShop(pair: Pair) throws {
        let shop = FakeShop(cart: [.b], latency: .seconds(6))
        let shown = Mutex<[String]>([])
        let scheduler = TestScheduler()
        let page = System<ProductPage.State, ProductPage.Event>(
            initialState: pair.state, scheduler: scheduler,
            uiBindings: [
                { state in
                    shown.withLock {
                        $0.append("\(state.sketch) after \(scheduler.now.components.seconds) s")
                    }
                }
            ]
        ) { ProductPage.reduce(state: $0, event: $1, effects: shop.effects) }
        page.sendEvent(pair.event)
        scheduler.run()
        let steps = shown.withLock { Array($0.dropFirst().dropLast()) }
        let known = pair.state.page == nil ? "" : " B 1"
        switch (pair.event, pair.state.page != nil) {
        case (.load, _), (.refresh, _), (.add, true), (.remove, true), (.addLine, true), (.removeLine, true):
            #expect(steps == ["loading\(known) after 0 s", "slow\(known) after 5 s"])
            #expect(shop.requests.count == 1)
        case (.cancel, true): #expect(steps == ["loaded B 1 after 0 s"])
        default: #expect(steps == [])
        }
    }

    @Test("a cart that cannot be read hides no product, and is not said to be what it was")
    func unreadableCart() {
        let shop = FakeShop(cart: [.a])
        let stage = PageStage(shop.effects)
        stage.play(.load)
        shop.lockCart()
        shop.restock([.c])
        for event in [ProductPage.Event.refresh, .cancel, .add] { stage.play(event) }
        #expect(
            stage.shown.suffix(5) == ["failed C ?", "loaded C ?", "loaded C ?", "loading C ?", "added C 2"])
        #expect(stage.lines.contains("error: cart cart.json: permission denied"))
    }

    @Test("the product in view stays in view if it is still there, and --product chooses the first one")
    func productInView() {
        let shop = FakeShop()
        var effects = shop.effects
        effects.product = "bread"
        let stage = PageStage(effects)
        stage.play(.load, .next)
        shop.restock([.c, .a])
        stage.play(.refresh, .previous)
        shop.restock([.b, .c])
        stage.play(.refresh)
        shop.restock([.c])
        stage.play(.next, .refresh)
        #expect(
            stage.shown.filter { $0.hasPrefix("loaded") } == [
                "loaded B 0", "loaded C 0", "loaded C 0", "loaded A 0", "loaded B 0", "loaded C 0",
                "loaded C 0",
            ])
        shop.restock([.a])
        stage.play(.refresh)
        #expect(stage.lines.last == "error: shop: no product matches “bread”; there is Apple (A)")
    }
}
