import PromisedSystem
import PromisedTesting
import Testing

@Suite(.timeLimit(.minutes(10))) @MainActor struct PresenterTests {
    private final class FakeView: ItemView {
        var shown: [String] = []
        var onText: ((String) -> Void)?

        func updateUI(state: ItemPage.State) {
            shown.append(text(state))
            onText?(text(state))
        }
    }

    @Test("PK-32: the presenter with a fake view: shown loading, then added")
    func fakeView() {
        let view = FakeView()
        let presenter = ItemPresenter(view: view)
        presenter.controllerLoaded(shop: .quick)
        #expect(view.shown == ["start"])
        presenter.sendEvent(.addToCart)
        #expect(view.shown == ["start", "loading", "added Reading lamp for Ines"])
    }

    @Test("PK-31: a shop that answers on the main queue works in the published style")
    func mainQueue() async {
        let view = FakeView()
        let presenter = ItemPresenter(view: view)
        presenter.controllerLoaded(shop: .onMainQueue)
        await withCheckedContinuation { continuation in
            view.onText = { if $0 == "loaded Reading lamp" { continuation.resume() } }
            presenter.sendEvent(.loadItem)
            #expect(view.shown == ["start", "loading"])
        }
        #expect(view.shown == ["start", "loading", "loaded Reading lamp"])
    }

    @Test("PK-30: one analytics callback records everything, the first entry included")
    func analytics() {
        let view = FakeView()
        let presenter = ItemPresenter(view: view)
        presenter.controllerLoaded(shop: .timedNow(failing: [true, false]))
        presenter.sendEvent(.loadItem)
        presenter.sendEvent(.addToCart)
        presenter.sendEvent(.loadItem)
        #expect(
            presenter.tracked == [
                "page shown", "page loading", "item loaded: Reading lamp", "page loading", "error: sold out",
                "page loading", "item loaded: Reading lamp",
            ])
    }

    @Test("PK-28: the presenter retains no view; releasing the presenter releases its system")
    func lifetimes() {
        var view: FakeView? = FakeView()
        weak let weakView = view
        var presenter: ItemPresenter? = view.map { ItemPresenter(view: $0) }
        weak let weakPresenter = presenter
        presenter?.controllerLoaded(shop: .quick)
        weak let system = presenter?.system
        presenter?.sendEvent(.loadItem)
        view = nil
        #expect(weakView == nil)
        presenter?.sendEvent(.addToCart)
        #expect(presenter?.tracked.last == "added: Reading lamp")
        #expect(system != nil)
        presenter = nil
        #expect(weakPresenter == nil)
        #expect(system == nil)
    }

    @Test("PK-28: a presenter that is released while its page loads leaves nothing behind")
    func goesWhileLoading() {
        let resolvers = Log<Resolver<Item>>()
        let shop = Shop(
            item: { _ in Promise { resolvers.add($0) } }, customer: { .value("Ines") },
            add: { _, _ in .value("added") })
        let view = FakeView()
        var presenter: ItemPresenter? = ItemPresenter(view: view)
        presenter?.controllerLoaded(shop: shop)
        weak let system = presenter?.system
        presenter?.sendEvent(.loadItem)
        presenter = nil
        #expect(system == nil)
        #expect(resolvers.entries.map(\.isCancelled) == [true])
        #expect(resolvers.entries.map { $0.fulfill(.lamp) } == [false])
        #expect(view.shown == ["start", "loading"])
    }
}

extension Shop {
    /// Answers synchronously; additions fail if `failing` says so.
    static func timedNow(failing: [Bool]) -> Shop {
        var shop = Shop.timed(outcomes: failing.map { !$0 })
        shop.item = { _ in .value(.lamp) }
        shop.customer = { .value("Ines") }
        return shop
    }
}
