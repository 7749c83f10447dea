import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .tags(.sharedState)) struct SchedulerTests {
    private final class Places: Sendable {
        let log = Log<String>()

        func check(_ place: String, _ scheduler: any SerialScheduler) {
            log.add("\(place) \(scheduler.isCurrent)")
        }

        func watch(_ system: System<Int, Int>, _ scheduler: any SerialScheduler) {
            system.addBinding { _ in self.check("binding", scheduler) }
            system.addLoopCallback { _ in self.check("callback", scheduler) }
            system.onLoop { _ in self.check("record", scheduler) }
        }
    }

    private func run<Scheduler: SerialScheduler>(on scheduler: Scheduler) async -> [String] {
        let places = Places()
        let system = System<Int, Int>(initialState: 0, scheduler: scheduler) { state, event in
            places.check("reducer", scheduler)
            return Promise { resolver in
                places.check("body", scheduler)
                resolver.fulfill(state + event)
            }
            .delay(.milliseconds(1))
        }
        places.watch(system, scheduler)
        let values = system.settled.values
        await onThread { system.sendEvent(1) }
        if let virtual = scheduler as? TestScheduler { virtual.run() }
        for await state in values where state == 1 { break }
        await scheduler.caughtUp()
        return places.log.entries
    }

    private let all = ["binding", "reducer", "body", "binding", "callback", "record"].map { "\($0) true" }

    @Test("On a queue everything runs there, whichever thread sends") func serial() async {
        #expect(await run(on: QueueScheduler.serial("places")) == all)
    }

    @Test("On the main queue everything runs there, whichever thread sends") func main() async {
        #expect(await run(on: MainScheduler.main) == all)
    }

    @Test("On virtual time everything runs where the clock is advanced") func virtual() async {
        #expect(await run(on: TestScheduler()) == all)
    }

    @Test("On the immediate scheduler everything has happened when sendEvent returns")
    func immediate() {
        let log = Log<String>()
        let system = System<Int, Int>(
            initialState: 0, scheduler: .immediate, uiBindings: [{ log.add("shown \($0)") }]
        ) { .value($0 + $1) }
        system.addLoopCallback { log.add("told \($0)") }
        log.add("send")
        system.sendEvent(1)
        log.add("sent")
        #expect(log.entries == ["shown 0", "send", "shown 1", "told 1", "sent"])
    }

    @Test("Async work of a reducer runs in virtual time too")
    func asyncWork() {
        let bench = Bench()
        bench.send(Step("a") { state in Promise { state + "a" } }, .add("b"))
        bench.advance()
        #expect(bench.system.state == "ab")
        bench.scheduler.finish()
    }

    @Test("A chain of a reducer takes its delays from the system's clock")
    func clock() {
        let bench = Bench()
        bench.send(
            Step("a") { _ in
                Promise.value("a").delay(.s(3600)).flatMap { Promise.value($0 + "b").delay(.s(3600)) }
            })
        bench.advance(7199)
        #expect(bench.system.state == "")
        bench.advance(1)
        #expect(bench.system.state == "ab")
    }

    @Test("Bindings, callbacks and subscriptions run on their own scheduler, in order")
    func onSchedulers() {
        let (own, other) = (TestScheduler(), TestScheduler())
        let system = System<Int, Int>(
            initialState: 0, scheduler: own, configuration: .init(history: .unlimited)
        ) { state, event in
            event < 0 ? Promise(error: TestError("\(event)")) : .value(state + event)
        }
        let log = Log<String>()
        system.addBinding(on: other) { log.add("binding \($0)") }
        system.addLoopCallback(on: other, replayCurrent: true) { log.add("callback \($0)") }
        system.addLoopCallback(on: other) { state, states in log.add("history \(states)") }
        system.onLoop(on: other) { log.add("record \($0.event)") }
        system.onError(on: other) { log.add("error \($0)") }
        system.onError(on: other) { error, event in log.add("error \(error) of \(event)") }
        let token = system.settled.subscribe(on: other) { log.add("settled \($0)") }
        own.advance()
        other.advance()
        #expect(log.take().sorted() == ["binding 0", "callback 0", "settled 0"])
        system.sendEvent(1)
        system.sendEvent(-1)
        own.advance()
        #expect(log.take() == [])
        other.advance()
        #expect(
            log.take() == [
                "binding 1", "settled 1", "callback 1", "history [0, 1]", "record 1", "error -1",
                "error -1 of -1",
                "record -1",
            ])
        withExtendedLifetime(token) {}
    }

    @Test("Work that a scheduler runs twice is delivered once")
    func onSchedulerThatRunsTwice() {
        let (own, other) = (TestScheduler(), TwiceScheduler())
        let system = System<Int, Int>(initialState: 0, scheduler: own) { .value($0 + $1) }
        let log = Log<String>()
        system.addBinding(on: other) { log.add("binding \($0)") }
        system.addLoopCallback(on: other) { log.add("callback \($0)") }
        system.onLoop(on: other) { log.add("record \($0.event)") }
        let tokens = [
            system.settled.subscribe(on: other) { log.add("settled \($0)") },
            system.settled.receive(on: other).subscribe { log.add("received \($0)") },
        ]
        own.advance()
        #expect(log.take().sorted() == ["binding 0", "received 0", "settled 0"])
        system.sendEvent(1)
        own.advance()
        #expect(
            log.take().sorted() == ["binding 1", "callback 1", "received 1", "record 1", "settled 1"])
        withExtendedLifetime(tokens) {}
    }

    @Test("A delivery in flight to another scheduler is dropped after the end")
    func endsOnSchedulers() {
        let (own, other) = (TestScheduler(), TestScheduler())
        let system = System<Int, Int>(initialState: 0, scheduler: own) { .value($0 + $1) }
        let log = Log<String>()
        let binding = system.addBinding(on: other) { log.add("binding \($0)") }
        system.addLoopCallback(on: other) { log.add("callback \($0)") }
        let token = system.settled.subscribe(on: other, replayCurrent: false) { log.add("settled \($0)") }
        system.sendEvent(1)
        own.advance()
        token.cancel()
        binding.cancel()
        other.advance()
        #expect(log.take() == ["callback 1"])
        system.sendEvent(1)
        own.advance()
        system.stop()
        other.advance()
        #expect(log.take() == [])
    }

    @Test("A subscription on the main queue may access main-actor state")
    @MainActor func onMain() {
        var seen: [Int] = []
        let token = Source.constant(5).subscribe(on: .main) { seen.append($0) }
        #expect(seen == [5])
        token.cancel()
    }
}

/// Violates its contract: runs every work item twice, right where it is scheduled.
private final class TwiceScheduler: SerialScheduler {
    var now: Duration { .zero }

    func schedule(_ work: @escaping @Sendable () -> Void) {
        work()
        work()
    }

    func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        schedule(work)
        return ScheduledWork {}
    }
}
