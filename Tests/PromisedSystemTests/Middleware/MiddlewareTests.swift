import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@Suite struct MiddlewareTests {
    typealias Layer = Middleware<[String], String>

    private let log = Log<String>()

    private func logger(_ name: String) -> Layer {
        Layer(
            before: { [log] event, system in
                log.add("\(name)> \(event) \(system.state.count)")
                return .pass
            },
            after: { [log] event, system in log.add("\(name)< \(event) \(system.state.count)") })
    }

    private func system(_ middleware: Layer) -> System<[String], String> {
        System(initialState: [], scheduler: .immediate, middleware: middleware) { .value($0 + [$1]) }
    }

    @Test("SR-15: before sees the old state, after the new one; SR-18: after runs in reverse order")
    func around() {
        let system = system(logger("a") <> logger("b"))
        system.sendEvent("x")
        #expect(log.entries == ["a> x 0", "b> x 0", "b< x 1", "a< x 1"])
    }

    @Test("SR-16: the record of a stopped event has the state at that time, before and after")
    func stateOfStopped() {
        let bouncer = Middleware<Int, Int>(before: { event, _ in event == 0 ? .stop : .pass })
        let system = System<Int, Int>(initialState: 1, scheduler: .immediate, middleware: bouncer) {
            .value($0 + $1)
        }
        let records = Log<String>()
        system.onLoop { records.add("\($0.event): \($0.before) to \($0.after)") }
        for event in [0, 2, 0, 3, 0] { system.sendEvent(event) }
        #expect(records.entries == ["0: 1 to 1", "2: 1 to 3", "0: 3 to 3", "3: 3 to 6", "0: 6 to 6"])
    }

    @Test(
        "SR-06, SR-16: a stopped event is recorded and not reduced; of a replaced event, the replacement is reduced"
    )
    func verdicts() {
        let system = system(
            logger("outer")
                <> Layer(before: { event, _ in
                    switch event {
                    case "stop": .stop
                    case "old": .replace("new")
                    default: .pass
                    }
                }) <> logger("inner"))
        let records = Log<String>()
        system.onLoop { records.add("\($0.event) \(describe($0.outcome))") }
        for event in ["stop", "old", "x"] { system.sendEvent(event) }
        #expect(system.state == ["new", "x"])
        #expect(records.entries == ["stop stopped", "new settled", "x settled"])
        #expect(
            log.entries == [
                "outer> stop 0", "outer< stop 0",
                "outer> old 0", "inner> new 0", "inner< new 1", "outer< old 1",
                "outer> x 1", "inner> x 1", "inner< x 2", "outer< x 2",
            ])
    }

    @Test("SR-05, SR-08: events that middleware sends go directly behind the turn, before the queued ones")
    func directlyBehind() {
        let scheduler = TestScheduler()
        let middleware = Layer(
            before: { event, system in
                if event == "a" { ["a1", "a2"].forEach { system.sendEvent($0) } }
                return .pass
            },
            after: { event, system in if event == "a1" { system.sendEvent("a1b") } })
        let system = System<[String], String>(
            initialState: [], scheduler: scheduler, middleware: middleware
        ) { .value($0 + [$1]) }
        for event in ["a", "z"] { system.sendEvent(event) }
        scheduler.advance()
        #expect(system.state == ["a", "a1", "a1b", "a2", "z"])
    }

    @Test("SR-08: text changed, then tap: the handler of the tap reads the new text") func formOrder() {
        let scheduler = TestScheduler()
        let middleware = Layer(before: { [log] event, system in
            if event.hasPrefix("typed ") { system.sendEvent("text " + event.dropFirst(6)) }
            if event == "tap" { log.add(system.state.last ?? "nothing") }
            return event.hasPrefix("typed ") ? .stop : .pass
        })
        let system = System<[String], String>(
            initialState: [], scheduler: scheduler, middleware: middleware
        ) { .value($0 + [$1]) }
        for event in ["typed x", "tap"] { system.sendEvent(event) }
        scheduler.advance()
        #expect(log.entries == ["text x"])
    }

    @Test("SR-17: the state is always the newest, and the last one after the end")
    func liveState() {
        let kept = Box<Layer.Context?>(nil)
        var system: System<[String], String>? = system(
            Layer(before: { _, context in
                if kept.value == nil { kept.value = context }
                return .pass
            }))
        for event in ["a", "b", "c"] { system?.sendEvent(event) }
        #expect(kept.value?.state == ["a", "b", "c"])
        weak let gone = system
        system = nil
        #expect(gone == nil)
        kept.value?.sendEvent("d")
        #expect(kept.value?.state == ["a", "b", "c"])
    }

    @Test("SR-18: one value in two chains changes neither; SR-19: identity on either side is a no-op")
    func values() {
        let pair = logger("a") <> logger("b")
        let (first, second) = (system(pair <> logger("c")), system(.identity <> pair <> .identity))
        first.sendEvent("x")
        #expect(log.take().count == 6)
        second.sendEvent("x")
        #expect(log.take() == ["a> x 0", "b> x 0", "b< x 1", "a< x 1"])
    }

    @Test("Middleware runs after a failed transition, and around one that takes time, too")
    func slowAndFailing() {
        let scheduler = TestScheduler()
        let system = System<[String], String>(
            initialState: [], scheduler: scheduler, middleware: logger("m")
        ) { state, event in
            event == "fails"
                ? Promise(error: TestError("x")) : Promise.value(state + [event]).delay(.seconds(1))
        }
        system.onError { _ in }
        for event in ["fails", "slow"] { system.sendEvent(event) }
        scheduler.advance()
        #expect(log.take() == ["m> fails 0", "m< fails 0", "m> slow 0"])
        scheduler.advance(by: .seconds(1))
        #expect(log.take() == ["m< slow 1"])
    }

    @Test("An event sent later, from asynchronous work, goes to the end of the queue") func later() {
        let scheduler = TestScheduler()
        let system = System<[String], String>(
            initialState: [], scheduler: scheduler,
            middleware: Layer(before: { event, system in
                if event == "a" {
                    Promise.value("late").delay(.seconds(1)).start(on: scheduler).done {
                        system.sendEvent($0)
                    }
                }
                return .pass
            })
        ) { .value($0 + [$1]) }
        for event in ["a", "b"] { system.sendEvent(event) }
        scheduler.advance(by: .seconds(1))
        #expect(system.state == ["a", "b", "late"])
    }

    @Test("SR-08: an endless cascade of events that middleware sends is cut like any other") func runaway() {
        Reports.begin()
        let endless = Middleware<Int, String>(after: { event, system in
            system.sendEvent("runaway-in-middleware")
        })
        let system = System<Int, String>(
            initialState: 0, scheduler: .immediate, middleware: endless,
            configuration: .init(cascadeLimit: 10)
        ) { count, _ in .value(count + 1) }
        system.sendEvent("begin")
        #expect(system.state == 10)
        #expect(Reports.about("runaway-in-middleware").count == 1)
    }

    @Test(
        "SR-08: events that middleware sends follow the event policy; only queued ones go directly behind the turn"
    )
    func policyInside() {
        let scheduler = TestScheduler()
        let middleware = Layer(after: { event, system in
            if event == "a" { ["later", "behind", "later"].forEach { system.sendEvent($0) } }
        })
        let system = System<[String], String>(
            initialState: [], scheduler: scheduler, middleware: middleware,
            configuration: .init(eventPolicy: {
                $0 == "later" ? .debounce(.seconds(1), key: "later") : .queue
            })
        ) { .value($0 + [$1]) }
        for event in ["a", "z"] { system.sendEvent(event) }
        scheduler.run()
        #expect(system.state == ["a", "behind", "z", "later"])
    }

    @Test("SR-16: the record of a replaced event has the event that middleware returned")
    func recordOfReplaced() {
        let scheduler = TestScheduler()
        let middleware = Layer(before: { event, _ in event == "old" ? .replace("new") : .pass })
        let system = System<[String], String>(
            initialState: [], scheduler: scheduler, middleware: middleware
        ) { .value($0 + [$1]).delay(.seconds(1)) }
        let records = Log<String>()
        system.onLoop { records.add("\($0.event) \(describe($0.outcome))") }
        system.sendEvent("old")
        scheduler.advance()
        system.sendEvent("next", policy: .replace)
        scheduler.run()
        #expect(records.entries == ["new cancelled", "next settled"])
    }
}
