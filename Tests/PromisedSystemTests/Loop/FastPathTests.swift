import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// Turns that settle synchronously in a system without observers, which take the loop's fast path.
@Suite struct FastPathTests {
    private let scheduler = TestScheduler()
    private let shown = Log<String>()

    private func system() -> (StepSystem, SubscriptionToken) {
        let system = StepSystem(initialState: "", scheduler: scheduler) { state, step in step.reduce(state) }
        scheduler.advance()
        return (system, system.shown.subscribe(replayCurrent: false) { [shown] in shown.add(mark($0)) })
    }

    @Test("R12: a reducer that sends a replacing event ends its own turn")
    func replacedFromReducer() {
        let (system, token) = system()
        let tempted = Step("tempted") { [weak system] state in
            system?.sendEvent(.add("new"), policy: .replace)
            return .value(state + "old")
        }
        system.sendEvent(tempted)
        scheduler.advance()
        #expect(shown.take() == ["new"])
        // The same with the caller on the scheduler, and the loop idle.
        scheduler.schedule { system.sendEvent(tempted) }
        scheduler.advance()
        #expect(shown.entries == ["newnew"])
        token.cancel()
    }

    @Test("replace reverts the loading state before a turn that settles synchronously")
    func withdraws() {
        let (system, token) = system()
        system.sendEvent(.hang("old", showing: "L"))
        scheduler.advance()
        system.sendEvent(.add("new"), policy: .replace)
        scheduler.advance()
        #expect(shown.take() == ["~L", "", "new"])
        system.sendEvent(.add("a", after: .s(1), showing: "M"))
        scheduler.advance(by: .s(1))
        #expect(shown.entries == ["~M", "newa"])
        token.cancel()
    }

    @Test("FS-43: feedbacks are called after a turn that settles synchronously", arguments: [true, false])
    func feedbacks(inPlace: Bool) {
        let reducer =
            inPlace
            ? Reducer<[String], String> { $0.append($1) }
            : Reducer<[String], String> { state, event in .value(state + [event]) }
        let system = System<[String], String>(
            initialState: [], scheduler: scheduler, reducer: reducer,
            feedbacks: [
                .lensingSkippingRepeated(state: { $0 == ["a"] ? 1 : nil }) { _ in Effect.just("b") },
                .onEvent({ $0 == "a" ? 1 : nil }) { _ in Effect.just("c") },
            ])
        system.sendEvent("a")
        scheduler.advance()
        #expect(system.state == ["a", "b", "c"])
    }

    @Test("Turns are counted without observers, too", arguments: [true, false])
    func counted(inPlace: Bool) {
        let reducer =
            inPlace
            ? Reducer<[String], String> { $0.append($1) }
            : Reducer<[String], String> { state, event in .value(state + [event]) }
        let system = System<[String], String>(initialState: [], scheduler: scheduler, reducer: reducer)
        for event in ["a", "b", "c"] { system.sendEvent(event) }
        scheduler.advance()
        let records = Log<String>()
        system.onLoop { records.add("\($0.number) \($0.event)") }
        system.sendEvent("d")
        scheduler.advance()
        #expect(records.entries == ["4 d"])
    }

    enum Form: CaseIterable { case promise, several, inPlace }

    @Test(
        "R11: an event that another thread sends while a reducer runs is processed at once",
        arguments: Form.allCases)
    func sentMeanwhile(form: Form) {
        let running = Box<System<[Int], Int>?>(nil)
        let meanwhile = { @Sendable (event: Int) in
            if event == 1 { holding { running.value?.sendEvent(2) } }
        }
        let promise = Reducer<[Int], Int> { state, event in
            meanwhile(event)
            return .value(state + [event])
        }
        let reducer =
            switch form {
            case .promise: promise
            case .several: promise <> Reducer { state, event in .value(state + [-event]) }
            case .inPlace:
                Reducer<[Int], Int> {
                    meanwhile($1)
                    $0.append($1)
                }
            }
        let system = System<[Int], Int>(initialState: [], scheduler: .immediate, reducer: reducer)
        running.value = system
        system.sendEvent(1)
        #expect(system.state == (form == .several ? [1, -1, 2, -2] : [1, 2]))
        system.sendEvent(3)
        #expect(system.state == (form == .several ? [1, -1, 2, -2, 3, -3] : [1, 2, 3]))
        running.value = nil
    }
}
