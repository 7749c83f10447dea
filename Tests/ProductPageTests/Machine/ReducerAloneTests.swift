import PromisedSystem
import PromisedTesting
import Testing

@testable import ProductPage

@Suite struct ReducerAloneTests {
    @Test("PK-32: the reducer alone, called and its result started, gives the state with the product added")
    func reducerAlone() throws {
        let shop = FakeShop()
        let promise = ProductPage.reduce(state: .loaded(.withB), event: .add, effects: shop.effects)
        #expect(shop.asked == [])
        #expect(promise.loadingState == .loading(.withB, .asked))

        let scheduler = TestScheduler()
        promise.start(on: scheduler)
        scheduler.run()
        var expected = ProductPage.Page.withB
        try expected.cart.add(.b)
        #expect(try promise.result?.get() == .added(expected))
        #expect(shop.asked == ["change"])
    }

    @Test("PK-32: a presenter with a fake view shows loading, then added")
    func fakeView() {
        let scheduler = TestScheduler()
        let view = FakeView()
        let presenter = Presenter(view: view, effects: FakeShop().effects, scheduler: scheduler)
        presenter.load()
        scheduler.run()
        view.forget()
        presenter.addToCart()
        scheduler.run()
        #expect(view.shown == ["loading A 0", "added A 1"])
    }

    @Test("PK-28: a view that is gone is no trouble, and the system goes with its presenter")
    func presenter() {
        let scheduler = TestScheduler()
        let shop = FakeShop(latency: .seconds(1))
        var view: FakeView? = FakeView()
        weak let sameView = view
        var presenter: Presenter? = Presenter(
            view: view ?? FakeView(), effects: shop.effects, scheduler: scheduler)
        weak let system = presenter?.page
        presenter?.load()
        scheduler.advance()
        #expect(view?.shown == ["start", "loading"])

        view = nil
        #expect(sameView == nil)
        scheduler.run()
        #expect(presenter?.page.state.sketch == "loaded A 0")

        presenter?.addToCart()
        scheduler.advance()
        #expect(scheduler.pendingCount > 0)
        presenter = nil
        #expect(system == nil)
        #expect(scheduler.pendingCount == 0)
    }
}

extension ProductPage.Page {
    /// B in view, and nothing in the cart.
    fileprivate static let withB = ProductPage.Page(
        catalogue: Catalogue(source: "shop", products: [.a, .b, .c]), index: 1, cart: Cart())
}
