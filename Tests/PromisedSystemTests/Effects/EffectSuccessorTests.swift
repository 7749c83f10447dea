import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// What follows the last event of work, and which work a cancellation affects.
@Suite struct EffectSuccessorTests {
    private func system(
        _ scheduler: TestScheduler, _ log: Log<Int>, _ feedbacks: [Feedback<Int, Int>],
        eventPolicy: (@Sendable (Int) -> EventPolicy)? = nil, runawayLimit: Int = 1000
    ) -> System<Int, Int> {
        System(
            initialState: 0, scheduler: scheduler,
            reducer: Reducer { state, event in
                state = event
                log.add(event)
            }, feedbacks: feedbacks,
            configuration: .init(eventPolicy: eventPolicy, cascadeLimit: runawayLimit))
    }

    @Test(
        "SR-27: work has ended when its last event is processed: with drop the next request is not dropped",
        arguments: [true, false])
    func dropTakesTheSuccessor(promise: Bool) {
        let (scheduler, log) = (TestScheduler(), Log<Int>())
        let loading = Feedback<Int, Int>.onEvent({ $0 < 3 ? $0 : nil }, policy: .drop) { number in
            promise
                ? Effect.promise(Promise.value(number + 1).delay(.seconds(1)))
                : Effect { effect in
                    effect.scheduler.schedule(after: .seconds(1)) { effect.finish(sending: number + 1) }
                }
        }
        let system = system(scheduler, log, [loading])
        system.sendEvent(0)
        scheduler.run()
        #expect(log.entries == [0, 1, 2, 3])
        #expect(system.state == 3)
    }

    @Test(
        "SR-22: work whose failure becomes an event has ended when that is processed: with drop the next one starts"
    )
    func dropTakesTheSuccessorOfAFailure() {
        let (scheduler, log) = (TestScheduler(), Log<Int>())
        let failing = Feedback<Int, Int>.onEvent({ $0 < 3 ? $0 : nil }, policy: .drop) { number in
            Effect.promise(Promise<Int>(error: TestError("no")).delay(.seconds(1))).recover { _ in number + 1
            }
        }
        let system = system(scheduler, log, [failing])
        system.sendEvent(0)
        scheduler.run()
        #expect(log.entries == [0, 1, 2, 3])
    }

    @Test(
        "FS-35: a request that is changed by the last event of its work restarts, and does not update the ended work"
    )
    func noUpdateOfWorkThatIsOver() {
        let (scheduler, log, started) = (TestScheduler(), Log<Int>(), Log<Int>())
        let counting = Feedback<Int, Int>.react(requests: { $0 < 3 ? ["key": $0] : [:] }) {
            (_: String, request: Int, _: AsyncStream<Int>) in
            started.add(request)
            return Promise.value(request + 1).delay(.seconds(1))
        }
        let system = system(scheduler, log, [counting])
        scheduler.run()
        #expect(started.entries == [0, 1, 2])
        #expect(system.state == 3)
    }

    @Test("SR-41: a cancel in a turn affects earlier work, not the work that the same turn starts")
    func cancelThenStart() {
        let (scheduler, log) = (TestScheduler(), Log<Int>())
        let cancelling = Feedback<Int, Int>.onEvent({ $0 == 1 ? 1 : nil }) { _ in Effect<Int>.cancel("key") }
        let working = Feedback<Int, Int>.onEvent({ $0 == 1 ? 1 : nil }, key: { _ in "key" }) { _ in
            Promise.value(7).delay(.seconds(1))
        }
        let system = system(scheduler, log, [cancelling, working])
        system.sendEvent(1)
        scheduler.run()
        #expect(system.state == 7)
    }

    @Test("SR-41: work that cancels its own key cancels the earlier work, and keeps running")
    func cancelsItsElders() {
        let (scheduler, log, cancelled) = (TestScheduler(), Log<Int>(), Log<Int>())
        let working = Feedback<Int, Int>.onEvent({ $0 < 10 ? $0 : nil }, key: { _ in "key" }) { number in
            Effect<Int>.merge(
                .cancel("key"), Effect { $0.onCancel { cancelled.add(number) } },
                .promise(Promise.value(number + 10).delay(.seconds(1))))
        }
        let system = system(scheduler, log, [working])
        for event in [1, 2] {
            system.sendEvent(event)
            scheduler.advance()
        }
        #expect(cancelled.entries == [1])
        scheduler.advance(by: .seconds(1))
        #expect(system.state == 12)
        system.stop()
        #expect(cancelled.entries == [1, 2])
    }

