import Promise
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedSystem

/// Work that ends more than once, sends after its end, or uses a large number of keys.
@Suite(.tags(.sharedState)) struct EffectEndTests {
    private enum Event: Sendable {
        case go(Int)
        case stop
        case note(String)
    }

    private struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    private static let number: @Sendable (Event) -> Int? = {
        if case .go(let number) = $0 { number } else { nil }
    }

    private func notes(
        _ scheduler: TestScheduler, _ feedbacks: [Feedback<[String], Event>]
    ) -> System<[String], Event> {
        System(
            initialState: [], scheduler: scheduler,
            reducer: Reducer { notes, event in if case .note(let note) = event { notes.append(note) } },
            feedbacks: feedbacks)
    }

    /// The events and errors of one piece of work.
    private func noted(_ work: @escaping @Sendable () -> Effect<Event>) -> [String] {
        let scheduler = TestScheduler()
        let errors = Log<String>()
        let system = notes(scheduler, [.onEvent(Self.number) { _ in work() }])
        system.onError { errors.add("error \($0)") }
        system.sendEvent(.go(1))
        scheduler.run()
        return system.state + errors.entries
    }

    @Test(
        "SR-22: work that fails twice makes one event of its first error; work that fails after its end makes none"
    )
    func endsOnce() {
        #expect(
            noted {
                Effect { effect in
                    effect.fail(Refusal(description: "a"))
                    effect.fail(Refusal(description: "b"))
                }.recover { .note("\($0)") }
            } == ["a"])
        #expect(
            noted {
                Effect { effect in
                    effect.finish()
                    effect.fail(Refusal(description: "b"))
                }.recover { .note("\($0)") }
            } == [])
    }

    @Test("FS-23: events discarded by a cancellation stay discarded when the cancelled work ends")
    func endsAfterCancelling() {
        let scheduler = TestScheduler()
        let system = notes(
            scheduler,
            [
                .onEvent(Self.number, policy: .replace) { number in
                    number > 0
                        ? .just(.note("new"))
                        : Effect { effect in
                            effect.onCancel { effect.finish() }
                            effect.send(.note("old"))
                        }
                }
            ])
        for number in 0..<2 { system.sendEvent(.go(number)) }
        scheduler.run()
        #expect(system.state == ["new"])
    }

    @Test("FS-22: work that fails later is reported once, like work that fails at once") func failsLater() {
        let refusal = Promise<Event>(error: Refusal(description: "later"))
        #expect(noted { .promise(refusal.delay(.seconds(1))) } == ["error later"])
        #expect(
            noted {
                Effect { effect in
                    effect.send(.note("before"))
                    effect.scheduler.schedule(after: .seconds(1)) {
                        effect.fail(Refusal(description: "later"))
                        effect.fail(Refusal(description: "again"))
                    }
                }
            } == ["before", "error later"])
    }

    @Test("SR-41: a merged effect that ends twice counts once, and fails once") func partEndsOnce() {
        let slow = Effect<Event>.promise(Promise.value(.note("slow")).delay(.seconds(1)))
        let hasty = Effect<Event> { effect in
            effect.fail(Refusal(description: "hasty"))
            effect.finish()
            effect.fail(Refusal(description: "again"))
        }
        #expect(noted { .merge(slow, hasty) } == ["slow", "error hasty"])
    }

    @Test("R17: events sent after the end are ignored, of an effect and of a merged one")
    func silentAfterTheEnd() {
        #expect(
            noted {
                Effect { effect in
                    effect.send(.note("before"))
                    effect.finish()
                    effect.send(.note("after"))
                }
            } == ["before"])
        let part = Effect<Event> { effect in
            effect.finish()
            effect.send(.note("after"))
        }
        let slow = Effect<Event>.promise(Promise.value(.note("slow")).delay(.seconds(1)))
        #expect(noted { .merge(part.map { $0 }, slow) } == ["slow"])
    }

    @Test("R17: queued work starts even if the work before it ended before its start had returned")
    func queueOfHastyWork() {
        let scheduler = TestScheduler()
        let held = Log<EffectHandle<Event>>()
        let system = notes(
            scheduler,
            [
                .onEvent(Self.number, policy: .queue) { number in
                    number == 0 ? Effect { held.add($0) } : .just(.note("\(number)"))
                }
            ])
        for number in 0..<4 { system.sendEvent(.go(number)) }
        scheduler.run()
        #expect(system.state == [])
        held.entries.first?.finish()
        scheduler.run()
        #expect(system.state == ["1", "2", "3"])
    }

    @Test("R25: work that is cancelled together is cancelled in the order of its start")
    func orderOfCancellations() {
        for _ in 0..<20 {
            let scheduler = TestScheduler()
            let cancelled = Log<Int>()
            let keys = Array(0..<10)
            let feedback = Feedback<[String], Event>(
                eventRequests: { _, event, _ in
                    guard case .go = event else { return [] }
                    return keys.map { key in
                        EffectRequest(EffectKey("key \(key)")) {
                            Effect { $0.onCancel { cancelled.add(key) } }
                        }
                    }
                })
            var system: System<[String], Event>? = notes(scheduler, [feedback, feedback])
            system?.sendEvent(.go(1))
            scheduler.run()
            system?.sendEvent(.stop)
            scheduler.run()
            #expect(cancelled.entries == keys + keys)
            system?.sendEvent(.go(1))
            scheduler.run()
            system = nil
            #expect(cancelled.entries == keys + keys + keys + keys)
        }
    }

    @Test("SR-27: debounced work that is no longer requested leaves no timer") func noTimerLeft() {
        let scheduler = TestScheduler()
        let feedback = Feedback<[String], Event>(
            eventRequests: { _, event, _ in
                guard case .go(let number) = event else { return [] }
                return [
                    EffectRequest("quiet", revision: EffectKey(number), policy: .debounce(.seconds(5))) {
                        .just(.note("\(number)"))
                    }
                ]
            })
        let system = notes(scheduler, [feedback])
        scheduler.advance()
        let before = scheduler.pendingCount
        system.sendEvent(.go(1))
        scheduler.advance()
        #expect(scheduler.pendingCount == before + 1)
        system.sendEvent(.stop)
        scheduler.advance()
        #expect(scheduler.pendingCount == before)
        scheduler.run()
        #expect(system.state == [])
    }

    @Test("SR-27: cancelling the work of a key leaves its throttle window open")
    func windowOutlivesCancelling() {
        let scheduler = TestScheduler()
        let throttled = Feedback<[String], Event>.onEvent(
            Self.number, key: { _ in "key" }, policy: .throttle(.seconds(5))
        ) { Effect.just(.note("\($0)")) }
        let cancelling = Feedback<[String], Event>.onEvent({ (event: Event) -> Bool? in
            if case .stop = event { true } else { nil }
        }) { _ in Effect<Event>.cancel("key") }
        let system = notes(scheduler, [throttled, cancelling])
        system.sendEvent(.go(1))
        scheduler.advance()
        system.sendEvent(.stop)
        system.sendEvent(.go(2))
        scheduler.advance(by: .seconds(5))
        system.sendEvent(.go(3))
        scheduler.advance()
        #expect(system.state == ["1", "3"])
    }

    @Test("FS-14: keys of ended work are released: work of 20,000 keys, one after the other")
    func keysAreForgotten() {
        typealias Registry = EffectRegistry
        var (registry, steps) = (Registry(feedbacks: 1), Registry.Steps())
        for number in 0..<20_000 {
            let request = EffectPlan(EffectKey(number), policy: .concurrent) { _ in }
            #expect(registry.start(request, of: 0, now: { .zero }, &steps) != nil)
            let run = EffectRun(
                EffectName(feedback: 0, key: EffectKey(number)), number: number, requestNumber: number)
            _ = run.finish(withEvent: false)
            registry.began(run, isRunning: run.endStarting { .zero }, &steps)
        }
        #expect(registry.slots[0].isEmpty)
    }

    @Test("FS-14: a key is released when the last event of its work has been processed")
    func keysOfEventsAreForgotten() {
        let scheduler = TestScheduler()
        let system = notes(
            scheduler,
            [
                .onEvent(Self.number, key: { EffectKey($0) }) { number in
                    Effect<Event>.promise(
                        Promise.value(.note("\(number)")).delay(number == 0 ? .zero : .seconds(1)))
                },
                .onEvent(Self.number, key: { EffectKey($0) }) { _ in Effect<Event>.just(.stop, .stop) },
            ])
        for number in 0..<3 { system.sendEvent(.go(number)) }
        scheduler.advance()
        #expect(system.loop.effects?.registry.slots.map(\.count).reduce(0, +) == 2)
        scheduler.run()
        #expect(system.state == ["0", "1", "2"])
        #expect(system.loop.effects?.registry.slots.map(\.count).reduce(0, +) == 0)
    }

    @Test("SR-27: closed throttle windows are released") func windowsAreForgotten() {
        typealias Registry = EffectRegistry
        var (registry, steps) = (Registry(feedbacks: 1), Registry.Steps())
        for number in 0..<20_000 {
            let request = EffectPlan(EffectKey(number), policy: .throttle(.seconds(1))) { _ in }
            #expect(registry.start(request, of: 0, now: { .milliseconds(100 * number) }, &steps) != nil)
            let run = EffectRun(
                EffectName(feedback: 0, key: EffectKey(number)), number: number, requestNumber: number)
            _ = run.finish(withEvent: false)
            registry.began(run, isRunning: run.endStarting { .zero }, &steps)
        }
        #expect(registry.slots[0].count <= 64)
    }
}
