import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// Events are received in any order, and each state is compared with the one directly before it.
@Suite struct AnyOrderTests {
    struct State: Sendable, Equatable {
        var count = 0
        var names: [String] = []
    }

    enum Event: Sendable, Equatable { case load, first(Int), second(String), add(Int) }

    static let feature = Feature<State, Event>(
        reducer: Reducer { state, event in
            switch event {
            case .load: break
            case .first(let number), .add(let number): state.count += number
            case .second(let name): state.names.append(name)
            }
        },
        feedbacks: [
            .onEvent({ if case .load = $0 { 1 } else { nil } }) { number in
                Promise.value(.first(number)).delay(.seconds(1))
            },
            .onEvent({ if case .load = $0 { "tea" } else { nil } }) { name in
                Promise.value(.second(name)).delay(.seconds(2))
            },
        ])

    private func test() -> TestSystem<State, Event> {
        let test = TestSystem(initialState: State(), feature: Self.feature)
        test.send(.load)
        test.advance(by: .seconds(2))
        return test
    }

    @Test("OS-55: receiving out of order never moves the expected state backwards") func notBackwards() {
        let test = test()
        test.receive(.second("tea")) { $0.names = ["tea"] }
        test.receive(.first(1)) { $0.count = 1 }
        test.send(.add(1)) { $0.count += 1 }
        test.send(.add(1)) { $0 = State(count: 3, names: ["tea"]) }
        test.finish()
        #expect(test.state == State(count: 3, names: ["tea"]))
    }

    @Test("OS-55: a closure starts from the state before the one that is asserted")
    func relative() {
        let test = test()
        test.receive(.second("tea")) { $0.names.append("tea") }
        test.receive(.first(1)) { $0.count += 1 }
        test.finish()
    }

    @Test("OS-55: the state of an event that is received without one remains to be asserted") func stays() {
        let texts = failures {
            let test = test()
            test.receive(.second("tea")) { $0.names = ["tea"] }
            test.receive(.first(1))
            test.finish()
        }
        #expect(texts.count == 1 && texts[0].contains("    count: 0 → 1"))
    }

    @Test("OS-55: an event can be received only once") func once() {
        let texts = failures {
            let test = test()
            test.receive(.first(1)) { $0.count = 1 }
            test.receive(.first(1))
            test.receive(.second("tea")) { $0.names = ["tea"] }
            test.finish()
        }
        #expect(texts.count == 1 && texts[0].hasPrefix("Expected to receive first(1), but these came:"))
    }
}