    @Test("SR-41: work without a key is not affected by cancelling any key") func unnamed() {
        let (scheduler, log, cancelled) = (TestScheduler(), Log<Int>(), Log<String>())
        let polling = Feedback<Int, Int>.just(effects: Effect { $0.onCancel { cancelled.add("polling") } })
        let cancelling = Feedback<Int, Int>.onEvent({ $0 }) { Effect<Int>.cancel(EffectKey($0)) }
        let system = system(scheduler, log, [polling, cancelling])
        for event in [0, 1] { system.sendEvent(event) }
        scheduler.run()
        #expect(cancelled.entries == [])
        system.stop()
        #expect(cancelled.entries == ["polling"])
    }

    @Test("SR-41: recover applies to merged effects as one") func recoverOfMerge() {
        struct Refusal: Error {}
        let (scheduler, log, errors) = (TestScheduler(), Log<Int>(), Log<String>())
        let failing = Feedback<Int, Int>.onEvent({ $0 == 1 ? 1 : nil }) { _ in
            Effect<Int>.merge(Effect.fireAndForget { throw Refusal() }, .never).recover { _ in 99 }
        }
        let system = system(scheduler, log, [failing])
        system.onError { errors.add("\($0)") }
        system.sendEvent(1)
        scheduler.run()
        #expect(system.state == 99)
        #expect(errors.entries == [])
    }

    @Test("SR-41: an effect of async work runs once for each system that uses it") func taskForEach() {
        let works = Log<String>()
        let asking = Feedback<Int, Int>.just(
            effects: Effect.task {
                works.add("work")
                return 5
            })
        for _ in 0..<2 {
            let (scheduler, log) = (TestScheduler(), Log<Int>())
            let system = system(scheduler, log, [asking])
            scheduler.run()
            #expect(system.state == 5)
        }
        #expect(works.count == 2)
    }

    @Test("SR-40: a debounced event starts a new cascade") func quietBeginsAnew() {
        let (scheduler, log) = (TestScheduler(), Log<Int>())
        let counting = Feedback<Int, Int>.onEvent({ $0 < 50 ? $0 : nil }) { Effect.just($0 + 1) }
        let system = system(
            scheduler, log, [counting], eventPolicy: { _ in .debounce(.seconds(1), key: "key") },
            runawayLimit: 10)
        system.sendEvent(0)
        scheduler.run()
        #expect(system.state == 50)
    }

    @Test("SR-27: a throttle window stays open while the work is not requested")
    func windowStaysOpen() {
        let (scheduler, log, started) = (TestScheduler(), Log<Int>(), Log<String>())
        let throttled = Feedback<Int, Int>(requests: { _, state in
            guard state == 1 else { return [] }
            return [
                EffectRequest("key", policy: .throttle(.seconds(10))) {
                    started.add("start")
                    return .never
                }
            ]
        })
        let system = system(scheduler, log, [throttled])
        for event in [1, 0, 1, 0, 1] {
            system.sendEvent(event)
            scheduler.advance(by: .seconds(1))
        }
        #expect(started.entries == ["start"])
    }

    @Test("FS-22: an effect's error is reported if only an onError handler with events is installed")
    func reported() {
        struct LonelyRefusal: Error {}
        Reports.begin()
        let (scheduler, log, told) = (TestScheduler(), Log<Int>(), Log<String>())
        let failing = Feedback<Int, Int>.onEvent({ $0 }) { _ in
            Effect<Int>.fireAndForget { throw LonelyRefusal() }
        }
        let system = system(scheduler, log, [failing])
        system.onError { error, event in told.add("\(error) \(event)") }
        system.sendEvent(1)
        scheduler.run()
        #expect(told.entries == [])
        #expect(Reports.about("LonelyRefusal").count == 1)
    }
}
