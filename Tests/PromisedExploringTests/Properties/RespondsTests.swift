import PromisedExploring
import PromisedSystem
import Testing

@Suite struct RespondsTests {
    private func explorer(limit: Duration?) -> Explorer<Order.State, Order.Event> {
        Order.explorer(limit: limit) { world in
            world.responds("an order ends", to: .event(Order.Event.place), within: .seconds(5)) {
                $0 != .placing
            }
        }
    }

    @Test("a response in time: the clock is advanced to the end of it, also where no timer runs")
    func time() {
        let found = explored(explorer(limit: nil), depth: 3)
        #expect(found.steps == [.send(.place), .advance(by: .seconds(5))])
        #expect(
            found.text?.hasPrefix(
                "\"an order ends\" does not hold after 2 steps: there was no response within 5.0 seconds.")
                == true)
        #expect(found.isSame)
        #expect(
            explored(explorer(limit: .seconds(6)), depth: 4).steps == [
                .send(.place), .advance(by: .seconds(5)),
            ])
        #expect(explored(explorer(limit: .seconds(5)), depth: 4) == (nil, nil, true))
        #expect(explored(explorer(limit: .seconds(2)), depth: 4) == (nil, nil, true))
        explorer(limit: .seconds(2)).check(depth: 30, mustBeComplete: true)
    }

    @Test("a second trigger does not extend the time of the first")
    func earliest() {
        let found = explored(explorer(limit: .seconds(6)), depth: 5)
        #expect(found.steps?.count == 2)
        let late = Order.explorer { world in
            world.responds("an order ends", to: .event(Order.Event.place), within: .seconds(5)) {
                $0 == .placed
            }
        }
        let texts = failures {
            late.replay(
                .send(.place), .advance(by: .seconds(4)), .send(.place), .advance(by: .seconds(1)))
        }
        #expect(texts.count == 1)
        late.replay(
            .send(.place), .advance(by: .seconds(4)), .answer("order", "done"), .advance(by: .seconds(9)))
        #expect(
            failures { late.replay(.send(.place), .advance(by: .seconds(9)), .answer("order", "done")) }.count
                == 1)
    }

    @Test("a response within a number of steps, and in the same step")
    func steps() {
        func explorer(_ steps: Int) -> Explorer<Order.State, Order.Event> {
            Order.explorer { world in
                world.responds("done is shown", to: .answer("order", "done"), withinSteps: steps) {
                    $0 == .placed
                }
                world.responds("an order ends", to: .event(Order.Event.place), withinSteps: steps) {
                    $0 != .placing
                }
            }
        }
        let found = explored(explorer(0), depth: 3)
        #expect(found.steps == [.send(.place)])
        #expect(found.text?.contains("there was no response in the same step") == true)
        let later = explored(explorer(1), depth: 4)
        #expect(later.steps == [.send(.place), .send(.place)])
        #expect(later.text?.contains("there was no response within 1 step.") == true)
        #expect(found.isSame && later.isSame)
        let atOnce = Order.explorer { world in
            world.responds("done is shown", to: .answer("order", "done"), withinSteps: 0) { $0 == .placed }
        }
        #expect(explored(atOnce, depth: 4) == (nil, nil, true))
    }

    @Test("a step that only enqueues an event counts as a step")
    func queue() {
        let explorer = Explorer<Int, Int>(events: [1]) { world in
            world.responds("it is added", to: .event(1), withinSteps: 2) { $0 > 0 }
            return System(initialState: 0, scheduler: world.scheduler) { count, number in
                world.call("add", .value(count + number))
            }
        }
        let found = explored(explorer, depth: 4)
        #expect(found.steps == [.send(1), .send(1), .send(1)])
        #expect(found.isSame)
    }

    @Test("a property whose trigger never happens is a gap")
    func vacuous() {
        let explorer = Order.explorer { world in
            world.responds("lost", to: .answer("order", "lost"), withinSteps: 0) { $0 == .failed }
            world.neverTwice("twice", .event("place"))
            world.always("from", from: .event(Order.Event.failed), until: .event(Order.Event.new)) { _ in true
            }
            world.always("until", until: .event("place")) { _ in true }
            world.neverTwice("none", .call("other"), until: .event(Order.Event.new))
        }
        let gaps = explorer.check(depth: 20).gaps
        #expect(gaps == [.neverTriggered("lost"), .neverTriggered("twice"), .neverTriggered("none")])
        #expect(explorer.explore(depth: 0).gaps.contains(.neverTriggered("from")))
        #expect(failures { explorer.check(depth: 20, mustBeComplete: true) }.count == 1)
    }

    @Test("without a limit, a response is expected on every fair path")
    func fair() {
        func explorer(retries: Bool = false, hangs: Bool = false) -> Explorer<Order.State, Order.Event> {
            Order.explorer(retries: retries, hangs: hangs) { world in
                world.responds("an order ends", to: .event(Order.Event.place)) {
                    $0 == .placed || $0 == .failed || $0 == .cart
                }
            }
        }
        #expect(explored(explorer(), depth: 5) == (nil, nil, true))
        // A call that is never answered is not fair.
        #expect(explored(explorer(hangs: true), depth: 4).steps == nil)
        let found = explorer(retries: true).explore(depth: 6).counterexample
        #expect(found?.steps == [.send(.place), .answer("order", "refused")])
        #expect(found?.cycle == 1..<2)
    }
}
