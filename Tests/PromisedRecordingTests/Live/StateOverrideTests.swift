import Promise
import PromisedRecording
import PromisedTesting
import Testing

@Suite struct StateOverrideTests {
    @Test(
        "OS-61: readers see the override, the live state goes on hidden, and the end of the override tells readers"
    )
    func override() {
        let system = System<Int, Int>(initialState: 5, scheduler: .immediate) { .value($0 + $1) }
        let (bound, settled, shown) = (Entries<Int>(), Entries<Int>(), Entries<Shown<Int>>())
        system.addBinding { bound.add($0) }
        let tokens = [
            system.settled.subscribe { settled.add($0) }, system.shown.subscribe { shown.add($0) },
        ]
        system.override(2)
        #expect(system.state == 2)
        #expect(system.settled.value == 2)
        #expect(system.shown.value == .settled(2))
        system.sendEvent(1)
        #expect(system.state == 2)
        #expect(system.stateBehindOverride == 6)
        system.override(nil)
        #expect(system.state == 6)
        #expect(bound.all == [5, 2, 6])
        #expect(settled.all == [5, 2, 6])
        #expect(shown.all == [.settled(5), .settled(2), .settled(6)])
        withExtendedLifetime(tokens) {}
    }

    @Test("The reducer, feedbacks, middleware and the history have the live state behind an override")
    func logic() {
        let (seen, begun) = (Entries<Int>(), Entries<Int>())
        let system = System<Int, Int>(
            initialState: 5, scheduler: .immediate,
            feedbacks: [.latest(state: { $0 }) { state in Effect { _ in begun.add(state) } }],
            middleware: Middleware(before: { _, context in
                seen.add(context.state)
                return .pass
            }),
            configuration: .init(history: .last(10))
        ) { .value($0 + $1) }
        let histories = Entries<[Int]>()
        system.addLoopCallback { histories.add($1) }
        system.override(2)
        system.sendEvent(1)
        system.override(nil)
        #expect(seen.all == [5])
        #expect(begun.all == [5, 6])
        #expect(Array(system.history) == [5, 6])
        #expect(histories.all == [[2], [5, 6]])
    }

    @Test(
        "Who subscribes meanwhile gets the override, then the live state; who ends the subscription gets nothing"
    )
    func subscribers() {
        let system = System<Int, Int>(initialState: 5, scheduler: .immediate) { .value($0 + $1) }
        let (early, late, gone) = (Entries<Int>(), Entries<Int>(), Entries<Int>())
        let first = system.settled.subscribe { gone.add($0) }
        let kept = system.settled.subscribe { early.add($0) }
        system.override(2)
        let second = system.settled.subscribe { late.add($0) }
        first.cancel()
        system.sendEvent(1)
        system.override(3)
        system.override(nil)
        system.sendEvent(1)
        #expect(early.all == [5, 2, 3, 6, 7])
        #expect(late.all == [2, 3, 6, 7])
        #expect(gone.all == [5, 2])
        withExtendedLifetime((kept, second)) {}
    }

    @Test("At the end of an override, a loading state is shown again to those that see loading states")
    func loading() {
        let bench = TravelBench()
        let shown = Entries<Shown<String>>()
        let token = bench.system.shown.subscribe { shown.add($0) }
        bench.system.override("old")
        bench.send(.loading("a", .seconds(1)))
        bench.system.override(nil)
        bench.scheduler.advance(by: .seconds(1))
        #expect(shown.all == [.settled(""), .settled("old"), .settled(""), .loading("…"), .settled("a")])
        #expect(bench.settled.all == ["old", "", "a"])
        withExtendedLifetime(token) {}
    }

    @Test("A system that ends shows its last state, and is not overridden any more")
    func end() {
        let system = System<Int, Int>(initialState: 5, scheduler: .immediate) { .value($0 + $1) }
        let bound = Entries<Int>()
        system.addBinding { bound.add($0) }
        system.override(2)
        system.sendEvent(1)
        system.stop()
        #expect(system.state == 6)
        system.override(3)
        #expect(system.state == 6)
        #expect(bound.all == [5, 2])
    }

    @Test("An in-place reducer works behind an override, which readers get")
    func inPlace() {
        let system = System<[Int], Int>(
            initialState: [], scheduler: .immediate, reducer: Reducer { $0.append($1) })
        let bound = Entries<[Int]>()
        system.addBinding { bound.add($0) }
        system.override([9])
        for number in 1...3 { system.sendEvent(number) }
        #expect(system.state == [9])
        system.override(nil)
        #expect(system.state == [1, 2, 3])
        #expect(bound.all == [[], [9], [1, 2, 3]])
    }

    @Test("An override is readable at once from any thread; subscribers are notified on the scheduler")
    func otherThread() {
        let bench = TravelBench()
        bench.system.override("old")
        #expect(bench.system.state == "old")
        #expect(bench.bound.all.isEmpty)
        bench.scheduler.advance()
        #expect(bench.bound.all == ["old"])
    }
}
