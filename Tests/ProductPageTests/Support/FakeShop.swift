import Foundation
import PromisedSystem
import Synchronization

@testable import ProductPage

/// A shop with products A, B and C and a cart in memory. It answers as the test says.
final class FakeShop: Sendable {
    private struct State {
        var products: [Product]
        var cart: Cart
        var remembered: Catalogue?
        var asked: [String] = []
    }

    private let state: Mutex<State>
    private let latency: Duration
    private let failing: Set<Int>

    /// - Parameters:
    ///   - cart: What is kept from earlier: pieces of each product.
    ///   - latency: How long each answer takes, in virtual time.
    ///   - failing: Which answers are failures, counted from 1.
    init(cart: [Product] = [], latency: Duration = .zero, failing: Set<Int> = []) {
        var kept = Cart()
        for product in cart { try? kept.add(product) }
        state = Mutex(State(products: [.a, .b, .c], cart: kept))
        self.latency = latency
        self.failing = failing
    }

    static let outOfOrder = PageError.unavailable(source: "shop", reason: "out of order")

    /// What it was asked for, each thing when its promise was started.
    var asked: [String] { state.withLock { $0.asked } }
    var cart: Cart { state.withLock { $0.cart } }
    /// What is in stock from now on.
    func restock(_ products: [Product]) { state.withLock { $0.products = products } }

    /// What an earlier run has left, from now on.
    func remember(_ products: [Product]) {
        state.withLock { $0.remembered = Catalogue(source: "shop", products: products) }
    }

    var effects: Effects {
        Effects(
            catalogue: { [self] in
                answer("catalogue") { Catalogue(source: "shop", products: $0.products) }
            },
            remembered: { [self] in Promise { $0.fulfill(self.state.withLock { $0.remembered }) } },
            choose: { _ in 0 },
            cart: { [self] in Promise { $0.fulfill(self.cart) } },
            changeCart: { [self] change in
                answer("change") { state in
                    try change(&state.cart)
                    return state.cart
                }
            }
        )
    }

    private func answer<Answer: Sendable>(
        _ name: String, _ answer: @escaping @Sendable (inout State) throws -> Answer
    ) -> Promise<Answer> {
        Promise { [self] resolver in
            let answered = try state.withLock { state throws -> Answer? in
                state.asked.append(name)
                return failing.contains(state.asked.count) ? nil : try answer(&state)
            }
            guard let answered else { throw FakeShop.outOfOrder }
            resolver.fulfill(answered)
        }
        .delay(latency)
    }
}

extension Product {
    static let a = Product(id: "A", name: "Apple", price: Price(value: .amount(1), currency: "EUR"))
    static let b = Product(id: "B", name: "Bread", price: Price(value: .amount(2), currency: "EUR"))
    static let c = Product(id: "C", name: "Cheese", price: Price(value: .text("ask"), currency: nil))
}
