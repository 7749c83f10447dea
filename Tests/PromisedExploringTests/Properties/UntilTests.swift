import PromisedExploring
import PromisedSystem
import Testing

@Suite struct UntilTests {
    @Test("a property from the start until something happens holds, and is not expected afterwards")
    func fromStart() {
        let explorer = Order.explorer { world in
            world.always("nothing is placed before the order is", until: .call("order")) { $0 == .cart }
        }
        // The state is shown before the effect starts.
        #expect(explored(explorer, depth: 4).steps == [.send(.place)])
        let untilEvent = Order.explorer { world in
            world.always("it is a cart until it is placed", until: .event(Order.Event.place)) { $0 == .cart }
        }
        #expect(explored(untilEvent, depth: 4) == (nil, nil, true))
    }

    @Test("a property between two events is expected again each time")
    func between() {
        let explorer = Order.explorer { world in
            world.always(
                "a placed order stays", from: .state { $0 == .placed }, until: .event(Order.Event.place)
            ) {
                $0 == .placed
            }
        }
        let found = explored(explorer, depth: 5)
        #expect(found.steps == [.send(.place), .answer("order", "done"), .send(.new)])
        #expect(
            found.text?.hasPrefix(
                "\"a placed order stays\" does not hold after 3 steps. It is broken by .cart.") == true)
        #expect(found.isSame)

        let mended = Order.explorer { world in
            world.always(
                "a placed order stays", from: .state { $0 == .placed }, until: .state { $0 == .cart }
            ) {
                [.placed, .placing].contains($0)
            }
        }
        #expect(
            explored(mended, depth: 5).steps == [
                .send(.place), .answer("order", "done"), .send(.place), .answer("order 2", "refused"),
            ])
    }

    @Test("what a property remembers is part of a configuration: the same state is met with and without it")
    func memory() {
        let explorer = Order.explorer { world in
            world.always(
                "no cart after a refusal", from: .answer("order", "refused"), until: .end(of: "nothing")
            ) {
                $0 != .cart
            }
        }
        let found = explored(explorer, depth: 5)
        #expect(found.steps == [.send(.place), .answer("order", "refused"), .send(.new)])
        #expect(found.isSame)
    }
}
