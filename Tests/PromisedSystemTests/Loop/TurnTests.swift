import PromisedSystem
import PromisedTesting
import Testing

@Suite struct TurnTests {
    private enum Light: Sendable, Equatable { case red, green }

    private struct Counter: Sendable, Equatable { var count = 0 }

    @Test("PK-01: any Sendable type is a state, an enum or a struct")
    func anyState() {
        let lights = Log<Light>()
        let light = System<Light, Void>(
            initialState: .red, scheduler: .immediate, uiBindings: [{ lights.add($0) }]
        ) { state, _ in .value(state == .red ? .green : .red) }
        let counts = Log<Counter>()
        let counter = System<Counter, Int>(
            initialState: Counter(), scheduler: .immediate, uiBindings: [{ counts.add($0) }]
        ) { state, event in .value(Counter(count: state.count + event)) }
        for _ in 0..<3 { light.sendEvent(()) }
        for event in [2, 3, 4] { counter.sendEvent(event) }
        #expect(lights.entries == [.red, .green, .red, .green])
        #expect(counts.entries == [0, 2, 5, 9].map { Counter(count: $0) })
    }

    @Test("PK-03: the reducer is called once for each event, with the last settled state")
    func reducerCalls() {
        let calls = Log<String>()
        let bench = Bench()
        func step(_ name: String) -> Step {
            Step(name) { state in
                calls.add("(\(state), \(name))")
                return Promise.value(state + name).delay(.s(1)).stateWhenLoading("loading")
            }
        }
        bench.send(step("a"), step("b"))
        bench.advance()
        #expect(calls.entries == ["(, a)"])
        bench.advance(1)
        #expect(calls.entries == ["(, a)", "(a, b)"])
        bench.advance(1)
        #expect(calls.entries == ["(, a)", "(a, b)"])
        #expect(bench.system.state == "ab")
    }

    @Test("PK-04: the initial state goes to every binding in order, and is the first of the history")
    @MainActor func initialState() {
        let log = Log<String>()
        let system = System<String, Step>.pure(
            initialState: "start", reducer: { state, step in step.reduce(state) },
            uiBindings: [{ log.add("first \($0)") }, { log.add("second \($0)") }])
        #expect(log.entries == ["first start", "second start"])
        #expect(Array(system.history) == ["start"])
    }

    @Test("The initial state is readable at once and shown on the scheduler")
    func initialStateOnScheduler() {
        let log = Log<String>()
        let scheduler = TestScheduler()
        let system = StepSystem(
            initialState: "start", scheduler: scheduler, uiBindings: [{ log.add($0) }],
            reducer: { state, step in step.reduce(state) })
        #expect(system.state == "start")
        #expect(system.settled.value == "start")
        #expect(system.shown.value == .settled("start"))
        #expect(log.entries.isEmpty)
        scheduler.advance()
        #expect(log.entries == ["start"])
        scheduler.advance(by: .s(100))
        #expect(log.entries == ["start"])
    }

    @Test("PK-12: a state is current and in the history, then bindings, then callbacks, then the next event")
    func settleOrder() {
        let log = Log<String>()
        let scheduler = TestScheduler()
        let seen = Box<StepSystem?>(nil)
        let system = StepSystem(
            initialState: "", scheduler: scheduler,
            uiBindings: [
                { state in
                    let system = seen.value
                    let history = system.map { Array($0.history).last == state } ?? true
                    log.add("binding 1 \(state) \(system?.state == state) \(history)")
                },
                { log.add("binding 2 \($0)") },
            ], configuration: .init(history: .unlimited),
            reducer: { state, step in
                log.add("reduce \(step)")
                return step.reduce(state)
            })
        scheduler.advance()
        seen.value = system
        system.addLoopCallback { log.add("callback 1 \($0)") }
        system.addLoopCallback { state, history in log.add("callback 2 \(state) \(history.count)") }
        system.onLoop { log.add("record \($0.number)") }
        _ = log.take()
        system.sendEvent(.add("a"))
        system.sendEvent(.add("b"))
        scheduler.advance()
        seen.value = nil
        #expect(
            log.entries == [
                "reduce a", "binding 1 a true true", "binding 2 a", "callback 1 a", "callback 2 a 2",
                "record 1",
                "reduce b", "binding 1 ab true true", "binding 2 ab", "callback 1 ab", "callback 2 ab 3",
                "record 2",
            ])
    }

    @Test("PK-26: a queued event is reduced with the state when it is processed, not when it was sent")
    func stateAtTurn() {
        let scheduler = TestScheduler()
        let system = System<Int, Int>(initialState: 0, scheduler: scheduler) { state, event in
            Promise.value(state + event).delay(.seconds(1))
        }
        for _ in 0..<3 { system.sendEvent(1) }
        scheduler.advance(by: .seconds(3))
        #expect(system.state == 3)
    }

    @Test("PK-25: an equal state is shown again; a subscription can skip it")
    func equalStates() {
        let bench = Bench()
        let log = Log<String>()
        let tokens = [
            bench.system.settled.removeDuplicates().subscribe { log.add("replayed \($0)") },
            bench.system.settled.removeDuplicates().subscribe(replayCurrent: false) { log.add("told \($0)") },
        ]
        bench.send(.add(""), .add(""))
        bench.advance()
        #expect(log.take() == ["replayed "])
        bench.send(.add("x"), .add(""), .add("y"))
        bench.advance()
        #expect(log.entries == ["replayed x", "told x", "replayed xy", "told xy"])
        tokens.forEach { $0.cancel() }
        #expect(bench.bound.entries.prefix(2) == ["", ""])
    }

    @Test("PK-25: all other observers receive equal states, compared or not")
    func equalStatesForAll() {
        let bench = Bench()
        let log = Log<String>()
        let token = bench.system.settled.removeDuplicates { $0.count == $1.count }.subscribe { log.add($0) }
        bench.send(.add(""), .add(""))
        bench.advance()
        #expect(log.entries == [""])
        token.cancel()
        #expect(bench.bound.entries == ["", ""])
        #expect(bench.shown.entries == ["", ""])
        #expect(bench.settled.entries == ["", ""])
    }

    @Test("PK-34: reading gives no way to write; the loop alone changes what is shown")
    func onlyTheLoopShows() {
        let bench = Bench()
        var copy = bench.system.state
        copy += "changed outside"
        #expect(bench.system.state == "")
        #expect(bench.system.shown.value == .settled(""))
        bench.send(.add("x"))
        bench.advance()
        #expect(bench.system.state == "x")
        #expect(bench.shown.entries == ["x"])
        #expect(copy == "changed outside")
    }

    @Test(
        "A transition that can settle synchronously has settled, even from inside another promise's handler")
    func settlesInsideHandler() {
        let system = StepSystem(
            initialState: "", scheduler: .immediate, reducer: { state, step in step.reduce(state) })
        let seen = Log<String>()
        Promise.value(1).done { _ in
            system.sendEvent(.wait(for: Promise { $0.fulfill("a") }))
            seen.add(system.state)
            system.sendEvent(.wait(for: Promise.value("b").map { $0 }.flatMap { .value($0) }))
            seen.add(system.state)
        }
        #expect(seen.entries == ["a", "ab"])
    }
}
