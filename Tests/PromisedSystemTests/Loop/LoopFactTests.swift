import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// The facts that a loop notes for its probe: what, and in which order.
@Suite struct LoopFactTests {
    private let scheduler = TestScheduler()
    private let log: FactLog

    init() { log = FactLog(scheduler) }

    private func system(
        _ feedbacks: [Feedback<Int, Int>] = [], middleware: Middleware<Int, Int> = .identity,
        policy: (@Sendable (Int) -> EventPolicy)? = nil,
        timeLimit: @escaping @Sendable (Int) -> Duration? = { _ in nil }
    ) -> System<Int, Int> {
        System(
            initialState: 0, scheduler: scheduler, feedbacks: feedbacks, middleware: middleware,
            configuration: log.configuration(eventPolicy: policy, timeLimit: timeLimit)
        ) { state, event in
            switch event {
            case ..<0: Promise(error: TestError("negative"))
            case 100...: Promise.value(state + event).delay(.seconds(event / 100)).interim(state - 1)
            default: .value(state + event)
            }
        }
    }

    /// The facts of some events, which are sent from the scheduler.
    private func facts(of system: System<Int, Int>, _ events: Int..., seconds: Int = 0) -> [String] {
        scheduler.advance()
        _ = log.take()
        scheduler.schedule { for event in events { system.sendEvent(event) } }
        scheduler.advance(by: .seconds(seconds))
        return log.take()
    }

