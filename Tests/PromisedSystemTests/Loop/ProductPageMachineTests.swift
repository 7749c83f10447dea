import PromisedSystem
import PromisedTesting
import Testing

@Suite struct ProductPageMachineTests {
    private final class Page: Sendable {
        let scheduler = TestScheduler()
        let shown = Log<String>()
        let errors = Log<String>()
        let system: System<ItemPage.State, ItemPage.Event>

        init(_ shop: Shop) {
            system = System(
                initialState: .start, scheduler: scheduler, uiBindings: [{ [shown] in shown.add(text($0)) }],
                reducer: ItemPage(shop: shop).reduce)
            system.onError { [errors] error in errors.add("\(error)") }
            scheduler.advance()
        }
    }

    @Test("PK-31: loading takes three seconds, adding one, in virtual time")
    func times() {
        let page = Page(.timed())
        page.system.sendEvent(.loadItem)
        page.scheduler.advance(by: .milliseconds(2999))
        #expect(page.shown.entries == ["start", "loading"])
        page.scheduler.advance(by: .milliseconds(1))
        #expect(page.shown.entries == ["start", "loading", "loaded Reading lamp"])
        page.system.sendEvent(.addToCart)
        page.scheduler.advance(by: .milliseconds(999))
        #expect(page.shown.entries.last == "loading")
        page.scheduler.advance(by: .milliseconds(1))
        #expect(page.shown.entries.last == "added Reading lamp for Ines")
    }

    @Test("PK-31: with an addition that fails: start, loading, loaded, loading, error")
    func seededFailure() {
        let page = Page(.timed(outcomes: [false, true]))
        page.system.sendEvent(.loadItem)
        page.system.sendEvent(.addToCart)
        page.scheduler.advance(by: .seconds(4))
        let expected = ["start", "loading", "loaded Reading lamp", "loading", "error sold out"]
        #expect(page.shown.entries == expected)
        page.system.sendEvent(.addToCart)
        page.scheduler.advance(by: .seconds(1))
        #expect(page.shown.entries == expected + ["loading", "added Reading lamp for Ines"])
    }

    @Test("PK-31, PK-24: the error that the sample does not recover leaves the page unchanged")
    func unrecovered() {
        let page = Page(.unreachable)
        page.system.sendEvent(.addToCart)
        page.system.sendEvent(.loadItem)
        page.scheduler.advance()
        #expect(page.errors.entries == ["no connection"])
        #expect(page.shown.entries == ["start", "loading", "start", "loading", "error no connection"])
    }

    @Test("PK-32: the reducer alone: the result is started, and the state is added")
    func reducerAlone() async throws {
        let result = ItemPage(shop: .quick).reduce(state: .itemLoaded(.lamp), event: .addToCart)
        #expect(text(try #require(result.loadingState)) == "loading")
        #expect(text(try await result.value) == "added Reading lamp for Ines")
    }

    @Test("PK-27, PK-32: calling the reducer has no effect until its result is started")
    func pure() {
        let calls = Log<String>()
        let shop = Shop(
            item: { _ in
                Promise {
                    calls.add("item")
                    $0.fulfill(.lamp)
                }
            },
            customer: {
                Promise {
                    calls.add("customer")
                    $0.fulfill("Ines")
                }
            }, add: { _, _ in .value("added") })
        for event in ItemPage.Event.allCases {
            for state in [ItemPage.State.start, .loading, .itemLoaded(.lamp), .error(TestError("e"))] {
                let result = ItemPage(shop: shop).reduce(state: state, event: event)
                #expect(result.loadingState.map(text) == "loading")
            }
        }
        #expect(calls.entries.isEmpty)
        _ = ItemPage(shop: shop).reduce(state: .start, event: .addToCart).start()
        #expect(calls.entries.sorted() == ["customer", "item"])
    }

    @Test("PK-29: the same state always renders the same text")
    func viewOfState() {
        let states: [ItemPage.State] = [
            .start, .loading, .itemLoaded(.lamp), .addedToCart(.lamp, "r"), .error(TestError("e")),
        ]
        #expect(states.map(text) == states.map(text))
        #expect(Set(states.map(text)).count == states.count)
    }
}
