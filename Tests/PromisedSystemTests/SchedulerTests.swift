import PromisedSystem
import PromisedTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct SchedulerTests {
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

    @Test("On a queue everything runs there, whoever sends") func serial() async {
        #expect(await run(on: QueueScheduler.serial("places")) == all)
    }

    @Test("On the main queue everything runs there, whoever sends") func main() async {
        #expect(await run(on: MainScheduler.main) == all)
    }

    @Test("On virtual time everything runs where the clock is moved") func virtual() async {
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

    @Test("async work of a reducer is in virtual time too")
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
}
