import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// A dependency that the test answers by hand.
@Suite struct StubTests {
    private struct Refused: Error, CustomStringConvertible { let description = "refused" }

    private let price = Stub<String, Int>("price")

    private func ask(_ names: String...) -> [Promise<Int>] { names.map { price($0).start() } }

    private func values(_ promises: [Promise<Int>]) -> [Int?] { promises.map { try? $0.result?.get() } }

    @Test("a call counts when its promise is started, and not when it is built") func lazy() {
        let promise = price("tea")
        #expect(price.inputs.isEmpty)
        promise.start()
        promise.start()
        #expect(price.inputs == ["tea"])
        price("tea").start()
        #expect([price].map(\.inputs) == [["tea", "tea"]])
    }

    @Test("the oldest open call is settled first, unless another is chosen") func choice() {
        let calls = ask("tea", "mug", "lamp", "mug", "rug")
        price.fulfill(1)
        #expect(values(calls) == [1, nil, nil, nil, nil])
        price.fulfill(2, call: .newest)
        price.fulfill(3, call: .with("mug"))
        price.fulfill(4, call: .with("mug"))
        price.fulfill(5, call: .first { $0.hasPrefix("l") })
        #expect(values(calls) == [1, 3, 5, 4, 2])
        let more = ask("cup", "pan")
        price.fulfill(6, call: .number(7))
        #expect(values(more) == [nil, 6])
        #expect(price.calls.map(\.number) == Array(1...7))
        #expect(price.calls.filter(\.isOpen).map(\.input) == ["cup"])
    }

    @Test("a call can be rejected, and can deliver interim values before the outcome")
    func others() throws {
        let told = Lock<[String]>([])
        price("tea").onInterim { value in told.withLock { $0.append("\(value)?") } }
            .done { value in told.withLock { $0.append("\(value)") } }
        price.report(1)
        price.report(2)
        #expect(price.calls[0].isOpen)
        price.fulfill(3)
        price("mug").catch { error in told.withLock { $0.append("\(error)") } }
        price.reject(Refused())
        #expect(told.withLock { $0 } == ["1?", "2?", "3", "refused"])
        #expect(price.calls.map(\.state) == [.fulfilled, .rejected])
    }

    @Test("a call that is cancelled is marked as cancelled; one that was answered is not")
    func cancelled() {
        let calls = ask("tea", "mug")
        calls[0].cancel()
        price.fulfill(1)
        calls[1].cancel()
        #expect(price.calls.map(\.isCancelled) == [true, false])
        #expect(price.calls.map(\.description) == ["1. tea: cancelled", "2. mug: fulfilled"])
        price.finish()
    }

    @Test("a stub takes no input or several") func arity() throws {
        let stock = Stub<Void, Int>("stock")
        let buy = Stub<(String, Int), Bool>("buy")
        let empty: @Sendable () -> Promise<Int> = stock.function
        let both: @Sendable (String, Int) -> Promise<Bool> = { buy($0, $1) }
        let count = empty().start()
        stock.fulfill(7)
        #expect(try count.result?.get() == 7)
        #expect(stock.calls.map(\.description) == ["1. (): fulfilled"])
        let bought = [both("tea", 1), both("tea", 2)].map { $0.start() }
        buy.fulfill(true, call: .with("tea", 2))
        #expect(try bought.map { try $0.result?.get() } == [nil, true])
        #expect(buy.inputs[0] == ("tea", 1))
        #expect(buy.calls.map(\.description) == ["1. (\"tea\", 1): open", "2. (\"tea\", 2): fulfilled"])
    }

    @Test("SR-43: in a tested system, the next event cancels a call, and another call is answered")
    func system() {
        enum Event: Sendable, Equatable { case look(String), found(Int) }
        struct State: Sendable, Equatable { var text = "", hits = 0 }
        let test = TestSystem(
            initialState: State(),
            feature: Feature(
                reducer: Reducer<State, Event> { state, event in
                    switch event {
                    case .look(let text): state.text = text
                    case .found(let hits): state.hits = hits
                    }
                },
                feedbacks: [
                    .lensingSkippingRepeated(state: { $0.text.isEmpty ? nil : $0.text }) { [price] text in
                        price(text).map(Event.found)
                    }
                ]))
        test.send(.look("te")) { $0.text = "te" }
        test.send(.look("tea")) { $0.text = "tea" }
        #expect(price.calls.map(\.description) == ["1. te: cancelled", "2. tea: open"])
        price.fulfill(3)
        test.advance()
        test.receive(.found(3)) { $0.hits = 3 }
        test.finish()
        price.finish()
    }

    @Test("releasing a stub leaves no suspended task and reports nothing") func released() {
        let ended = Lock<[String]>([])
        do {
            let gone = Stub<String, Int>("gone")
            gone("tea").catch { error in ended.withLock { $0.append("\(error)") } }
        }
        #expect(ended.withLock { $0 } == ["CancellationError()"])
    }

    // MARK: Failures

    @Test("settling a stub that was not called is reported") func notCalled() {
        _ = price("tea")
        #expect(
            failures { price.fulfill(3) } == [
                """
                "price" cannot be fulfilled: it was not called.

                A call begins when its promise is started, not when it is built. Trigger it first, and move the \
                clock with advance(by:) if it comes later.
                """
            ])
    }

    @Test("settling a stub without an open call is reported") func noneOpen() {
        ask("tea", "mug")[1].cancel()
        price.fulfill(1)
        #expect(
            failures { price.reject(Refused()) } == [
                """
                "price" cannot be rejected: no call of it is open. Its calls, and what became of them:

                    1. tea: fulfilled
                    2. mug: cancelled

                A call can be settled only once. Settle an open call, or trigger another one first.
                """
            ])
    }

    @Test("settling a chosen call that is not open, or does not exist, is reported")
    func otherCall() {
        let calls = ask("tea", "mug")
        calls[0].cancel()
        func told(_ reason: String) -> [String] {
            [
                """
                "price" \(reason). Its calls, and what became of them:

                    1. tea: cancelled
                    2. mug: open

                A call can be settled only once. Settle an open call, or trigger another one first.
                """
            ]
        }
        #expect(
            failures { price.fulfill(1, call: .with("tea")) }
                == told("cannot be fulfilled: no call of it with tea is open"))
        #expect(
            failures { price.report(1, call: .first { $0.isEmpty }) }
                == told("cannot report an interim value: no call of it that the closure accepts is open"))
        #expect(
            failures { price.reject(Refused(), call: .number(1)) }
                == told("cannot be rejected: call 1 is over"))
        #expect(
            failures { price.fulfill(1, call: .number(3)) }
                == told("cannot be fulfilled: it has no call 3"))
        price.fulfill(1)
        #expect(values(calls) == [nil, 1])
    }

    @Test("calls that are still open at the end are reported on request") func openAtEnd() {
        withExtendedLifetime(ask("tea", "mug")) {
            price.fulfill(1)
            #expect(
                failures { price.finish() } == [
                    """
                    Expected no call of "price" to be open at the end, but 1 of 2 is:

                        1. tea: fulfilled
                        2. mug: open

                    Settle what is open, or do what cancels it, before finish().
                    """
                ])
        }
    }

    @Test("a failure is reported at the place of the call") func place() {
        #expect(failingLines { price.fulfill(1) } == [#line])
        #expect(failingLines { price.reject(Refused()) } == [#line])
        #expect(failingLines { price.report(1) } == [#line])
        withExtendedLifetime(ask("tea")) { #expect(failingLines { price.finish() } == [#line]) }
    }
}
