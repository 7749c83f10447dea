import PromisedSystem
import PromisedTesting
import Synchronization
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
        case (.stored, _): #expect(steps == [pair.sketchWithThreeC])
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
        case (.stored, _): #expect(steps == [pair.sketchWithThreeC])
        case (_, false): #expect(steps == ["failed"])
        case (.load, true), (.refresh, true), (.add, true), (.remove, true):
            #expect(steps == ["loading B 1", "failed B 1"])
        case (.next, true): #expect(steps == ["loaded C 1"])
        case (.previous, true): #expect(steps == ["loaded A 1"])
        }
        #expect(shop.cart.count == 1)
    }

    /// All that a system shows that is in the state, and when.
    private func shown(_ pair: Pair, in shop: FakeShop) -> [(sketch: String, seconds: Int64)] {
        let scheduler = TestScheduler()
        let shown = Mutex<[(String, Int64)]>([])
        let page = System<ProductPage.State, ProductPage.Event>(
            initialState: pair.state, scheduler: scheduler,
            uiBindings: [
                { state in shown.withLock { $0.append((state.sketch, scheduler.now.components.seconds)) } }
            ]
        ) { ProductPage.reduce(state: $0, event: $1, effects: shop.effects) }
        page.sendEvent(pair.event)
        scheduler.run()
        return Array(shown.withLock { $0 }.dropFirst())
    }

    @Test("every state with every event, where something is remembered", arguments: Pair.all)
    func everyStateWithEveryEventWhereSomethingIsRemembered(pair: Pair) throws {
        let shop = FakeShop(cart: [.b])
        shop.remember([.c, .b])
        let steps = shown(pair, in: shop).map(\.sketch)
        let isKnown = pair.state.page != nil
        switch (pair.event, isKnown) {
        // The product in view is that of the remembered page, so it stays.
        case (.load, false), (.refresh, false): #expect(steps == ["loading", "loading C 1", "loaded C 1"])
        case (.cancel, false): #expect(steps == ["loading", "failed C 1"])
        case (.stored, _): #expect(steps == [pair.sketchWithThreeC])
        case (_, false): #expect(steps == ["failed"])
        case (.load, true), (.refresh, true): #expect(steps == ["loading B 1", "loaded B 1"])
        case (.add, true): #expect(steps == ["loading B 1", "added B 2"])
        case (.remove, true): #expect(steps == ["loading B 1", "removed B 0"])
        case (.next, true): #expect(steps == ["loaded C 1"])
        case (.previous, true): #expect(steps == ["loaded A 1"])
        case (.cancel, true): #expect(steps == ["loading B 1", "loaded B 1"])
        }
    }

    @Test("every state with every event, in a shop that takes its time", arguments: Pair.all)
    func everyStateWithEveryEventInASlowShop(pair: Pair) throws {
        let shop = FakeShop(cart: [.b], latency: .seconds(6))
        let steps = shown(pair, in: shop).dropLast().map { "\($0.sketch) after \($0.seconds) s" }
        let known = pair.state.page == nil ? "" : " B 1"
        let both = ["loading\(known) after 0 s", "slow\(known) after 5 s"]
        switch (pair.event, pair.state.page != nil) {
        case (.load, _), (.refresh, _), (.add, true), (.remove, true):
            #expect(steps == both)
            #expect(shop.asked.count == 1)
        case (.cancel, _): #expect(steps == [both[0]])
        default: #expect(steps == [])
        }
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

extension Pair {
    /// The state when its cart turns out to be three pieces of C: an error still stands, and without a page there
    /// is no cart.
    fileprivate var sketchWithThreeC: String {
        guard state.page != nil else { return state.sketch }
        if case .failed = state { return "failed B 3" }
        return "loaded B 3"
    }
}
