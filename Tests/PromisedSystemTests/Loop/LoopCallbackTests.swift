import PromisedSystem
import PromisedTesting
import Testing

@Suite struct LoopCallbackTests {
    @Test("PK-21: the callback gets the state and the whole history at every shown state")
    func history() {
        let bench = Bench(history: .unlimited)
        let log = Log<[String]>()
        bench.system.addLoopCallback { state, history in log.add([state] + history) }
        bench.send(.add("a", after: .s(1), showing: "L"))
        bench.advance(1)
        #expect(log.entries == [["L", "", "L"], ["a", "", "L", "a"]])
    }

    @Test("PK-22: every callback is called, in the order of adding")
    func several() {
        let bench = Bench()
        let log = Log<String>()
        bench.system.addLoopCallback { log.add("1 \($0)") }
        bench.system.addLoopCallback { log.add("2 \($0)") }
        bench.send(.add("a"))
        bench.advance()
        #expect(log.entries == ["1 a", "2 a"])
    }

    @Test("PK-22: the current state is delivered on request")
    func replay() {
        let bench = Bench(history: .last(5))
        let log = Log<String>()
        bench.system.addLoopCallback(replayCurrent: true) { log.add("1 \($0)") }
        bench.system.addLoopCallback(replayCurrent: true) { state, history in
            log.add("2 \(state) \(history)")
        }
        bench.system.addLoopCallback { log.add("3 \($0)") }
        bench.advance()
        #expect(log.entries == ["1 ", "2  [\"\"]"])
        bench.send(.add("a"))
        bench.advance()
        #expect(log.entries == ["1 ", "2  [\"\"]", "1 a", "2 a [\"\", \"a\"]", "3 a"])
    }

    @Test("PK-22: a callback added before the initial state was shown receives it once or not at all")
    func addedBeforeBegin() {
        let scheduler = TestScheduler()
        let system = StepSystem(
            initialState: "s", scheduler: scheduler, reducer: { state, step in step.reduce(state) })
        let log = Log<String>()
        system.addLoopCallback(replayCurrent: true) { log.add("replay \($0)") }
        system.addLoopCallback { log.add("plain \($0)") }
        system.addLoopCallback { state, history in log.add("history \(state) \(history)") }
        scheduler.advance()
        // As on a scheduler where the initial state has already been shown: no race with its delivery.
        #expect(log.entries == ["replay s"])
    }

    @Test("With no history kept, the callback gets the shown state alone")
    func noHistory() {
        let bench = Bench()
        let log = Log<[String]>()
        bench.system.addLoopCallback { _, history in log.add(history) }
        bench.send(.add("a"), .add("b"))
        bench.advance()
        #expect(log.entries == [["a"], ["ab"]])
    }

    @Test("A removed callback is not called; one that is added by another is called from then on")
    func addAndRemove() {
        let bench = Bench()
        let log = Log<String>()
        let token = bench.system.addLoopCallback { log.add("1 \($0)") }
        bench.system.addLoopCallback { [weak system = bench.system] state in
            guard state == "a" else { return }
            system?.addLoopCallback { log.add("3 \($0)") }
        }
        bench.send(.add("a"))
        bench.advance()
        token.cancel()
        bench.send(.add("b"))
        bench.advance()
        #expect(log.entries == ["1 a", "3 ab"])
    }

    // MARK: The published spellings

    @Test("Published spellings in main-actor code compile, with unused results and a captured local variable")
    @MainActor func spellingsOnMain() {
        func handler(state: String) { EventCounter.shared.count += 1 }
        func longHandler(state: String, history: [String]) { EventCounter.shared.count += history.count }
        let system = StepSystem.pure(
            initialState: "s", reducer: { state, step in step.reduce(state) }, uiBindings: [])
        var states: [String] = []
        var lengths: [Int] = []
        EventCounter.shared.count = 0
        system.addLoopCallback(callback: handler)
        system.addLoopCallback(callback: longHandler)
        system.addLoopCallback(callback: EventCounter.shared.track)
        system.addLoopCallback { state in states.append(state) }
        system.addLoopCallback { state, history in lengths.append(history.count) }
        system.addLoopCallback { states.append($0 + "!") }
        let optional: StepSystem? = system
        optional?.addLoopCallback { state in states.append(state + "?") }
        system.sendEvent(.add("t"))
        #expect(states == ["st", "st!", "st?"])
        #expect(lengths == [2])
        #expect(EventCounter.shared.count == 1 + 2 + 1)
    }

    @Test("Published spellings in nonisolated code compile")
    func spellingsElsewhere() {
        let log = Log<String>()
        @Sendable func handler(state: String) { log.add("handler \(state)") }
        @Sendable func longHandler(state: String, history: [String]) { log.add("long \(history)") }
        let system = StepSystem(
            initialState: "s", scheduler: .immediate, configuration: .init(history: .unlimited),
            reducer: { state, step in step.reduce(state) })
        system.addLoopCallback(callback: handler)
        system.addLoopCallback(callback: longHandler)
        system.addLoopCallback { state in log.add("closure \(state)") }
        system.addLoopCallback { state, history in log.add("both \(state) \(history.count)") }
        system.sendEvent(.add("t"))
        #expect(log.entries == ["handler st", "long [\"s\", \"st\"]", "closure st", "both st 2"])
    }

    @Test("A callback of another actor is called there, in order")
    func otherActor() async {
        let tally = Tally()
        let system = System<Int, Int>(initialState: 0, scheduler: .immediate) { .value($0 + $1) }
        await tally.listen(to: system)
        for _ in 0..<100 { system.sendEvent(1) }
        #expect(await tally.all(100) == Array(1...100))
    }
}

@MainActor private final class EventCounter {
    static let shared = EventCounter()
    var count = 0

    func track(state: String) { count += 1 }
}

private actor Tally {
    private var states: [Int] = []
    private var waiter: (Int, CheckedContinuation<Void, Never>)?

    func listen(to system: System<Int, Int>) { system.addLoopCallback { state in self.add(state) } }

    private func add(_ state: Int) {
        states.append(state)
        if let (count, continuation) = waiter, states.count == count { continuation.resume() }
    }

    func all(_ count: Int) async -> [Int] {
        if states.count < count { await withCheckedContinuation { waiter = (count, $0) } }
        return states
    }

    @Test(
        "PK-28: adding an object's method does not retain the object, which may own the system")
    @MainActor func methods() {
        @MainActor final class Presenter {
            let log: Log<String>
            let system = System<Int, Int>.pure(initialState: 0, reducer: { .value($0 + $1) })

            init(_ log: Log<String>) {
                self.log = log
                system.addBinding(self, Presenter.draw)
                system.addLoopCallback(self, Presenter.track, replayCurrent: true)
            }

            func draw(_ state: Int) { log.add("drawn \(state)") }
            func track(_ state: Int) { log.add("tracked \(state)") }
        }
        let log = Log<String>()
        var presenter: Presenter? = Presenter(log)
        let system = presenter?.system
        system?.sendEvent(1)
        #expect(log.take() == ["drawn 0", "tracked 0", "drawn 1", "tracked 1"])
        weak let released = presenter
        presenter = nil
        #expect(released == nil)
        system?.sendEvent(1)
        #expect(log.take() == [])
        #expect(system?.state == 2)
    }
}
