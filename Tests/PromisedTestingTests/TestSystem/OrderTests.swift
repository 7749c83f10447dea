import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// The order in which events are received, if a test asks for it.
@Suite struct OrderTests {
    private func test(inOrder: Bool) -> TestSystem<AnyOrderTests.State, AnyOrderTests.Event> {
        let test = TestSystem(initialState: .init(), feature: AnyOrderTests.feature)
        test.receivesInOrder = inOrder
        test.send(.load)
        test.advance(by: .seconds(2))
        return test
    }

    @Test("OS-55: in order, an event that is received too early is reported, once") func tooEarly() {
        let texts = failures {
            let test = test(inOrder: true)
            test.receive(.second("tea")) { $0.names = ["tea"] }
            test.receive(.first(1)) { $0.count = 1 }
            test.finish()
        }
        #expect(texts.count == 1)
        #expect(
            texts.first?.replacing(#/AnyOrderTests.swift:\d+/#, with: "AnyOrderTests.swift:1") == """
                Expected to receive second("tea") next, but this came before it:

                    first(1), sent at PromisedTestingTests/AnyOrderTests.swift:1

                Receive it first, or leave receivesInOrder false, so that any order is accepted.
                """)
    }

    @Test("OS-55: in order, events that are received in their order pass; otherwise any order does")
    func passes() {
        let inOrder = test(inOrder: true)
        inOrder.receive(.first(1)) { $0.count = 1 }
        inOrder.receive(.second("tea")) { $0.names = ["tea"] }
        inOrder.finish()
        let anyOrder = test(inOrder: false)
        anyOrder.receive(.second("tea")) { $0.names = ["tea"] }
        anyOrder.receive(.first(1)) { $0.count = 1 }
        anyOrder.finish()
    }

    @Test("OS-56: what is left at the release of a test system is reported where it was created")
    func released() {
        let line = #line + 2
        let lines = failingLines {
            let test = TestSystem(initialState: .init(), feature: AnyOrderTests.feature)
            test.send(.add(1))
        }
        #expect(lines == [line])
    }
}
