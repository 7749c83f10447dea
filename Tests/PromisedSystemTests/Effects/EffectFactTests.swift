import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// What a loop tells its observer of the work of its feedbacks.
@Suite struct EffectFactTests {
    private let scheduler = TestScheduler()
    private let log: FactLog

    init() { log = FactLog(scheduler) }

    private func system(
        policy: EffectPolicy, key: EffectKey = "k", _ work: @escaping @Sendable (Int) -> Effect<Int>
    ) -> System<[Int], Int> {
        System(
            initialState: [], scheduler: scheduler, reducer: Reducer { $0.append($1) },
            feedbacks: [
                .onEvent({ $0 < 10 ? $0 : nil }, key: { _ in key }, policy: policy, effects: { work($0) })
            ],
            configuration: log.configuration())
    }

    /// What concerns effects, and the events that are sent, for some events one after the other.
    private func facts(of system: System<[Int], Int>, _ events: Int..., seconds: Int = 0) -> [String] {
        scheduler.advance()
        _ = log.take()
        scheduler.schedule { for event in events { system.sendEvent(event) } }
        scheduler.advance(by: .seconds(seconds))
        let parts = ["sent", "run", "ended", "waits", "timer", "cancelled", "dropped", "failed"]
        return log.take().filter { fact in parts.contains { fact.hasPrefix($0) } }
    }

    private func answering(_ number: Int, after seconds: Int) -> Effect<Int> {
        .promise(Promise.value(number * 10).delay(.seconds(seconds)))
    }

    @Test("A run that answers later, with its last event")
    func answers() {
        let system = system(policy: .concurrent) { answering($0, after: 1) }
        #expect(
            facts(of: system, 1, 2, seconds: 1) == [
                "sent 1 1", "run 1 of 1 [0, k]", "sent 2 2", "run 2 of 2 [0, k]",
                "sent 3 10 by run(1)", "ended 1", "sent 4 20 by run(2)", "ended 2",
            ])
    }

    @Test("A run that answers at once, and one that fails")
    func atOnce() {
        let system = system(policy: .concurrent) { number in
            number == 1
                ? Effect.just(10)
                : .promise(Promise(error: TestError("no")).delay(.zero))
        }
        system.onError { _ in }
        #expect(
            facts(of: system, 1, 2, seconds: 1) == [
                "sent 1 1", "run 1 of 1 [0, k]", "sent 2 10 by run(1)", "ended 1",
                "sent 3 2", "run 2 of 2 [0, k]", "failed no", "ended 2 no",
            ])
    }

    @Test("A queued request starts behind the run before it")
    func queued() {
        let system = system(policy: .queue) { answering($0, after: 1) }
        #expect(
            facts(of: system, 1, 2, seconds: 2) == [
                "sent 1 1", "run 1 of 1 [0, k]", "sent 2 2", "waits 2 [0, k]",
                "sent 3 10 by run(1)", "ended 1", "run 3 of 2 [0, k]", "sent 4 20 by run(3)", "ended 3",
            ])
    }

    @Test("A debounced request supersedes the one before it, and starts when its timer fires")
    func debounced() {
        let system = system(policy: .debounce(.seconds(1))) { answering($0, after: 1) }
        #expect(
            facts(of: system, 1, 2, seconds: 2) == [
                "sent 1 1", "waits 1 [0, k]", "sent 2 2", "waits 2 [0, k]", "timer 2", "run 3 of 2 [0, k]",
                "sent 3 20 by run(3)", "ended 3",
            ])
    }

    @Test("A run that is replaced is cancelled once; its pending event is withdrawn")
    func replaced() {
        let system = system(policy: .replace) { number in
            Effect { effect in
                effect.onCancel {}
                if number == 1 { effect.send(10) }
            }
        }
        #expect(
            facts(of: system, 1, 2) == [
                "sent 1 1", "run 1 of 1 [0, k]", "sent 2 10 by run(1)", "sent 3 2", "cancelled 1",
                "run 2 of 2 [0, k]",
            ])
    }

    @Test("A run that has ended is not cancelled; the end of the system cancels those that run")
    func stopped() {
        let system = system(policy: .concurrent) { number in
            number == 1 ? Effect.just(10) : Effect { $0.onCancel {} }
        }
        #expect(facts(of: system, 1, 2).last == "run 2 of 2 [0, k]")
        system.stop()
        #expect(log.take() == ["cancelled 2"])
    }

    @Test("The handle of a part is a sender of its own")
    func handle() {
        let system = System<Int?, Int>(
            initialState: 1, scheduler: scheduler, reducer: Reducer { state, event in state = event },
            configuration: log.configuration())
        scheduler.advance()
        _ = log.take()
        let whole = Scope<Int?, Int, Int?, Int>(state: \.self, event: .identity())
        system.scoped(by: whole).unwrapped()?.sendEvent(5)
        scheduler.advance()
        #expect(log.take().first == "sent 1 5 by handle")
    }
}
