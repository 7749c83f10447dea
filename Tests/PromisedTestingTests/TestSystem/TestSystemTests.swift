import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// What a test of a system must assert, and what is reported if it does not.
@Suite struct TestSystemTests {
    struct State: Sendable, Equatable {
        var count = 0
        var title = "start"
    }

    enum Event: Sendable, Equatable { case add(Int), load, loaded(Int), stop }

    static let reducer = Reducer<State, Event> { state, event in
        switch event {
        case .add(let number), .loaded(let number): state.count += number
        case .load: state.title = "loading"
        case .stop: break
        }
    }

    static let loading = Feedback<State, Event>.onEvent(
        { if case .load = $0 { 3 } else { nil } as Int? }, key: { _ in "load" }
    ) { number in Promise.value(Event.loaded(number)).delay(.seconds(1)) }

    private func test(_ exhaustivity: Exhaustivity = .on) -> TestSystem<State, Event> {
        TestSystem(
            initialState: State(), feature: Feature(reducer: Self.reducer, feedbacks: [Self.loading]),
            exhaustivity: exhaustivity)
    }

    @Test("OS-53, OS-55: if everything that happens is asserted, nothing is reported") func complete() {
        let test = test()
        test.send(.add(2)) { $0.count = 2 }
        test.send(.load) { $0.title = "loading" }
        test.advance(by: .seconds(1))
        test.receive(.loaded(3)) { $0.count = 5 }
        test.finish()
        #expect(test.state == State(count: 5, title: "loading"))
    }

