import Promise
import PromisedSources
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// A fetch by key from a client of endpoints, whose calls belong to the scheduler of the fetches.
@Suite struct EndpointFetchTests {
    private struct PriceKey: FetchKey {
        let name: String
        var path: [String] { ["prices", name] }

        func fetch(from shop: TeaShop) -> Promise<String> {
            Promise.retry(attempts: 2, backoff: .constant(.seconds(1))) { shop.find(name) }
                .map { "\(name) \($0)" }
        }
    }

    @Test(
        "a stub answers the calls of a fetch, offline or online, at the first attempt and at the second one")
    func stubbed() throws {
        let scheduler = TestScheduler()
        let shop = TeaShop.live { Issue.record("\($0) was called") }
        let find = Stub(shop.find, on: scheduler)
        let online = System<Bool, Bool>(
            initialState: true, scheduler: scheduler, reducer: Reducer { $0 = $1 })
        let fetches = Fetches(from: shop, on: scheduler, isOnline: online.settled)
        let source = fetches.source(PriceKey(name: "tea"))
        let token = source.subscribe { _ in }
        scheduler.advance()
        #expect(find.inputs == ["tea"])
        find.reject(TeaShop.SoldOut())
        online.sendEvent(false)
        scheduler.advance(by: .seconds(2))
        #expect(find.inputs == ["tea"])
        online.sendEvent(true)
        scheduler.advance()
        #expect(find.inputs == ["tea", "tea"])
        find.fulfill(4)
        scheduler.advance()
        #expect(describe(source.value) { $0 } == "tea 4")
        token.cancel()
    }
}
