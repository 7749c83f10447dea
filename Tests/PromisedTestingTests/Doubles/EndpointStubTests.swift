import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// Stubs that answer the calls of endpoints on a test scheduler.
@Suite struct EndpointStubTests {
    private let scheduler = TestScheduler()
    private let called = Lock<[String]>([])

    private var shop: TeaShop { .live { [called] name in called.withLock { $0.append(name) } } }

    @Test("stubs answer the calls of a client that a feature uses unchanged") func page() {
        let (stock, find) = (Stub(shop.stock, on: scheduler), Stub(shop.find, on: scheduler))
        let buy = Stub(shop.buy, on: scheduler)
        let test = TestSystem(initialState: TeaShop.State(), feature: shop.page, scheduler: scheduler)
        test.send(.open)
        stock.fulfill(["tea"])
        test.advance()
        #expect(find.inputs == ["tea"])
        find.fulfill(5)
        test.advance()
        test.receive(.opened(["tea"], 5)) { ($0.stock, $0.price) = (["tea"], 5) }
        test.send(.buy(2))
        buy.report("buying", call: .with("tea", 2))
        test.advance()
        test.assert { $0.bought = "buying" }
        buy.fulfill("2 tea")
        test.advance()
        test.assert { $0.bought = "2 tea" }
        test.finish()
        #expect(called.withLock { $0 } == [])
    }

    @Test("without a stub on their scheduler, endpoints call their functions") func live() throws {
        let other = TestScheduler()
        let stub = Stub(shop.stock, on: other)
        let call = shop.stock().start(on: scheduler)
        scheduler.advance()
        #expect(try call.result?.get() == ["mug", "tea"])
        #expect(stub.calls.isEmpty)
    }

    @Test("from the first stub on, a call of an endpoint without one fails the test and names the endpoint")
    func unstubbed() {
        let stub = Stub(shop.stock, on: scheduler)
        let line = #line - 1
        let call = shop.find("tea")
        let place = #line - 1
        let start = { _ = call.start(on: scheduler) }
        start()
        let reports = TestReport.collect { scheduler.advance() }
        #expect(
            reports.map(\.message) == [
                """
                "find" was called at PromisedTestingTests/EndpointStubTests.swift:\(place), but the test has no stub of it.

                The first stub on a scheduler keeps all endpoints from calling their functions. Create a stub of this \
                one before it is called, set allowsLiveCalls of the scheduler, or find out why the code makes this call.
                """
            ])
        #expect(reports.map(\.line) == [line])
        #expect(throws: UnimplementedError.self) { try call.result?.get() }
        #expect(stub.calls.isEmpty && called.withLock { $0 } == [])
    }

    @Test("a test can let the other endpoints call their functions") func allowed() throws {
        scheduler.allowsLiveCalls = true
        let stub = Stub(shop.stock, on: scheduler)
        #expect(scheduler.allowsLiveCalls)
        let calls = [shop.find("tea").map { [$0] }, shop.stock().map { $0.map(\.count) }]
            .map { $0.start(on: scheduler) }
        scheduler.advance()
        #expect(try calls[0].result?.get() == [3])
        #expect(calls[1].result == nil && stub.calls.count == 1)
    }

    @Test(
        "a later stub replaces one for the calls that begin from then on; the failure of the old one says so")
    func replaced() throws {
        let first = Stub(shop.find, on: scheduler)
        let early = shop.find("tea").start(on: scheduler)
        scheduler.advance()
        let second = Stub(shop.find, on: scheduler)
        let line = #line - 1
        let late = shop.find("mug").start(on: scheduler)
        scheduler.advance()
        #expect(first.inputs == ["tea"] && second.inputs == ["mug"])
        first.fulfill(1)
        second.fulfill(2)
        #expect(try early.result?.get() == 1 && late.result?.get() == 2)
        #expect(
            failures { first.fulfill(3) } == [
                """
                "find" cannot be fulfilled: no call of it is open. The stub created at \
                PromisedTestingTests/EndpointStubTests.swift:\(line) has replaced it. Its calls, and what became of them:

                    1. tea: fulfilled

                A call can be settled only once. Settle an open call, or trigger another one first.
                """
            ])
    }

    @Test("endpoints of one name and different types are different ones") func types() {
        let other = Endpoint<Int, Int>("find") { .value($0) }
        let stubs = (Stub(shop.find, on: scheduler), Stub(other, on: scheduler))
        for start in [{ _ = shop.find("tea").start(on: scheduler) }, { _ = other(3).start(on: scheduler) }] {
            start()
        }
        scheduler.advance()
        #expect(stubs.0.inputs == ["tea"] && stubs.1.inputs == [3])
    }

    @Test("a stub is an endpoint, to put into a client by hand") func endpoint() throws {
        let find = Stub<String, Int>("find")
        var shop = shop
        shop.find = find.endpoint
        let call = shop.find("tea").start(on: scheduler)
        scheduler.advance()
        find.fulfill(7)
        #expect(try call.result?.get() == 7)
        #expect(shop.find.name == "find")
    }

    @Test("a cancelled call of a stubbed endpoint is marked as cancelled") func cancelled() {
        let stub = Stub(shop.buy, on: scheduler)
        let call = shop.buy("tea", 1).start(on: scheduler)
        scheduler.advance()
        call.cancel()
        #expect(stub.calls.map(\.state) == [.cancelled])
        stub.finish()
    }
}
