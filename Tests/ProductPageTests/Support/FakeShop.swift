import Foundation
import PromisedSystem
import Synchronization
import Testing

@testable import ProductPage
@testable import ProductReading
@testable import ToolSupport

/// A shop with products A, B and C and a cart in memory. It answers as the test says.
final class FakeShop: CatalogueSource, CartStorage {
    private struct State {
        var products: [Product] = [.a, .b, .c]
        var cart: Cart
        var requests: [String] = []
        var isReadable = true
    }

    private let state: Mutex<State>
    private let latency: Duration
    private let failing: Set<Int>

    /// - Parameters:
    ///   - cart: What is kept from earlier: a piece of each product.
    ///   - latency: How long each answer takes, in virtual time.
    ///   - failing: Which answers are failures, counted from 1.
    init(cart: [Product] = [], latency: Duration = .zero, failing: Set<Int> = []) {
        var kept = Cart()
        for product in cart { _ = try? kept.apply(.add(.init(product, from: "shop"))) }
        state = Mutex(State(cart: kept))
        self.latency = latency
        self.failing = failing
    }

    static let outOfOrder = PageError.unavailable(source: "shop", reason: "out of order")
    static let unreadable = PageError.cart(path: "cart.json", reason: "permission denied")

    /// What it was asked for, each thing when its promise was started.
    var requests: [String] { state.withLock { $0.requests } }
    var keptCart: Cart { state.withLock { $0.cart } }
    var effects: Effects { Effects(source: self, storage: self) }

    /// What is in stock from now on.
    func restock(_ products: [Product]) { state.withLock { $0.products = products } }

    func makeCartUnreadable() { state.withLock { $0.isReadable = false } }

    func catalogue() -> Promise<Catalogue> {
        answer("catalogue") { Catalogue(source: "shop", products: $0.products) }
    }

    func cart() -> Promise<Cart> {
        Promise { [self] resolver in
            guard state.withLock({ $0.isReadable }) else { throw Self.unreadable }
            resolver.fulfill(keptCart)
        }
    }

    func change(_ change: Cart.Change) -> Promise<(cart: Cart, isChanged: Bool)> {
        answer("change") { state in
            let isChanged = try state.cart.apply(change)
            return (state.cart, isChanged)
        }
    }

    private func answer<Answer: Sendable>(
        _ name: String, _ answer: @escaping @Sendable (inout State) throws -> Answer
    ) -> Promise<Answer> {
        Promise { [self] resolver in
            let answered = try state.withLock { state throws -> Answer? in
                state.requests.append(name)
                return failing.contains(state.requests.count) ? nil : try answer(&state)
            }
            guard let answered else { throw FakeShop.outOfOrder }
            resolver.fulfill(answered)
        }
        .delay(latency)
    }
}

/// A source whose answer a test gives by hand.
struct PromisedSource: CatalogueSource {
    let promise: Promise<Catalogue>

    func catalogue() -> Promise<Catalogue> { promise }
}

extension Product {
    static let a = Product(id: "A", name: "Apple", price: Price(value: .amount(1), currency: "EUR"))
    static let b = Product(id: "B", name: "Bread", price: Price(value: .amount(2), currency: "EUR"))
    static let c = Product(id: "C", name: "Cheese", price: Price(value: .text("ask"), currency: nil))
}

extension Cart.Line {
    static let oneA = Cart.Line(.a, from: "shop")
    static let oneB = Cart.Line(.b, from: "shop")
    static let oneC = Cart.Line(.c, from: "shop")
}

/// A state and an event; there is one pair for each of each.
struct TransitionCase: Sendable, CustomTestStringConvertible {
    var state: ProductPage.State
    var event: ProductPage.Event

    /// B in view, and a piece of it in the cart.
    static let page = ProductPage.Page(
        catalogue: Catalogue(source: "shop", products: [.a, .b, .c]), index: 1, cart: Cart(lines: [.oneB]))

    /// Every kind of state, those with a page behind them in both forms if there are two.
    static let states: [ProductPage.State] = [
        .start, .loading(nil, .started), .loading(nil, .slow), .failed(FakeShop.outOfOrder, nil),
        .loading(page, .started), .loading(page, .slow), .loaded(page), .added(page, .oneB),
        .removed(page, .oneC), .missing(page, .oneA), .failed(FakeShop.outOfOrder, page),
    ]

    static let events: [ProductPage.Event] = [
        .load, .add, .remove, .refresh, .next, .previous, .cancel, .addLine(.oneC), .removeLine(.oneC),
        .show("C"),
    ]

    static let all = states.flatMap { state in events.map { TransitionCase(state: state, event: $0) } }

    var testDescription: String { "\(state.sketch) × \(event)" }
}