    @Test("A probe of the configuration is attached before anything happens")
    func attached() {
        let system = System<Int, Int>(
            initialState: 3, scheduler: scheduler, reducer: Reducer { $0 += $1 },
            feedbacks: [.latest(state: { $0 == 3 ? 1 : nil }) { _ in Effect.just(4) }],
            configuration: log.configuration())
        scheduler.advance()
        #expect(
            log.take() == [
                "attached 3 0", "run 1 of 1 [0, work without a key]", "sent 1 4 by run(1)", "ended 1",
                "begins 1 of 1 4 3", "committed 7", "ends 1 settled",
            ])
        withExtendedLifetime(system) {}
    }

    @Test("A synchronous turn, a failing one, and one that is in flight while another event waits")
    func turns() {
        let system = system()
        #expect(
            facts(of: system, 1, -1) == [
                "sent 1 1", "begins 1 of 1 1 0", "committed 1", "ends 1 settled",
                "sent 2 -1", "begins 2 of 2 -1 1", "failed negative", "ends 2 failed: negative",
            ])
        #expect(
            facts(of: system, 100, 2, seconds: 1) == [
                "sent 3 100", "begins 3 of 3 100 1", "interim 0", "pends 3", "sent 4 2",
                "committed 101", "ends 3 settled", "begins 4 of 4 2 101", "committed 103", "ends 4 settled",
            ])
    }

    @Test("Events from another thread are noted in the order in which the loop handles them")
    func inbox() {
        let system = system()
        scheduler.advance()
        _ = log.take()
        system.sendEvent(1)
        system.sendEvent(2, policy: .debounce(.seconds(5), key: "a"))
        system.flush()
        system.sendEvent(3)
        #expect(log.take() == [])
        scheduler.advance()
        #expect(
            log.take() == [
                "sent 1 1", "sent 2 2", "delayed [a] by flush", "sent 3 3",
                "begins 1 of 1 1 0", "committed 1", "ends 1 settled",
                "begins 2 of 2 2 1", "committed 3", "ends 2 settled",
                "begins 3 of 3 3 3", "committed 6", "ends 3 settled",
            ])
    }

    @Test("Policies: replaced, dropped, delayed and superseded events")
    func policies() {
        let system = system(policy: { event in
            switch event {
            case 1: .dropWhileBusy
            case 2, 3: .debounce(.seconds(1), key: "d")
            case 4: .replace
            default: .queue
            }
        })
        #expect(
            facts(of: system, 100, 1, 4) == [
                "sent 1 100", "begins 1 of 1 100 0", "interim -1", "pends 1",
                "sent 2 1", "dropped 2 busy",
                "sent 3 4", "begins 2 of 3 4 0", "reverted 0", "ends 1 cancelled", "committed 4",
                "ends 2 settled",
            ])
        #expect(
            facts(of: system, 2, 3, seconds: 1) == [
                "sent 4 2", "sent 5 3", "dropped 4 debounced", "delayed [d] by timer",
                "begins 3 of 5 3 4", "committed 7", "ends 3 settled",
            ])
        #expect(
            facts(of: system, 2, 5) == [
                "sent 6 2", "sent 7 5", "delayed [d] by event",
                "begins 4 of 6 2 7", "committed 9", "ends 4 settled",
                "begins 5 of 7 5 9", "committed 14", "ends 5 settled",
            ])
    }

    @Test("A transition that exceeds its time limit")
    func timeLimit() {
        let system = system(timeLimit: { $0 == 500 ? .seconds(1) : nil })
        let facts = facts(of: system, 500, seconds: 1)
        #expect(
            facts.prefix(5) == ["sent 1 500", "begins 1 of 1 500 0", "interim -1", "pends 1", "timed out 1"])
        #expect(facts.dropFirst(5).first == "reverted 0")
        #expect(facts.count == 8)
    }

    @Test("Middleware: replaced, stopped and sent events")
    func middleware() {
        let system = system(
            middleware: Middleware(
                before: { event, context in
                    if event == 1 { context.sendEvent(7) }
                    return event == 2 ? .replace(20) : event == 3 ? .stop : .pass
                }))
        #expect(
            facts(of: system, 1, 2, 3) == [
                "sent 1 1", "middleware [1] 0", "sent 2 7 by middleware", "begins 1 of 1 1 0", "committed 1",
                "middleware after [1] 1", "ends 1 settled", "middleware [7] 1", "begins 2 of 2 7 1",
                "committed 8",
                "middleware after [7] 8", "ends 2 settled", "sent 3 2", "middleware [2] 8",
                "begins 3 of 3 20 8",
                "committed 28", "middleware after [20] 28", "ends 3 settled", "sent 4 3", "middleware [3] 28",
                "ends 4 stopped by middleware",
            ])
    }

    @Test("A probe that is attached later begins with what it finds, and does not replace another")
    func attachedLater() {
        let system = System<Int, Int>(
            initialState: 1, scheduler: scheduler, reducer: Reducer { $0 += $1 })
        system.sendEvent(1)
        scheduler.advance()
        system.sendEvent(2)
        system.attach { _ in log.makeProbe() }
        system.sendEvent(3)
        let other = FactLog(scheduler)
        system.explored.attach { _, _, _ in other }
        scheduler.advance()
        #expect(
            log.take() == [
                "attached 2 1", "sent 1 3", "begins 2 of 0 2 2", "committed 4", "ends 2 settled",
                "begins 3 of 1 3 4", "committed 7", "ends 3 settled",
            ])
        #expect(other.take() == [])
    }

    @Test("A write without a turn")
    func write() {
        let system = System<Int, String>(
            initialState: 1, scheduler: .immediate, reducer: Reducer { _, _ in },
            configuration: log.configuration())
        _ = log.take()
        var before: ValueBox<Int>?
        #expect(system.write(&before) { $0 = 5 } == true)
        system.perform(system.notice(of: "set", at: Origin(#fileID, #line), from: before))
        #expect(log.take() == ["written 1 set 1 5"])
    }

    @Test("An event that nothing takes is marked")
    func unhandled() {
        struct Whole: Sendable { var part = 0 }
        enum Event: Sendable {
            case part(Int), other
            static let part = CasePath<Event, Int>(
                embed: { .part($0) }, extract: { if case .part(let value) = $0 { value } else { nil } })
        }
        let system = System<Whole, Event>(
            initialState: Whole(), scheduler: .immediate,
            reducer: Reducer<Int, Int> { $0 += $1 }.lifted(by: Scope(state: \.part, event: Event.part)),
            configuration: log.configuration())
        _ = log.take()
        system.sendEvent(.other)
        #expect(log.take().last == "ends 1 settled, unhandled")
        system.sendEvent(.part(1))
        #expect(log.take().last == "ends 2 settled")
    }

    @Test("An exploration, which asks for numbers, is not told of a recording")
    func exploredInstead() {
        final class Host: SerialScheduler, SystemHost {
            let base = TestScheduler()
            var now: Duration { base.now }
            var isCurrent: Bool { base.isCurrent }
            func schedule(_ work: @escaping @Sendable () -> Void) { base.schedule(work) }
            func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
                base.schedule(after: delay, work)
            }
            func created(_ system: any ExploredSystem) -> Bool { true }
        }
        let system = System<Int, Int>(
            initialState: 1, scheduler: Host(), reducer: Reducer { $0 += $1 },
            configuration: log.configuration())
        #expect(log.take() == [])
        withExtendedLifetime(system) {}
    }
}
