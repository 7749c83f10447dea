import Promise
package import PromisedSystem

/// A client of a shop, and the feature of a page that uses it: written once for all uses.
package struct TeaShop: Sendable {
    package struct SoldOut: Error, Codable, CustomStringConvertible {
        package let description = "sold out"

        package init() {}
        package init(from decoder: any Decoder) {}
    }

    package var find: Endpoint<String, Int>
    package var buy: Endpoint<(String, Int), String>
    package var stock: Endpoint<Void, [String]>

    /// The shop itself.
    ///
    /// - Parameter note: Called with the name of each function that is called.
    package static func live(_ note: @escaping @Sendable (String) -> Void = { _ in }) -> TeaShop {
        TeaShop(
            find: Endpoint("find", failing: SoldOut.self) { name in
                note("find")
                return try await price(of: name)
            },
            buy: Endpoint("buy") { name, count in
                note("buy")
                return Promise.value("\(count) \(name)").delay(.milliseconds(1)).interim("buying")
            },
            stock: Endpoint("stock") {
                note("stock")
                return .value(["mug", "tea"])
            })
    }

    private static func price(of name: String) async throws -> Int {
        if name == "lamp" { throw SoldOut() }
        return name.count
    }

    package struct State: Sendable, Hashable {
        package var stock: [String] = []
        package var price: Int?
        package var bought: String?
        package var problem: String?

        package init(
            stock: [String] = [], price: Int? = nil, bought: String? = nil, problem: String? = nil
        ) {
            (self.stock, self.price, self.bought, self.problem) = (stock, price, bought, problem)
        }
    }

    package enum Event: Sendable, Hashable { case open, opened([String], Int), failed(String), buy(Int) }

    /// `async` work reads the stock and the price of the first article; the reducer buys it.
    package var page: Feature<State, Event> {
        Feature(
            reducer: Reducer { state, event in
                var next = state
                switch event {
                case .open: break
                case .opened(let stock, let price): (next.stock, next.price) = (stock, price)
                case .failed(let problem): next.problem = problem
                case .buy(let count):
                    return buy(state.stock.first ?? "nothing", count).map {
                        State(stock: state.stock, price: state.price, bought: $0)
                    }
                }
                return .value(next)
            },
            feedbacks: [
                .onEvent({ $0 == .open ? true : nil }) { _ in
                    Promise {
                        let all = try await stock().value
                        return .opened(all, try await find(all.first ?? "nothing").value)
                    }.mapErrorRecover { .failed("\($0)") }
                }
            ])
    }
}
