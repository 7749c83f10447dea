import PromisedSystem
import PromisedTesting
import Testing

/// A test system with the program's own event policy and time limit.
@Suite struct TestSystemPolicyTests {
    enum Event: Sendable, Equatable { case load, cancel }

    struct Page: FeatureProtocol {
        typealias State = String
        var reducer: Reducer<String, Event> {
            Reducer { state, event in
                switch event {
                case .load: Promise.value("loaded").delay(.seconds(20)).stateWhenLoading("loading")
                case .cancel: .value(state)
                }
            }
        }
    }

    @Test("An event policy lets an event replace the running transition") func policy() {
        let test = TestSystem(
            initialState: "", feature: Page(),
            configuration: .init(eventPolicy: { $0 == .cancel ? .replace : .queue }))
        test.send(.load) { $0 = "loading" }
        test.send(.cancel) { $0 = "" }
        test.finish()
    }

    @Test("A time limit ends a transition with a failure, which can be received") func timeLimit() {
        let test = TestSystem(
            initialState: "", feature: Page(), configuration: .init(timeLimit: { _ in .seconds(10) }))
        test.send(.load) { $0 = "loading" }
        test.advance(by: .seconds(10))
        test.receiveFailure(PromiseError.self)
        test.assert { $0 = "" }
        test.finish()
    }

    @Test("A reducer that is a closure takes both") func closure() {
        let test = TestSystem<Int, Int>(
            initialState: 0,
            configuration: .init(
                eventPolicy: { $0 == 0 ? .replace : .queue }, timeLimit: { _ in .seconds(10) })
        ) { count, number in
            number == 0 ? .value(0) : Promise.value(count + number).delay(.seconds(20))
        }
        test.send(1)
        test.send(0)
        test.send(2)
        test.advance(by: .seconds(10))
        test.receiveFailure(PromiseError.self)
        test.finish()
    }
}
