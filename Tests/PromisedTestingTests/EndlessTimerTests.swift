import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// What never ends stops the clock and is named.
@Suite struct EndlessTimerTests {
    private static let file = "PromisedTestingTests/EndlessTimerTests.swift"

    /// The first line and the list of a failure.
    private func facts(_ text: String) -> [Substring] {
        text.split(separator: "\n").filter { $0.hasPrefix("The scheduler") || $0.hasPrefix("    ") }
    }

    @Sendable private static func repeats(_ interval: Duration, on scheduler: TestScheduler) {
        scheduler.schedule(after: interval) { [unowned scheduler] in repeats(interval, on: scheduler) }
    }

    @Test("run stops after 1,000 instants; with exactly as many as the limit it passes") func instants() {
        let scheduler = TestScheduler()
        for number in 0...3 { for _ in 0..<2 { scheduler.schedule(after: .seconds(number)) {} } }
        #expect(failures { scheduler.run(limit: 3) }.isEmpty)
        Self.repeats(.seconds(1), on: scheduler)
        #expect(
            failures { scheduler.run() } == [
                """
                The scheduler moved the clock 1000 times, to 1003.0 seconds, and more work is pending: something schedules \
                itself again without an end.

                End it, or move the clock by a fixed amount with advance(by:).
                """
            ])
        #expect(scheduler.pendingCount == 1)
        #expect(failures { scheduler.run(limit: 0) }.count == 1)
        #expect(scheduler.now == .seconds(1_003))
    }

    @Test(
        "work that reschedules itself without a delay stops every way of moving the clock",
        arguments: ["run", "advance by", "advance to", "send", "finish"])
    func zeroDelay(way: String) {
        let scheduler = TestScheduler()
        let test = TestSystem<Int, Int>(initialState: 0, scheduler: scheduler) { .value($0 + $1) }
        Self.repeats(.zero, on: scheduler)
        let texts = failures {
            switch way {
            case "run": test.run()
            case "advance by": test.advance(by: .seconds(1))
            case "advance to": scheduler.advance(to: .seconds(1))
            case "send": test.send(1) { $0 = 1 }
            default: test.finish()
            }
        }
        #expect(
            texts.map(facts) == [
                [
                    "The scheduler ran 100000 work items at 0.0 seconds, and more work is pending: something "
                        + "schedules itself again without an end."
                ]
            ])
        scheduler.discard()
        if way != "finish" { test.skipStates() }
    }

    @Test("many work items at several instants are no endless ones") func manyItems() {
        let scheduler = TestScheduler()
        let count = Lock(0)
        @Sendable func chain(_ left: Int) {
            count.withLock { $0 += 1 }
            if left > 1 { scheduler.schedule { chain(left - 1) } }
        }
        for second in 1...3 { scheduler.schedule(after: .seconds(second)) { chain(40_000) } }
        #expect(failures { scheduler.advance(by: .seconds(3)) }.isEmpty)
        #expect(count.withLock { $0 } == 120_000)
    }

    private enum Event: Sendable, Equatable { case start, tick }

    private static let ticking = Feedback<Int, Event>.onEvent(
        { $0 == .start ? true : nil }, key: { _ in "ticks" },
        effects: { _ in Effect<Event> { effect in tick(effect) } }, file: "Clock/Clock.swift", line: 11)

    @Sendable private static func tick(_ effect: EffectHandle<Event>) {
        let timer = effect.scheduler.schedule(after: .seconds(1)) {
            effect.send(.tick)
            tick(effect)
        }
        effect.onCancel { timer.cancel() }
    }

    @Test("the failure names the effect, the async work and the transition that run")
    func names() {
        let scheduler = TestScheduler()
        let system = System<Int, Event>(
            initialState: 0, scheduler: scheduler,
            feature: Feature(
                reducer: Reducer { count, event in if event == .tick { count += 1 } },
                feedbacks: [Self.ticking]))
        let endless = System<Int, Event>(initialState: 0, scheduler: scheduler) { _, _ in
            Promise.value(0).delay(.seconds(1_000_000))
        }
        system.sendEvent(.start)
        endless.sendEvent(.start, file: "Clock/Clock.swift", line: 12)
        let (gate, resolver) = Promise<Int>.pending()
        let task = Promise({ try await gate.value }, file: "Clock/Clock.swift", line: 13).start(on: scheduler)
        do {
            let released = System<Int, Event>(initialState: 0, scheduler: scheduler) { _, _ in
                Promise.value(0).delay(.seconds(1_000_000))
            }
            released.sendEvent(.start)
        }
        #expect(
            failures { scheduler.run(limit: 20) }.map(facts) == [
                [
                    "The scheduler moved the clock 20 times, to 20.0 seconds, and more work is pending: something schedules "
                        + "itself again without an end.",
                    "    The effect ticks, requested at Clock/Clock.swift:11, is still running.",
                    "    The transition of start, sent at Clock/Clock.swift:12, is still running.",
                    "    The async work made at Clock/Clock.swift:13 is still open.",
                ]
            ])
        #expect(system.state == 20)
        task.cancel()
        resolver.fulfill(0)
    }

    @Test("more systems than are kept before a sweep are all named while they live") func manySystems() {
        let scheduler = TestScheduler()
        let systems = (0..<200).map { _ in
            System<Int, Event>(initialState: 0, scheduler: scheduler) { _, _ in
                Promise.value(0).delay(.seconds(1_000_000))
            }
        }
        for system in systems { system.sendEvent(.start) }
        Self.repeats(.seconds(1), on: scheduler)
        let texts = failures { scheduler.run(limit: 1) }
        #expect(texts.map { facts($0).count } == [201])
    }
}
