import PromisedSystem
import PromisedTesting
import Testing

@testable import ProductPage

/// The whole table: what every event leads to from every state, alone and when the shop fails.
@Suite struct TransitionTests {
    /// The loading state, if any, and the outcome.
    private func steps(_ pair: Pair, in shop: FakeShop) throws -> [String] {
        let scheduler = TestScheduler()
        let promise = ProductPage.reduce(state: pair.state, event: pair.event, effects: shop.effects)
        let loading = promise.loadingState.map(\.sketch)
        #expect(shop.asked == [])
        let result = promise.start(on: scheduler)
        scheduler.run()
        let settled = try #require(result.result).get()
        #expect(settled.page != nil || pair.state.page == nil)
        return [loading, settled.sketch].compactMap { $0 }
    }

    @Test("every state with every event", arguments: Pair.all)
    func everyStateWithEveryEvent(pair: Pair) throws {
        let steps = try steps(pair, in: FakeShop(cart: [.b]))
        let isKnown = pair.state.page != nil
        switch (pair.event, isKnown) {
        case (.load, false), (.refresh, false): #expect(steps == ["loading", "loaded A 1"])
        case (.cancel, false): #expect(steps == ["loading", "failed"])
        case (.cancel, true): #expect(steps == ["loading B 1", "loaded B 1"])
        case (_, false): #expect(steps == ["failed"])
        case (.load, true), (.refresh, true): #expect(steps == ["loading B 1", "loaded B 1"])
        case (.add, true): #expect(steps == ["loading B 1", "added B 2"])
        case (.remove, true): #expect(steps == ["loading B 1", "removed B 0"])
        case (.next, true): #expect(steps == ["loaded C 1"])
        case (.previous, true): #expect(steps == ["loaded A 1"])
        }
    }

    @Test("every state with every event, in a shop that fails", arguments: Pair.all)
    func everyStateWithEveryEventWhenTheShopFails(pair: Pair) throws {
        let shop = FakeShop(cart: [.b], failing: [1])
        let steps = try steps(pair, in: shop)
        let isKnown = pair.state.page != nil
        switch (pair.event, isKnown) {
        case (.load, false), (.refresh, false), (.cancel, false): #expect(steps == ["loading", "failed"])
        case (.cancel, true): #expect(steps == ["loading B 1", "loaded B 1"])
        case (_, false): #expect(steps == ["failed"])
        case (.load, true), (.refresh, true), (.add, true), (.remove, true):
            #expect(steps == ["loading B 1", "failed B 1"])
        case (.next, true): #expect(steps == ["loaded C 1"])
        case (.previous, true): #expect(steps == ["loaded A 1"])
        }
        #expect(shop.cart.count == 1)
    }

    @Test(
        "without a product the error says what to do",
        arguments: [ProductPage.Event.add, .remove, .next, .previous])
    func withoutAProductTheErrorSaysWhatToDo(event: ProductPage.Event) throws {
        let promise = ProductPage.reduce(state: .start, event: event, effects: FakeShop().effects)
        #expect(
            try promise.result?.get() == .failed(.failed("no product is loaded yet; send load first"), nil))
    }
}
