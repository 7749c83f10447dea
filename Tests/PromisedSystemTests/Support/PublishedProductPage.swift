import Foundation
import PromisedSystem

// A page in the style in which the design was published, with a shop that a test can choose.

typealias CartReceipt = String
typealias Customer = String

struct Item: Equatable {
    let title: String
    let description: String
    let imageUrl: String
}

/// The dependencies of the page; each function describes work and starts none.
struct Shop: Sendable {
    var item: @Sendable (_ cached: Bool) -> Promise<Item>
    var customer: @Sendable () -> Promise<Customer>
    var add: @Sendable (Item, Customer) -> Promise<CartReceipt>
}

struct ItemPage {
    // MARK: - Events
    enum Event: CaseIterable {
        case loadItem
        case addToCart
    }

    // MARK: - State
    enum State {
        case start
        case loading
        case itemLoaded(Item)
        case addedToCart(Item, CartReceipt)
        case error(any Error)
    }

    let shop: Shop

    func reduce(state: State, event: Event) -> Promise<State> {
        switch event {

        case .loadItem:
            let itemResult = shop.item(false)

            return
                itemResult
                .map { State.itemLoaded($0) }
                .stateWhenLoading(State.loading)
                .mapErrorRecover { State.error($0) }

        case .addToCart:
            let itemResult = shop.item(true)
            let customerResult = shop.customer()

            return Promise<(Item, Customer)>.zip(itemResult, customerResult).flatMap {
                pair -> Promise<State> in
                let (item, customer) = pair

                return shop.add(item, customer)
                    .map { State.addedToCart(item, $0) }
                    .mapErrorRecover { State.error($0) }
            }
            .stateWhenLoading(State.loading)
        }
    }
}

// MARK: - View
@MainActor protocol ItemView: AnyObject {
    func updateUI(state: ItemPage.State)
}

/// Renders a state as the text that a user would read.
func text(_ state: ItemPage.State) -> String {
    switch state {
    case .start: "start"
    case .loading: "loading"
    case .itemLoaded(let item): "loaded \(item.title)"
    case .addedToCart(_, let receipt): "added \(receipt)"
    case .error(let error): "error \(error)"
    }
}

// MARK: - Presenter
@MainActor class ItemPresenter {

    var system: System<ItemPage.State, ItemPage.Event>?
    weak var view: (any ItemView)?
    private(set) var tracked: [String] = []

    init(view: any ItemView) {
        self.view = view
    }

    func sendEvent(_ event: ItemPage.Event) {
        system?.sendEvent(event)
    }

    func controllerLoaded(shop: Shop) {
        system = System.pure(
            initialState: ItemPage.State.start,
            reducer: ItemPage(shop: shop).reduce,
            uiBindings: [
                { [weak self] state in
                    self?.view?.updateUI(state: state)
                }
            ]
        )

        system?.addLoopCallback(replayCurrent: true) { [weak self] state in
            self?.handleAnalytics(state: state)
        }
    }

    func handleAnalytics(state: ItemPage.State) {
        switch state {
        case .start: tracked.append("page shown")
        case .loading: tracked.append("page loading")
        case .itemLoaded(let item): tracked.append("item loaded: \(item.title)")
        case .addedToCart(let item, _): tracked.append("added: \(item.title)")
        case .error(let error): tracked.append("error: \(error)")
        }
    }
}

// MARK: - A shop for tests
extension Item {
    static let lamp = Item(
        title: "Reading lamp", description: "Warm light, and a switch that is found in the dark.",
        imageUrl: "https://shop.example/lamp.jpg")
}

extension Shop {
    /// The times of the published example: three seconds to load, zero from the cache, one for the user.
    static func timed(outcomes: [Bool] = []) -> Shop {
        let left = Box(outcomes)
        return Shop(
            item: { cached in Promise.value(.lamp).delay(cached ? .zero : .seconds(3)) },
            customer: { Promise.value("Ines").delay(.seconds(1)) },
            add: { item, customer in
                Promise { seal in
                    let works = left.value.first ?? true
                    left.value = Array(left.value.dropFirst())
                    if works {
                        seal.fulfill("\(item.title) for \(customer)")
                    } else {
                        seal.reject(TestError("sold out"))
                    }
                }
            })
    }

    /// Answers synchronously.
    static let quick = Shop(
        item: { _ in .value(.lamp) }, customer: { .value("Ines") },
        add: { item, customer in .value("\(item.title) for \(customer)") })

    /// Answers on the main queue, as the published example does.
    static let onMainQueue = Shop(
        item: { _ in
            let promise = Promise { seal in
                DispatchQueue.main.asyncAfter(deadline: .now()) {
                    seal.fulfill(Item.lamp)
                }
            }
            return Promise<Item>(promise)
        }, customer: { .value("Ines") }, add: { item, customer in .value("\(item.title) for \(customer)") })

    /// Rejects with "no connection", except for the customer.
    static let unreachable = Shop(
        item: { _ in Promise(error: TestError("no connection")) }, customer: { .value("Ines") },
        add: { _, _ in Promise(error: TestError("no connection")) })
}
