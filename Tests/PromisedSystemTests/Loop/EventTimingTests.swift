import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// Policies with time, change observers, and endless cascades.
@Suite struct EventTimingTests {
    private let scheduler = TestScheduler()

    private func system(
        _ policy: @escaping @Sendable (String) -> EventPolicy
    ) -> System<[String], String> {
        System(initialState: [], scheduler: scheduler, configuration: .init(eventPolicy: policy)) {
            .value($0 + [$1])
        }
    }

    @Test("SR-23, SR-27: debounced events: only the last event of a burst is processed, by key")
    func debounced() {
        let system = system { .debounce(.seconds(2), key: EffectKey($0.prefix(1).description)) }
        let outcomes = Log<String>()
        system.onLoop { outcomes.add("\($0.event) \(describe($0.outcome))") }
        for (event, pause) in [("a1", 1), ("a2", 1), ("a3", 1), ("b1", 1)] {
            system.sendEvent(event)
            scheduler.advance(by: .seconds(pause))
        }
        #expect(system.state == ["a3"])
        scheduler.advance(by: .seconds(1))
        #expect(system.state == ["a3", "b1"])
        #expect(
            outcomes.entries == [
                "a1 dropped(debounced)", "a2 dropped(debounced)", "a3 settled", "b1 settled",
            ])
        #expect(scheduler.pendingCount == 0)
    }

    @Test("SR-27: an event that is debounced under NaN is processed")
    func debouncedUnderNaN() {
        let system = system { _ in .debounce(.seconds(2), key: EffectKey(Double.nan)) }
        for event in ["a1", "a2"] { system.sendEvent(event) }
        scheduler.advance(by: .seconds(2))
        #expect(system.state == ["a2"])
    }

    @Test("SR-27: throttled events: the first of a window, by key; a negative time means no window")
    func throttled() {
        let system = system { event in
            event == "now" ? .throttle(.seconds(-1), key: "now") : .throttle(.seconds(2), key: "all")
        }
        for event in ["a", "b", "now", "now"] { system.sendEvent(event) }
        scheduler.advance(by: .seconds(2))
        system.sendEvent("c")
        scheduler.advance()
        #expect(system.state == ["a", "now", "now", "c"])
    }

    @Test(
        "A debounced event is queued behind the running transition; if the system is released meanwhile, it is dropped"
    )
    func debouncedWhileBusy() {
        let scheduler = scheduler
        var system: System<[String], String>? = System(
            initialState: [], scheduler: scheduler,
            configuration: .init(eventPolicy: {
                $0 == "d" ? .debounce(.seconds(1), key: "d", keepsOrder: false) : .queue
            })
        ) { state, event in
            let next = Promise.value(state + [event])
            return event == "slow" ? next.delay(.seconds(5)) : next
        }
        system?.sendEvent("d")
        system?.sendEvent("slow")
        scheduler.advance(by: .seconds(4))
        #expect(system?.state == [])
        scheduler.advance(by: .seconds(1))
        #expect(system?.state == ["slow", "d"])
        system?.sendEvent("d")
        scheduler.advance()
        system = nil
        #expect(scheduler.pendingCount == 0)
    }

    @Test(
        "SR-39: willChange and didChange are called once per change, with old and new state; not without a change"
    )
    func notices() {
        let system = System<Int, Int>(initialState: 1, scheduler: .immediate) { .value($0 + $1) }
        let log = Log<String>()
        let token = system.observe(
            willChange: { [weak system] in log.add("will \($0) \($1) \(system?.state ?? -1)") },
            didChange: { [weak system] in log.add("did \($0) \($1) \(system?.state ?? -1)") })
        system.sendEvent(2)
        system.sendEvent(0)
        #expect(log.take() == ["will 1 3 1", "did 1 3 3"])
        token.cancel()
        system.sendEvent(1)
        #expect(log.entries.isEmpty)
    }

    @Test("SR-14: a subscription may skip every value; the system stores them all the same")
    func neverTold() {
        let system = System<Int, Int>(initialState: 1, scheduler: .immediate) { .value($0 + $1) }
        let log = Log<Int>()
        let token = system.settled.removeDuplicates(by: { _, _ in true }).subscribe { log.add($0) }
        system.sendEvent(2)
        #expect(log.entries == [1])
        #expect(system.state == 3)
        token.cancel()
    }

    @Test(
        "SR-27: a throttled key stays closed while its window is open, however many other windows have closed"
    )
    func windowsAreKept() {
        let system = System<[String], String>(
            initialState: [], scheduler: scheduler,
            reducer: Reducer { state, event in if event.hasPrefix("long") { state.append(event) } },
            configuration: .init(eventPolicy: { event in
                .throttle(event.hasPrefix("long") ? .seconds(100) : .seconds(1), key: EffectKey(event))
            }))
        for event in ["long 1", "long 2"] { system.sendEvent(event) }
        for number in 0..<200 {
            system.sendEvent("short \(number)")
            scheduler.advance(by: .milliseconds(100))
        }
        for event in ["long 1", "long 2"] { system.sendEvent(event) }
        scheduler.advance(by: .seconds(80))
        for event in ["long 2", "long 1"] { system.sendEvent(event) }
        scheduler.advance()
        #expect(system.state == ["long 1", "long 2", "long 2", "long 1"])
    }

    @Test(
        "SR-27: the last event of each key is processed, however many keys wait",
        arguments: [nil, .trailing, .both] as [ThrottleEdges?], [true, false])
    func manyKeysWait(edges: ThrottleEdges?, keepsOrder: Bool) {
        let keyCount = 200
        let system = System<[Int], Int>(
            initialState: [], scheduler: scheduler, reducer: Reducer { $0.append($1) },
            configuration: .init(eventPolicy: { number in
                let (time, key) = (Duration.seconds(1), EffectKey(number % keyCount))
                return edges.map { .throttle(time, edges: $0, key: key, keepsOrder: keepsOrder) }
                    ?? .debounce(time, key: key, keepsOrder: keepsOrder)
            }))
        for number in 0..<2 * keyCount { system.sendEvent(number) }
        scheduler.advance(by: .seconds(1))
        #expect(system.state == Array((edges == .both ? 0 : keyCount)..<2 * keyCount))
        #expect(scheduler.pendingCount == 0)
    }

    @Test(
        "SR-40: an observer that always sends again is cut once and reported; a later event is still processed"
    )
    func runaway() {
        Reports.begin()
        let event = "again and again \(#line)"
        let system = System<Int, String>(
            initialState: 0, scheduler: scheduler, reducer: Reducer { state, _ in state += 1 },
            configuration: .init(cascadeLimit: 1000))
        let outcomes = Log<String>()
        system.onLoop { if case .dropped(let reason) = $0.outcome { outcomes.add("\($0.event) \(reason)") } }
        let token = system.settled.subscribe(replayCurrent: false) { [weak system] _ in
            if outcomes.count == 0 { system?.sendEvent(event) }
        }
        system.sendEvent("first")
        scheduler.advance()
        #expect(system.state == 1000)
        system.sendEvent("unrelated")
        scheduler.advance()
        #expect(system.state == 1001)
        #expect(outcomes.entries == ["\(event) runaway"])
        #expect(Reports.about(event).count == 1)
        token.cancel()
    }

    @Test(
        "SR-40: an event that no other event has sent is processed whatever the limit, with a policy and without",
        arguments: [true, false], [0, 1, -3])
    func leastLimit(hasPolicy: Bool, limit: Int) {
        Reports.begin()
        let queued: @Sendable (String) -> EventPolicy = { _ in .queue }
        let system = System<[String], String>(
            initialState: [], scheduler: .immediate, reducer: Reducer { state, event in state.append(event) },
            configuration: .init(eventPolicy: hasPolicy ? queued : nil, cascadeLimit: limit))
        let token = system.settled.subscribe(replayCurrent: false) { [weak system] state in
            if state.count == 1 { system?.sendEvent("sent by another \(hasPolicy) \(limit)") }
        }
        system.sendEvent("first")
        system.sendEvent("second")
        #expect(system.state == ["first", "second"])
        #expect(Reports.about("sent by another \(hasPolicy) \(limit)").count == 1)
        token.cancel()
    }

    @Test(
        "SR-40: the same with transitions that take no time but do not settle synchronously, and on .immediate"
    )
    func runawayThroughPromises() {
        Reports.begin()
        let event = "again through promises \(#line)"
        let system = System<Int, String>(
            initialState: 0, scheduler: .immediate, configuration: .init(cascadeLimit: 100)
        ) { state, _ in Promise { $0.fulfill(state + 1) } }
        let token = system.settled.subscribe(replayCurrent: false) { [weak system] _ in
            system?.sendEvent(event)
        }
        system.sendEvent("first")
        #expect(system.state == 100)
        #expect(Reports.about(event).count == 1)
        token.cancel()
    }

    @Test("SR-40: a timer's tick starts a new cascade: a poll may repeat endlessly") func ticks() {
        let system = System<Int, String>(
            initialState: 0, scheduler: scheduler,
            feedbacks: [
                .extracting(payload: { $0 }) { Promise.value($0).delay(.seconds(1)) }
            ], configuration: .init(cascadeLimit: 10)
        ) { state, _ in .value(state + 1) }
        system.sendEvent("tick")
        scheduler.advance(by: .seconds(50))
        #expect(system.state == 51)
    }

    @Test(
        "SR-40: an answer that arrives later starts a new cascade: transitions may follow each other endlessly"
    )
    func answers() {
        let system = System<Int, String>(
            initialState: 0, scheduler: scheduler, configuration: .init(cascadeLimit: 10)
        ) {
            state, _ in
            Promise.value(state + 1).delay(.seconds(1))
        }
        let token = system.settled.subscribe(replayCurrent: false) { [weak system] _ in
            system?.sendEvent("next")
        }
        system.sendEvent("first")
        scheduler.advance(by: .seconds(50))
        #expect(system.state == 50)
        token.cancel()
    }

    @Test("SR-55: the same events in the same order give the same states: 100 random runs, replayed twice")
    func replay() {
        var random = SeededGenerator(seed: 55)
        for _ in 0..<100 {
            let events = (0..<50).map { _ in Int.random(in: -9...9, using: &random) }
            let runs = (0..<2).map { _ in
                let states = Log<Int>()
                let system = System<Int, Int>(initialState: 0, scheduler: .immediate) {
                    .value($0 &* 7 &+ $1)
                }
                system.addLoopCallback { states.add($0) }
                events.forEach { system.sendEvent($0) }
                return states.entries
            }
            #expect(runs[0] == runs[1])
        }
    }
}
