import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// A state with NaN can be asserted.
@Suite struct NaNTests {
    private struct Gauge: Sendable, Equatable { var number = 0.0, list: [Double] = [], title = "" }

    private func test() -> TestSystem<Gauge, Double> {
        TestSystem(
            initialState: Gauge(),
            feature: Feature(
                reducer: Reducer { gauge, number in (gauge.number, gauge.list) = (number, [1, number]) },
                feedbacks: [.onEvent({ $0 == 7 ? $0 : nil }) { _ in Promise.value(Double.nan) }]))
    }

    @Test("OS-53: NaN is asserted by a closure and by a part, and received as an event") func asserted() {
        let texts = failures {
            let test = test()
            test.send(.nan) { ($0.number, $0.list) = (.nan, [1, .nan]) }
            test.send(.nan)
            test.assert { _ in }
            test.send(7) { ($0.number, $0.list) = (7, [1, 7]) }
            test.receive(.nan)
            test.assert(\.number, .nan)
            test.assert { $0.list = [1, .nan] }
            test.finish()
        }
        #expect(texts == [])
    }

    @Test("OS-53: NaN in an array alone is asserted") func array() {
        let texts = failures {
            let test = TestSystem<[Double], Double>(
                initialState: [], feature: Feature(reducer: Reducer { $0 = [1, $1] }))
            test.send(.nan) { $0 = [1, .nan] }
            test.assert(\.self, [1, .nan])
            test.finish()
        }
        #expect(texts == [])
    }

    @Test("OS-57: with parts of the exhaustivity, too") func partly() {
        let texts = failures {
            let test = test()
            test.exhaustivity = .off
            test.send(.nan) { $0.number = .nan }
            test.assert { $0.list = [1, .nan] }
            test.finish()
        }
        #expect(texts == [])
    }

    @Test("OS-53: another number in place of NaN, or beside it, is a failure") func wrong() {
        let texts = failures {
            let test = test()
            test.send(.nan) { ($0.number, $0.list) = (2, [1, .nan]) }
            test.send(.nan)
            test.assert(\.number, 3)
            test.finish()
        }
        #expect(texts.count == 2)
    }

    @Test("OS-53: a call of a stub is found by NaN, and a law about it holds") func doublesAndLaws() {
        let texts = failures {
            let level = Stub<Double, Int>("level")
            let answer = level(.nan).start(on: .immediate)
            level.fulfill(3, call: .with(.nan))
            #expect(answer.result != nil)
        }
        #expect(texts == [])
        #expect(Law.Counterexample.unless([1, Double.nan], [1, .nan], [:]) == nil)
        #expect(Law.Counterexample.unless([1, Double.nan], [2, .nan], [:]) != nil)
    }
}
