import ProductReading
import PromisedSystem
import PromisedTesting
import Synchronization
import Testing

@testable import ProductPage

/// The whole table: what every event leads to from every state, alone, when the shop fails, and when it is slow.
@Suite struct TransitionTests {
    /// What an event leads to in a state with a page or without: the loading state, if any, and the outcome; and the
    /// outcome in a shop that fails, where that is another.
    private func expected(_ pair: TransitionCase) -> (steps: [String], failing: String?) {
        switch (pair.event, pair.state.page != nil) {
        case (.load, false), (.refresh, false): (["loading", "loaded A 2"], "failed")
        case (.cancel, false): (["start"], nil)
        case (_, false): (["failed"], nil)
        case (.load, true), (.refresh, true): (["loading B 1", "loaded B 2"], "failed B 1")
        case (.add, true), (.addLine, true): (["loading B 1", "added B 3"], "failed B 2")
        case (.remove, true): (["loading B 1", "removed B 1"], "failed B 2")
        case (.removeLine, true): (["loading B 1", "missing B 2"], "failed B 2")
        case (.next, true), (.show, true): (["loaded C 1"], nil)
        case (.previous, true): (["loaded A 1"], nil)
        case (.cancel, true): (["loaded B 1", "loaded B 2"], nil)
        }
    }

    @Test(
        "every state with every event, in a shop that answers and in one that fails",
        arguments: TransitionCase.all)
    func everyStateWithEveryEvent(pair: TransitionCase) throws {
        let (steps, failing) = expected(pair)
        for fails in [false, true] {
            // The cart that is stored is another than the one in view: it is read again after a failed change.
            let shop = FakeShop(cart: [.b, .a], failing: fails ? [1] : [])
            let promise = ProductPage.reduce(state: pair.state, event: pair.event, effects: shop.effects)
            let loading = promise.loadingState.map(\.sketch)
            // To describe them asks for nothing.
            #expect(shop.requests == [])
            let scheduler = TestScheduler()
            let result = promise.start(on: scheduler)
            scheduler.run()
            let outcome = try #require(result.result).get().sketch
            let last = fails ? failing ?? steps.last : steps.last
            #expect([loading, outcome].compactMap { $0 } == steps.dropLast() + [last].compactMap { $0 })
            if fails { #expect(shop.keptCart.count == 2) }
        }
    }

    @Test(
        "PK-31: what takes more than five seconds says so, and is asked for once",
        arguments: TransitionCase.all)
    func everyStateWithEveryEventInASlowShop(pair: TransitionCase) throws {
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
        let loading = expected(pair).steps.dropLast().map { "\($0) after 0 s" }
        let isSlow = loading.first?.hasPrefix("loading") == true
        let slow = loading.first?.replacing("loading", with: "slow").replacing("0 s", with: "5 s")
        #expect(steps == loading + (isSlow ? [slow].compactMap { $0 } : []))
        #expect(shop.requests.count == (isSlow ? 1 : 0))
    }
}
