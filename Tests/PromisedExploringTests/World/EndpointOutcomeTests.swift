import Promise
import PromisedExploring
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// The calls of endpoints in an exploration.
@Suite struct EndpointOutcomeTests {
    private typealias State = TeaShop.State

    /// The page of the shop, whose functions must not be called.
    private func explorer(
        _ declare: @escaping @Sendable (World<State>, TeaShop) -> Void
    ) -> Explorer<State, TeaShop.Event> {
        Explorer(events: [.open, .buy(1)]) { world in
            let shop = TeaShop.live { name in Issue.record("\(name) was called") }
            declare(world, shop)
            return System(
                initialState: State(stock: ["rug"]), scheduler: world.scheduler, feature: shop.page)
        }
    }

    @Test("every declared outcome of the calls of a client is tried, from async work and from a reducer")
    func outcomes() {
        let exploration = explorer { world, shop in
            world.outcomes(of: shop.stock) { [.value(["tea"])] }
            world.outcomes(of: shop.find) { name in [.value(name.count), .error(TeaShop.SoldOut())] }
            world.outcomes(of: shop.buy) { name, count in [.value("\(count) \(name)"), .cancelled] }
        }.check(depth: 6)
        #expect(exploration.states.contains(State(stock: ["tea"], price: 3, bought: "1 tea")))
        #expect(exploration.states.contains(State(stock: ["rug"], bought: "1 rug")))
        #expect(exploration.states.contains(State(stock: ["rug"], problem: "sold out")))
    }

    @Test("an endpoint explores as the same call of the world does") func sameAsCall() {
        let price = Endpoint<String, Int>("price") { _ in throw TeaShop.SoldOut() }
        func explore(_ ask: @escaping @Sendable (World<Int>, String) -> Promise<Int>) -> [Int] {
            let exploration = Explorer<Int, String>(events: ["tea", "lamp"]) { world in
                world.outcomes(of: price) { [.value($0.count), .report(0), .error(TeaShop.SoldOut())] }
                return System(
                    initialState: 0, scheduler: world.scheduler,
                    configuration: .init(eventPolicy: { $0 == "tea" ? .replace : .queue })
                ) { _, name in ask(world, name) }
            }.explore(depth: 5)
            return [exploration.configurations, exploration.steps] + exploration.states.sorted()
        }
        #expect(
            explore { _, name in price(name) }
                == explore { world, name in
                    world.call("price", .value(name.count), .report(0), .error(TeaShop.SoldOut()))
                })
    }

    @Test("a call whose outcomes are not declared violates a property that names it") func undeclared() {
        let exploration = explorer { world, shop in world.outcomes(of: shop.stock) { [.value(["tea"])] } }
            .explore(depth: 3)
        let text = exploration.counterexample?.description ?? ""
        #expect(
            text.contains(
                """
                "the outcomes of buy are declared" does not hold after 1 step: it was called at TestSupport/TeaShop.swift:
                """), "\(text)")
        #expect(text.contains("Declare them with world.outcomes(of:)."), "\(text)")
    }

    @Test("a stub on the scheduler of an exploration fails the test") func stub() {
        let shop = TeaShop.live()
        let texts = failures {
            let explorer = Explorer<Int, Int>(events: []) { world in
                _ = Stub(shop.find, on: world.scheduler)
                return System(initialState: 0, scheduler: world.scheduler) { state, _ in .value(state) }
            }
            _ = explorer.explore(depth: 0)
        }
        #expect(
            Set(texts) == [
                """
                "find" cannot have a stub on the scheduler of an exploration.

                There, declare how its calls may turn out, with world.outcomes(of:).
                """
            ])
    }
}
