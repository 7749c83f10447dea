import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// With a lower exhaustivity, only what the test asserts is compared.
@Suite struct ExhaustivityTests {
    struct State: Sendable, Equatable {
        var count = 0
        var title = "start"
        var items: [String] = []
    }

    enum Event: Sendable, Equatable { case add(Int), rename, both(Int), load }

    static let reducer = Reducer<State, Event>({ state, event in
        var state = state
        switch event {
        case .add(let number): state.count += number
        case .rename: state.title = "new"
        case .both(let number):
            (state.count, state.title) = (state.count + number, "new")
            state.items = ["tea", "mug"]
        case .load:
            state.title = "busy"
            let loading = state
            (state.count, state.title) = (state.count + 1, "done")
            return Promise.value(state).stateWhenLoading(loading)
        }
        return .value(state)
    })

    private func test(_ exhaustivity: Exhaustivity = .off) -> TestSystem<State, Event> {
        TestSystem(
            initialState: State(), feature: Feature(reducer: Self.reducer), exhaustivity: exhaustivity)
    }

    @Test("OS-57: with .off, unasserted changes of an earlier event are not compared")
    func before() {
        let test = test()
        test.send(.rename)
        test.send(.add(1)) { $0.count = 1 }
        test.send(.rename)
        test.assert { $0.count = 1 }
        test.finish()
    }

    @Test("OS-57: with .off, unasserted changes of the same event are not compared")
    func sameEvent() {
        let test = test()
        test.send(.both(1)) { $0.count = 1 }
        test.send(.both(2)) { $0.count += 2 }
        test.send(.both(1)) { $0.title = "new" }
        test.finish()
    }

    @Test("OS-57: with .off, a loading state that was not asserted is not compared") func loading() {
        let test = test()
        test.send(.load) { $0.title = "done" }
        test.send(.load) { $0.title = "busy" }
        test.send(.load)
        test.assert { $0.count = 3 }
        test.assert(\.title, "done")
        test.finish()
    }

    @Test("OS-57: with .off, a wrong assertion is reported, and nothing else") func wrong() {
        func text(_ what: String, _ change: String) -> String {
            """
            The settled state\(what) is not as expected. From what was expected to what it is:

                \(change)
            """
        }
        #expect(
            failures { test().send(.both(1)) { $0.count = 2 } } == [text(" after both(1)", "count: 2 → 1")])
        #expect(
            failures { test().send(.both(1)) { $0.count = 0 } } == [text(" after both(1)", "count: 0 → 1")])
        #expect(
            failures { test().send(.both(1)) { $0.count += 2 } } == [text(" after both(1)", "count: 2 → 1")])
        #expect(
            failures { test().send(.both(1)) { $0.items = ["tea"] } } == [
                text(" after both(1)", #"items[1]: + "mug""#)
            ])
        #expect(
            failures {
                let test = test()
                test.send(.rename)
                test.send(.add(2))
                test.assert { $0.count = 1 }
            } == [text("", "count: 1 → 2")])
    }

    @Test("OS-57: with .off, an expected change that did not happen is reported") func noChange() {
        let texts = failures {
            let test = test()
            test.send(.rename)
            test.send(.rename) { $0.count = 1 }
        }
        #expect(texts.count == 1)
        #expect(
            texts.first?.hasPrefix("Expected the state to change after rename, but nothing new was shown.")
                == true)
        #expect(texts.first?.contains("    count: 0 → 1") == true)
    }

    @Test("OS-57: with .states, every shown state must be asserted, and nothing else")
    func states() {
        let texts = failures { test(.states).send(.both(1)) { $0.count = 1 } }
        #expect(texts.count == 1)
        #expect(texts.first?.contains(#"title: "start" → "new""#) == true)
    }

    @Test("OS-57: with .off, an expected element that was not added is reported with its collection")
    func expectedElement() {
        let texts = failures { test().send(.both(1)) { $0.items.append("cup") } }
        #expect(texts.count == 1)
        #expect(texts.first?.contains("items[0]") == true)
    }

    @Test("OS-57: with .off, a property whose name begins with that of an asserted one is not compared")
    func names() {
        struct Shelf: Sendable, Equatable { var item = 0, items = 0 }
        let texts = failures {
            let test = TestSystem<Shelf, Int>(initialState: Shelf(), exhaustivity: .off) { shelf, number in
                .value(Shelf(item: shelf.item + number, items: shelf.items + number))
            }
            test.send(2) { $0.item = 3 }
        }
        #expect(
            texts == [
                """
                The settled state after 2 is not as expected. From what was expected to what it is:

                    item: 3 → 2
                """
            ])
    }

    @Test("OS-57: with .off, each assertion starts from the last asserted state") func several() {
        let test = test()
        test.send(.add(1))
        test.send(.add(2))
        test.assert { $0.count += 3 }
        test.finish()
    }

    @Test("OS-57: with all but .events, a state that an event led to must be asserted like any other")
    func statesOfEvents() {
        let following = Feedback<State, Event>.onEvent({ $0 == .rename ? true : nil }) { _ in
            Effect<Event>.just(.add(1))
        }
        let texts = failures {
            let test = TestSystem(
                initialState: State(), feature: Feature(reducer: Self.reducer, feedbacks: [following]),
                exhaustivity: .on.subtracting(.events))
            test.send(.rename) { $0.title = "new" }
            test.finish()
        }
        #expect(texts.count == 1)
        #expect(texts.first?.hasPrefix("A settled state was not asserted") == true)
        #expect(texts.first?.contains("count: 0 → 1") == true)
    }

    @Test("OS-57: skipped states need not be asserted") func skipped() {
        let texts = failures {
            let test = test(.on)
            test.send(.add(1))
            test.send(.add(2))
            test.skipStates()
            test.finish()
        }
        #expect(texts.isEmpty)
    }
}
