import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// Asserting a part of the state covers that part, and nothing else.
@Suite struct PartTests {
    struct State: Sendable, Equatable {
        var count = 0
        var title = "start"
        var isBusy = false
    }

    enum Event: Sendable, Equatable { case add(Int), both, load }

    static let reducer = Reducer<State, Event>({ state, event in
        switch event {
        case .add(let number): return .value(State(count: state.count + number, title: state.title))
        case .both: return .value(State(count: state.count + 4, title: "both"))
        case .load:
            return Promise.value(State(count: state.count + 1, title: state.title)).delay(.seconds(1))
                .stateWhenLoading(State(count: state.count, title: "busy", isBusy: true))
        }
    })

    private func test() -> TestSystem<State, Event> {
        TestSystem(initialState: State(), feature: Feature(reducer: Self.reducer))
    }

    private static func notAsserted(_ kind: String, _ instant: String, _ change: String) -> String {
        """
        A \(kind) state was not asserted, shown at \(instant):

        \(change)

        Assert it with send(_:), receive(_:) or assert(_:), or leave it out with skipStates().
        """
    }

    @Test(
        "OS-54: another part that changed is reported at the end, and the asserted part is not reported again"
    )
    func rest() {
        let texts = failures {
            let test = test()
            test.send(.both)
            test.assert(\.count, 4)
            test.finish()
        }
        #expect(texts == [Self.notAsserted("settled", "0.0 seconds", #"    title: "start" → "both""#)])
    }

    @Test("OS-54: asserting a part leaves an earlier loading state to be asserted")
    func loading() {
        let texts = failures {
            let test = test()
            test.send(.load)
            test.advance(by: .seconds(1))
            test.assert(\.count, 1)
            test.finish()
        }
        #expect(
            texts == [
                Self.notAsserted(
                    "loading", "0.0 seconds", "    title: \"start\" → \"busy\"\n    isBusy: false → true"),
                Self.notAsserted(
                    "settled", "1.0 seconds", "    title: \"busy\" → \"start\"\n    isBusy: true → false"),
            ])
    }

    @Test("OS-54: asserting the current value of a part leaves its values in between to be asserted")
    func between() {
        let texts = failures {
            let test = test()
            test.send(.add(1))
            test.send(.add(2))
            test.assert(\.count, 3)
            test.finish()
        }
        #expect(texts == [Self.notAsserted("settled", "0.0 seconds", "    count: 0 → 1")])
    }

    @Test("OS-54: a part that a loading state changes and the settled state restores is reported for both")
    func restored() {
        let texts = failures {
            let test = test()
            test.send(.load)
            test.advance(by: .seconds(1))
            test.assert(\.count, 1)
            test.assert(\.title, "start")
            test.assert(\.isBusy, false)
            test.finish()
        }
        #expect(
            texts == [
                Self.notAsserted(
                    "loading", "0.0 seconds", "    title: \"start\" → \"busy\"\n    isBusy: false → true")
            ])
    }

    @Test("OS-54: after a part, a closure asserts the rest of the same state")
    func closureForTheRest() {
        let test = test()
        test.send(.both)
        test.assert(\.count, 4)
        test.assert { $0.title = "both" }
        test.send(.add(1)) { $0.count = 5 }
        test.finish()
    }

    @Test("OS-54: after a part of a later state, closures assert the earlier state and the rest")
    func closureForEarlier() {
        let test = test()
        test.send(.load)
        test.advance(by: .seconds(1))
        test.assert(\.count, 1)
        test.assert {
            $0.title = "busy"
            $0.isBusy = true
        }
        test.assert {
            $0.title = "start"
            $0.isBusy = false
        }
        test.finish()
    }

    @Test("OS-54: asserting all parts of a state one by one covers it") func allParts() {
        let test = test()
        test.send(.both)
        test.assert(\.title, "both")
        test.assert(\.count, 4)
        test.send(.add(1)) { $0.count += 1 }
        test.finish()
    }

    @Test("OS-54: a part that is not as expected is reported once") func wrong() {
        let texts = failures {
            let test = test()
            test.send(.add(1))
            test.assert(\.count, 2)
            test.finish()
        }
        #expect(
            texts == [
                """
                A part of the state is not as expected. From what was expected to what it is:

                    2 → 1
                """
            ])
    }
}
