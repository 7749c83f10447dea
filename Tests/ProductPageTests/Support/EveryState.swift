import Foundation
import PromisedSystem
import Testing

@testable import ProductPage

/// A state and an event; there is one pair for each of each.
struct Pair: Sendable, CustomTestStringConvertible {
    var state: ProductPage.State
    var event: ProductPage.Event

    /// B in view, and a piece of it in the cart.
    static let page = ProductPage.Page(
        catalogue: Catalogue(source: "shop", products: [.a, .b, .c]), index: 1, cart: Cart(lines: [.oneB]))

    /// Every kind of state, those with a page behind them in both forms where there are two.
    static let states: [ProductPage.State] = [
        .start, .loading(nil, .asked), .loading(nil, .slow), .failed(FakeShop.outOfOrder, nil),
        .loading(page, .asked), .loading(page, .slow), .loaded(page), .added(page), .removed(page),
        .failed(FakeShop.outOfOrder, page),
    ]

    static let events: [ProductPage.Event] = [
        .load, .add, .remove, .refresh, .next, .previous, .cancel, .stored(Cart(lines: [.threeC])),
    ]

    static let all = states.flatMap { state in events.map { Pair(state: state, event: $0) } }

    var testDescription: String { "\(state.sketch) × \(event)" }
}

extension Cart.Line {
    static let oneB = Cart.Line(id: "B", name: "Bread", price: 2, currency: "EUR", quantity: 1)
    static let threeC = Cart.Line(id: "C", name: "Cheese", price: nil, currency: nil, quantity: 3)
}
