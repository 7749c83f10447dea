import Promise
@testable import PromisedSystem
import PromisedTesting
import Testing

/// The end of a feedback's stream, and what work leaves behind whose last event is declined.
@Suite struct StreamFeedbackTests {
    private typealias Turns = AsyncStream<EventWithState<Int, Int>>

    @Test(
        "SR-23: the stream of events ends with the work that consumes it, by itself or with the system",
        arguments: [true, false])
    func ends(isByItself: Bool) async {
        let scheduler = TestScheduler()
        let given = Box<Turns?>(nil)
        let system = System<Int, Int>(
            initialState: 0, scheduler: scheduler, reducer: Reducer { $0 += $1 },
            feedbacks: [
                Feedback(events: { turns in
                    given.value = turns
                    return Effect<Int> { effect in
                        if isByItself { effect.scheduler.schedule(after: .seconds(1)) { effect.finish() } }
                    }
                })
            ])
        system.sendEvent(2)
        scheduler.advance()
        if isByItself { scheduler.run() } else { system.stop() }
        var seen: [Int] = []
        if let turns = given.value { for await turn in turns { seen.append(turn.state) } }
        #expect(seen == [2])
        system.stop()
    }

    @Test("FS-14: work whose last event cannot be embedded leaves nothing behind") func declined() {
        let scheduler = TestScheduler()
        let answering = Feedback<Int, Int>.onEvent({ $0 == 1 ? $0 : nil }, key: { EffectKey($0) }) { number in
            Effect { effect in
                effect.scheduler.schedule(after: .seconds(1)) { effect.finish(sending: number + 1) }
            }
        }
        let scope = Scope<Int, Int, Int, Int>(
            get: { $0 }, modify: { $1(&$0) }, extract: { $0 }, embed: { _ in nil })
        let system = System<Int, Int>(
            initialState: 0, scheduler: scheduler, reducer: Reducer { $0 += $1 },
            feedbacks: [answering.lifted(by: scope)])
        system.sendEvent(1)
        scheduler.advance()
        #expect(system.loop.effects?.registry.slots.map(\.count) == [1])
        scheduler.run()
        #expect(system.state == 1)
        #expect(system.loop.effects?.registry.slots.map(\.count) == [0])
    }

    @Test(
        "FS-14: work that ends while it starts leaves nothing behind, whether a scope declines its event or not",
        arguments: [true, false])
    func endsAtOnce(declines: Bool) {
        let scheduler = TestScheduler()
        let answering = Feedback<Int, Int>.onEvent({ $0 == 1 ? $0 : nil }, key: { EffectKey($0) }) { number in
            Effect { $0.finish(sending: number + 1) }
        }
        let scope = Scope<Int, Int, Int, Int>(
            get: { $0 }, modify: { $1(&$0) }, extract: { $0 }, embed: { declines ? nil : $0 })
        let system = System<Int, Int>(
            initialState: 0, scheduler: scheduler, reducer: Reducer { $0 += $1 },
            feedbacks: [answering.lifted(by: scope)])
        system.sendEvent(1)
        scheduler.run()
        #expect(system.state == (declines ? 1 : 3))
        #expect(system.loop.effects?.registry.slots.map(\.count) == [0])
    }
}
