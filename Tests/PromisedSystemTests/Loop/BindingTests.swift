import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@Suite(.tags(.sharedState)) struct BindingTests {
    @Test("PK-05: nil entries are skipped, the others are called in order")
    func nilEntries() {
        let log = Log<String>()
        let system = StepSystem(
            initialState: "s", scheduler: .immediate,
            uiBindings: [{ log.add("A \($0)") }, nil, { log.add("B \($0)") }],
            reducer: { state, step in step.reduce(state) })
        system.sendEvent(.add("t"))
        #expect(log.entries == ["A s", "B s", "A st", "B st"])
    }

    @Test("PK-05: nil entries are skipped in the published form")
    @MainActor func nilEntriesPure() {
        var log: [String] = []
        let system = StepSystem.pure(
            initialState: "s", reducer: { state, step in step.reduce(state) },
            uiBindings: [{ log.append("A \($0)") }, nil, { log.append("B \($0)") }])
        system.sendEvent(.add("t"))
        #expect(log == ["A s", "B s", "A st", "B st"])
    }

    @Test("PK-05: bindings from a variable or a function's result are accepted by every form of a system")
    func given() {
        let log = Log<String>()
        let some: [(@Sendable (Int) -> Void)?] = [{ log.add("A \($0)") }, nil, { log.add("B \($0)") }]
        let all: [@Sendable (Int) -> Void] = [{ log.add("A \($0)") }, { log.add("B \($0)") }]
        func made() -> [(@Sendable (Int) -> Void)?] { some }
        let reducer = Reducer<Int, Int> { $0 += $1 }
        let asynchronous: @Sendable (Int, Int) -> Promise<Int> = { .value($0 + $1) }
        let systems: [() -> System<Int, Int>] = [
            { System(initialState: 0, scheduler: .immediate, reducer: reducer, uiBindings: .init(some)) },
            {
                System(
                    initialState: 0, scheduler: .immediate, reducer: asynchronous, uiBindings: .init(made()))
            },
            { System(initialState: 0, scheduler: .immediate, uiBindings: .init(all)) { .value($0 + $1) } },
            {
                System(
                    initialState: 0, scheduler: .immediate, feature: Feature(reducer: reducer),
                    uiBindings: .init(some))
            },
        ]
        for system in systems {
            system().sendEvent(1)
            #expect(log.take() == ["A 0", "B 0", "A 1", "B 1"])
        }
    }

    @Test(
        "PK-05: main-actor bindings from a variable are accepted by every form of a system on the main queue")
    @MainActor func givenOnMain() {
        var log: [String] = []
        let some: [(@MainActor (Int) -> Void)?] = [
            { log.append("A \($0)") }, nil, { log.append("B \($0)") },
        ]
        let reducer = Reducer<Int, Int> { $0 += $1 }
        let asynchronous: @Sendable (Int, Int) -> Promise<Int> = { .value($0 + $1) }
        let feature = Feature(reducer: reducer)
        let systems: [() -> System<Int, Int>] = [
            { System(initialState: 0, reducer: reducer, uiBindings: .init(some)) },
            { System(initialState: 0, reducer: asynchronous, uiBindings: .init(some)) },
            { System(initialState: 0, uiBindings: .init(some)) { .value($0 + $1) } },
            { System(initialState: 0, feature: feature, uiBindings: .init(some)) },
            { System.pure(initialState: 0, reducer: asynchronous, uiBindings: .init(some)) },
            { System.pure(initialState: 0, reducer: reducer, uiBindings: .init(some)) },
            { System.pure(initialState: 0, feature: feature, uiBindings: .init(some)) },
        ]
        for system in systems {
            system().sendEvent(1)
            #expect(log == ["A 0", "B 0", "A 1", "B 1"])
            log = []
        }
    }

    @Test("PK-05: nonisolated bindings from a variable are accepted by the published form")
    @MainActor func givenToPure() {
        let log = Log<String>()
        let some: [(@Sendable (Int) -> Void)?] = [{ log.add("A \($0)") }, nil]
        let system = System<Int, Int>.pure(
            initialState: 0, reducer: { .value($0 + $1) }, uiBindings: .init(some))
        system.sendEvent(1)
        #expect(log.entries == ["A 0", "A 1"])
    }

    @Test(
        "PK-05: a binding added later is called with the current state first, and after the others from then on"
    )
    func addedLater() {
        let bench = Bench()
        bench.send(.add("a", after: .s(1), showing: "L"))
        bench.advance()
        bench.system.addBinding { [bound = bench.bound] in bound.add("later \($0)") }
        bench.advance()
        #expect(bench.bound.entries == ["L", "later L"])
        bench.advance(1)
        #expect(bench.bound.entries == ["L", "later L", "a", "later a"])
    }

    @Test("A binding that is added inside another binding's call is called with that state once, afterwards")
    func addedInside() {
        let bench = Bench()
        let log = Log<String>()
        bench.system.addBinding { [weak system = bench.system] state in
            log.add("outer \(state)")
            if state == "a" { system?.addBinding { log.add("inner \($0)") } }
            log.add("end")
        }
        bench.advance()
        bench.send(.add("a"), .add("b"))
        bench.advance()
        #expect(
            log.entries == ["outer ", "end", "outer a", "end", "inner a", "outer ab", "end", "inner ab"])
    }

    @Test("A removed binding is not called again; releasing its token removes nothing")
    func removed() {
        let bench = Bench()
        let log = Log<String>()
        let token = bench.system.addBinding { log.add("A \($0)") }
        bench.system.addBinding { log.add("B \($0)") }
        bench.advance()
        bench.send(.add("a"))
        bench.advance()
        token.cancel()
        token.cancel()
        bench.send(.add("b"))
        bench.advance()
        #expect(log.entries == ["A ", "B ", "A a", "B a", "B ab"])
    }

    @Test("A binding removed before its first call is never called")
    func removedBeforeJoining() {
        let bench = Bench()
        let log = Log<String>()
        let witness = Box<Witness?>(Witness { log.add("released") })
        let token = bench.system.addBinding { [held = witness.value] in
            held?.touch()
            log.add($0)
        }
        token.cancel()
        witness.value = nil
        bench.send(.add("a"))
        bench.advance()
        #expect(log.entries == ["released"])
    }

    @Test("A binding removed by an earlier one is not called, even in the current delivery")
    func removedDuringDelivery() {
        let bench = Bench()
        let log = Log<String>()
        let token = Box<SubscriptionToken?>(nil)
        bench.system.addBinding { _ in token.value?.cancel() }
        let removed = bench.system.addBinding { log.add($0) }
        bench.advance()
        token.value = removed
        bench.send(.add("a"))
        bench.advance()
        #expect(log.entries == [""])
    }

    @Test("PK-06: the system retains the closure, not the view; releasing the system releases the closures")
    func retention() {
        final class View: Sendable { func update(_ state: String) {} }
        let bench = Bench()
        let ended = Log<String>()
        let calls = Log<String>()
        weak var weakView: View?
        let tokens: [SubscriptionToken]
        do {
            let view = View()
            weakView = view
            let witness = Witness { ended.add("binding") }
            let other = Witness { ended.add("callback") }
            tokens = [
                bench.system.addBinding { [weak view] in
                    witness.touch()
                    calls.add("\($0) \(view == nil)")
                    view?.update($0)
                },
                bench.system.addLoopCallback { _ in other.touch() },
            ]
            bench.advance()
        }
        #expect(weakView == nil)
        bench.send(.add("a"))
        bench.advance()
        #expect(calls.entries == [" false", "a true"])
        #expect(ended.entries.isEmpty)
        bench.release()
        #expect(ended.entries.sorted() == ["binding", "callback"])
        #expect(tokens.count == 2)
    }

    @Test("The current state can be read inside a binding, the same from every handle")
    func readInside() {
        let bench = Bench()
        let log = Log<String>()
        bench.system.addBinding { [weak system = bench.system] state in
            guard let system else { return }
            log.add("\(state): \(system.state) \(system.settled.value) \(mark(system.shown.value))")
        }
        bench.advance()
        _ = log.take()
        bench.send(.add("a", after: .s(1), showing: "L"), .fail("f", showing: "M"))
        bench.advance(1)
        #expect(log.entries == ["L:   ~L", "a: a a a", "M: a a ~M", "a: a a a"])
    }

    @Test("A binding of main-actor code is called on the main thread, in order, from another scheduler")
    @MainActor func mainActorBinding() async {
        let system = System<Int, Int>(initialState: 0, scheduler: .serial("bindings")) { .value($0 + $1) }
        var seen: [Int] = []
        await withCheckedContinuation { continuation in
            system.addBinding { state in
                MainActor.assertIsolated()
                seen.append(state)
                if state == 100 { continuation.resume() }
            }
            for _ in 0..<100 { system.sendEvent(1) }
        }
        // It was added before the first event was sent, so it is called with the initial state, too.
        #expect(seen == Array(0...100))
    }

    @Test("A main-actor binding keeps the order when a state is shown on the main thread after one elsewhere")
    @MainActor func mainActorOrder() async {
        let system = System<Int, Int>(initialState: 0, scheduler: .immediate) { .value($0 + $1) }
        var seen: [Int] = []
        system.addBinding { state in seen.append(state) }
        // Blocks the main thread until the other thread has shown its state.
        holding { system.sendEvent(1) }
        system.sendEvent(1)
        await MainScheduler.main.caughtUp()
        #expect(seen == [0, 1, 2])
    }

    @Test("A main-actor binding is not called after the end, even for a delivery in flight")
    @MainActor func mainActorAfterEnd() async {
        let system = System<Int, Int>(initialState: 0, scheduler: .immediate) { .value($0 + $1) }
        var seen: [Int] = []
        let token = system.addBinding { state in seen.append(state) }
        system.addLoopCallback { state in seen.append(state * 10) }
        holding { system.sendEvent(1) }
        token.cancel()
        system.stop()
        await MainScheduler.main.caughtUp()
        #expect(seen == [0])
    }

    @Test("A binding by a method of an object is called with a state before the earlier callbacks")
    func bindingOfObject() {
        final class Screen: Sendable {
            let log = Log<String>()
            func show(_ state: Int) { log.add("shown \(state)") }
        }
        let system = System<Int, Int>(initialState: 0, scheduler: .immediate) { .value($0 + $1) }
        let screen = Screen()
        system.addLoopCallback { screen.log.add("told of \($0)") }
        system.addBinding(screen, Screen.show)
        system.sendEvent(1)
        #expect(screen.log.entries == ["shown 0", "shown 1", "told of 1"])
    }
}
