import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// What follows from the last event of some work, and who is meant when work is cancelled.
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
            }, feedbacks: feedbacks, eventPolicy: eventPolicy, runawayLimit: runawayLimit)
    }

    @Test(
        "SR-27: work counts as over when its last event has its turn: with drop the next is not dropped",
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
        "SR-22: work whose failure becomes an event is over when that has its turn: with drop the next is done"
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
        "FS-35: a request that changes by the last event of its work starts anew, and is not told to what is over"
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

    @Test("SR-41: cancelling in a turn means the work before it, not what the same turn starts")
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

    @Test("SR-41: work that cancels its own key means those before it, and goes on") func cancelsItsElders() {
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

    @Test("SR-41: work that nobody has named is not meant by any key") func unnamed() {
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

    @Test("SR-41: several effects as one recover together") func recoverOfMerge() {
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

    @Test("SR-41: an effect of async work runs for each system that it serves") func taskForEach() {
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

    @Test("SR-40: waiting for quiet begins a new chain of events") func quietBeginsAnew() {
        let (scheduler, log) = (TestScheduler(), Log<Int>())
        let counting = Feedback<Int, Int>.onEvent({ $0 < 50 ? $0 : nil }) { Effect.just($0 + 1) }
        let system = system(
            scheduler, log, [counting], eventPolicy: { _ in .debounce(.seconds(1), key: "key") },
            runawayLimit: 10)
        system.sendEvent(0)
        scheduler.run()
        #expect(system.state == 50)
    }

    @Test("SR-27: a window that throttle has opened stays open while nobody asks for the work")
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

    @Test("FS-22: an effect's error is reported where only errors with their events are asked for")
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
