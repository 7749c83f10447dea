import PromisedExploring
import PromisedSystem
import Testing

@Suite struct NeverTwiceTests {
    private func explorer(_ policy: EffectPolicy) -> Explorer<Order.State, Order.Event> {
        Order.explorer(policy: policy) { world in
            world.neverTwice("an order is placed once", .call("order"), until: .event(Order.Event.new))
        }
    }

    @Test("a call that is made a second time is found, with the shortest way")
    func call() {
        let found = explored(explorer(.concurrent), depth: 4)
        #expect(found.steps == [.send(.place), .send(.place)])
        #expect(
            found.text?.hasPrefix(
                "\"an order is placed once\" does not hold after 2 steps: it happened a second time.") == true
        )
        #expect(found.isSame)
        // A dropped event makes no call; one after the answer does.
        let dropped = explored(explorer(.drop), depth: 4)
        #expect(dropped.steps == [.send(.place), .answer("order", "done"), .send(.place)])
        #expect(dropped.isSame)
    }

    @Test("a call is not open twice at once: its end is the reset")
    func open() {
        func explorer(_ policy: EffectPolicy) -> Explorer<Order.State, Order.Event> {
            Order.explorer(policy: policy) { world in
                world.neverTwice("one order at a time", .call("order"), until: .end(of: "order"))
            }
        }
        #expect(explored(explorer(.drop), depth: 5) == (nil, nil, true))
        #expect(explorer(.drop).check(depth: 20, mustBeComplete: true).isComplete)
        #expect(explored(explorer(.concurrent), depth: 4).steps == [.send(.place), .send(.place)])
        #expect(explored(explorer(.replace), depth: 4) == (nil, nil, true))
    }

    @Test("a state is not entered twice; a state that is shown again is not entered again")
    func state() {
        let explorer = Order.explorer { world in
            world.neverTwice("only one order fails", .state { $0 == .failed })
        }
        let found = explored(explorer, depth: 5)
        #expect(
            found.steps == [
                .send(.place), .answer("order", "refused"), .send(.place), .answer("order 2", "refused"),
            ])
        #expect(found.isSame)
        let carts = Order.explorer { world in
            world.neverTwice("the cart is there at the start only", .state { $0 == .cart })
        }
        #expect(explored(carts, depth: 3).steps == [.send(.place), .send(.new)])
    }
}