    @Test("OS-53, R27: a state other than expected is reported with the differences") func wrongState() {
        let told = failures {
            let test = test()
            test.send(.add(1)) { $0.count = 2 }
            test.finish()
        }
        #expect(
            told == [
                """
                The settled state after add(1) is not as expected. From what was expected to what it is:

                    count: 2 → 1
                """
            ])
    }

    @Test("OS-53: an expected change that does not happen is reported") func noChange() {
        let told = failures {
            let test = test()
            test.send(.stop) { $0.count = 1 }
            test.finish()
        }
        #expect(
            told == [
                """
                Expected the state to change after stop, but nothing new was shown. The change that was expected:

                    count: 0 → 1

                If it comes later, move the clock with advance(by:) first.
                """
            ])
    }

    @Test("OS-54, R27: asserting a part leaves the rest to be asserted, which is reported at the end")
    func part() {
        let told = failures {
            let test = test()
            test.send(.load)
            test.send(.add(4))
            test.assert(\.count, 4)
            test.assert(\.title, "done")
            test.advance(by: .seconds(1))
            test.receive(.loaded(3)) { $0.count = 7 }
            test.finish()
        }
        #expect(
            told == [
                """
                A part of the state is not as expected. From what was expected to what it is:

                    "done" → "loading"
                """
            ])
    }

    @Test(
        "SR-43, OS-55: an event that was not received is reported once, with the state it led to and the place that sent it"
    )
    func notReceived() {
        let told = failures {
            let test = test()
            test.send(.load) { $0.title = "loading" }
            test.advance(by: .seconds(1))
            test.finish()
        }
        #expect(told.count == 1)
        #expect(told.first?.hasPrefix("An event was not received: loaded(3), sent at ") ?? false)
        #expect(told.first?.contains("    count: 0 → 3") ?? false)
        #expect(told.first?.hasSuffix("Receive it with receive(_:) before the end of the test.") ?? false)
    }

    @Test("OS-55, R27: an expected event that was not sent is reported, with those that were") func absent() {
        let none = failures {
            let test = test()
            test.receive(.loaded(1))
            test.finish()
        }
        #expect(
            none == [
                """
                Expected to receive loaded(1), but there is no event left to receive.

                What sends it may need time: move the clock with advance(by:) first. That does not affect what runs on \
                another scheduler or sleeps: replace it with a Stub.
                """
            ])
        #expect(
            failures { test().receive(where: { $0 == .stop }) }.first?.hasPrefix(
                "Expected to receive an event that the closure accepts, but there is no event left") == true)
        let other = failures {
            let test = test()
            test.send(.load) { $0.title = "loading" }
            test.advance(by: .seconds(1))
            test.receive(.loaded(1))
            test.receive(.loaded(3)) { $0.count = 3 }
            test.finish()
        }
        #expect(
            other.first?.hasPrefix(
                "Expected to receive loaded(1), but these came:\n\n    loaded(3), sent at ") ?? false)
        #expect(other.count == 1)
    }

    @Test("OS-56, R27: work that is still running is reported once, by its key") func running() {
        let told = failures {
            let test = test()
            test.send(.load) { $0.title = "loading" }
            test.finish()
        }
        #expect(told.count == 1)
        #expect(
            told.first?.hasPrefix("The effect load, requested at PromisedTestingTests/TestSystemTests.swift:")
                ?? false)
        #expect(
            told.first?.hasSuffix(
                "is still running. Move the clock until it is over, or send what ends it, before the end of the test, or leave it out with skipRunningWork(_:)."
            )
                ?? false)
    }

    @Test("OS-56: releasing a test system that was not finished reports what is left") func released() {
        let told = failures { test().send(.add(1)) }
        #expect(
            told == [
                """
                A settled state was not asserted, shown at 0.0 seconds:

                    count: 0 → 1

                Assert it with send(_:), receive(_:) or assert(_:), or leave it out with skipStates().
                """
            ])
    }

    private enum RowEvent: Sendable, Equatable { case row(Int), all(Int) }

    @Test("SR-35: an event that targets a missing part is noted") func missedPart() {
        let row = Scope<[String: Int], RowEvent, Int?, Int>(
            key: "row", in: \.self,
            event: CasePath(embed: { .row($0.1) }) { event in
                if case .row(let add) = event { ("row", add) } else { nil }
            })
        let told = failures {
            let test = TestSystem<[String: Int], RowEvent>(
                initialState: [:],
                feature: Feature(reducer: Reducer<Int, Int> { $0 += $1 }.lifted(by: row)))
            test.send(.all(1))
            test.send(.row(5), fileID: "Rows/Rows.swift", line: 9)
            test.finish()
        }
        #expect(told == ["row(5), sent at Rows/Rows.swift:9, targeted a missing part of the state."])
    }

    @Test("OS-57: what the exhaustivity does not require is not reported, or is reported as a note")
    func exhaustivity() {
        for (exhaustivity, count) in [
            (Exhaustivity.off, 0), (.states, 1), (.events, 0), ([.states, .effects], 2),
        ] {
            let told = failures {
                let test = test(exhaustivity)
                test.send(.load)
                test.finish()
            }
            #expect(told.count == count)
        }
        let notes = failures {
            let test = test(.off)
            test.showsSkipped = true
            test.send(.load)
            test.finish()
        }
        #expect(
            notes.count == 2
                && notes.allSatisfy { $0.hasPrefix("Not required by the test's exhaustivity. ") })
    }

    @Test("OS-53: loading states are asserted in their order, and a running transition is reported")
    func loading() {
        let reducer: @Sendable (State, Event) -> Promise<State> = { state, _ in
            Promise.value(State(count: state.count + 1)).delay(.seconds(1)).stateWhenLoading(
                State(title: "busy"))
        }
        let test = TestSystem(initialState: State(), reducer: reducer)
        test.send(.load) { $0.title = "busy" }
        test.advance(by: .seconds(1))
        test.assert { $0 = State(count: 1) }
        test.finish()
        let told = failures {
            let test = TestSystem(initialState: State(), reducer: reducer)
            test.send(.load) { $0.title = "busy" }
            test.finish()
        }
        #expect(told.count == 1 && told[0].hasPrefix("The transition of load, sent at "))
    }

    @Test(
        "OS-55: events that the test sent during a transition need not be received when they are processed"
    )
    func waiting() {
        let test = TestSystem<State, Event>(initialState: State()) { state, event in
            guard case .add(let number) = event else { return .value(state) }
            return Promise.value(State(count: state.count + number)).delay(.seconds(1))
        }
        for number in 1...3 { test.send(.add(number)) }
        for count in [1, 3, 6] {
            test.advance(by: .seconds(1))
            test.assert { $0.count = count }
        }
        test.finish()
    }

    @Test("OS-55: an event that the scope of a part declines to embed is not sent, which is reported")
    func turnedDown() {
        let scope = Scope<State, Event, State, Event>(
            get: { $0 }, modify: { $1(&$0) }, extract: { $0 },
            embed: { if case .load = $0 { nil } else { $0 } })
        let scheduler = TestScheduler()
        let system = System(initialState: State(), scheduler: scheduler, reducer: Self.reducer)
        let test = TestSystem(system, scopedBy: scope, on: scheduler)
        #expect(
            failures { test.send(.load) } == [
                """
                load was not sent: the scope cannot embed it in an event of the whole system.

                Send an event that the scope can embed, or fix the scope.
                """
            ])
        test.send(.add(2)) { $0.count = 2 }
        test.finish()
    }

    @Test("OS-55: a test of a part sees its states, and the events that the scope extracts for it")
    func partOfSystem() {
        struct Whole: Sendable, Equatable { var part = State(), other = 0 }
        enum WholeEvent: Sendable { case part(Event), other }
        let scope = Scope(
            state: \Whole.part,
            event: CasePath(embed: WholeEvent.part) { if case .part(let event) = $0 { event } else { nil } })
        let scheduler = TestScheduler()
        let system = System(
            initialState: Whole(), scheduler: scheduler,
            feature: Feature(reducer: Self.reducer, feedbacks: [Self.loading]).lifted(by: scope)
                <> Feature(
                    reducer: Reducer<Whole, WholeEvent> { whole, event in
                        if case .other = event { whole.other += 1 }
                    }))
        let test = TestSystem(system, scopedBy: scope, on: scheduler)
        test.send(.load) { $0.title = "loading" }
        system.sendEvent(.other)
        test.advance(by: .seconds(1))
        test.receive(.loaded(3)) { $0.count = 3 }
        test.finish()
    }
}
