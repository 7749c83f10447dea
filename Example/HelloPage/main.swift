import Foundation
import PromisedSystem

struct Product: Decodable { let name: String, price: Decimal }

enum State { case start, loading, loaded(Product), added(Product), failed(String) }
enum Event { case load(file: String), addToCart }

/// What follows from an event. It describes work and runs nothing.
func reduce(state: State, event: Event) -> Promise<State> {
    switch (state, event) {
    case (_, .load(let file)):
        read(file)
            .map { .loaded($0) }
            .stateWhenLoading(.loading)  // shown until the file is read
            .mapErrorRecover { _ in .failed("\(file) cannot be read") }
    case (.loaded(let product), .addToCart), (.added(let product), .addToCart): .value(.added(product))
    case (_, .addToCart): .value(.failed("there is nothing to add"))
    }
}

func read(_ file: String) -> Promise<Product> {
    Promise(on: .serial("files")) {
        try JSONDecoder().decode(Product.self, from: Data(contentsOf: URL(filePath: file)))
    }
}

func describe(_ state: State) -> String {
    switch state {
    case .start: "Welcome."
    case .loading: "Loading…"
    case .loaded(let product): "\(product.name), \(product.price) EUR"
    case .added(let product): "\(product.name) is in the cart."
    case .failed(let reason): "Sorry, \(reason)."
    }
}

let page = System.pure(initialState: .start, reducer: reduce, uiBindings: [{ print(describe($0)) }])
page.addLoopCallback { if case .added(let product) = $0 { print("tracked: added", product.price) } }

// All at once: events are queued, and the first one fails.
page.sendEvent(.load(file: "missing.json"))
page.sendEvent(.load(file: "Example/HelloPage/product.json"))
page.sendEvent(.addToCart)
_ = await page.settled.values.first {
    switch $0 {
    case .added, .failed("there is nothing to add"): true
    default: false
    }
}
