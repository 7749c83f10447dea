import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// Events that are debounced or throttled, beside later ones that are not.
@Suite struct DelayedEventTests {
    private let scheduler = TestScheduler()

    /// The first letter of an event is its policy and its key.
    private static func policy(_ event: String) -> EventPolicy {
        switch event.first {
        case "d": .debounce(.seconds(2), key: "d")
        case "e": .debounce(.seconds(1), key: "e")
        case "f": .debounce(.seconds(2), key: "f", keepsOrder: false)
        case "t": .throttle(.seconds(2), edges: .trailing, key: "t")
        case "b": .throttle(.seconds(2), edges: .both, key: "b")
        case "u": .throttle(.seconds(2), edges: .trailing, key: "u", keepsOrder: false)
        case "c": .throttle(.seconds(2), edges: .both, key: "c", keepsOrder: false)
        case "l": .throttle(.seconds(2), key: "l")
        case "r": .replace
        case "w": .dropWhileBusy
        default: .queue
        }
    }

    private func system(feedbacks: [Feedback<[String], String>] = []) -> System<[String], String> {
        System(
            initialState: [], scheduler: scheduler,
            reducer: Reducer<[String], String> { state, event -> Promise<[String]> in
                let next = Promise.value(state + [event])
                return event.hasSuffix("slow") ? next.delay(.seconds(5)) : next
            }, feedbacks: feedbacks, configuration: .init(eventPolicy: Self.policy))
    }

    @Test(
        "an event that is not delayed does not overtake those that are",
        arguments: [
            (["d1", "save"], ["d1", "save"], []), (["t1", "save"], ["t1", "save"], []),
            (["b1", "b2", "save"], ["b1", "b2", "save"], []),
            (["d1", "e1", "save"], ["d1", "e1", "save"], []),
            (["e1", "d1", "save"], ["e1", "d1", "save"], []), (["d1", "d2", "save"], ["d2", "save"], []),
            // Of the policies, only those that enqueue the event at once.
            (["d1", "wait"], ["d1", "wait"], []), (["d1", "l1"], ["d1", "l1"], []),
            (["d1", "l1", "d2", "l2"], ["d1", "l1"], ["d2"]), (["d1", "r1"], ["r1"], ["d1"]),
            (["d1", "t1"], [], ["d1", "t1"]),
            // Those that may be overtaken.
            (["f1", "save"], ["save"], ["f1"]), (["u1", "save"], ["save"], ["u1"]),
            (["f1", "d1", "u1", "save"], ["d1", "save"], ["f1", "u1"]),
        ])
    func overtaken(_ sent: [String], _ atOnce: [String], _ later: [String]) {
        let system = system()
        for event in sent { system.sendEvent(event) }
        scheduler.advance()
        #expect(system.state == atOnce)
        scheduler.advance(by: .seconds(2))
        #expect(system.state == atOnce + later)
        #expect(scheduler.pendingCount == 0)
    }

    @Test("a delayed event whose time is over does not overtake an earlier one")
    func bothDelayed() {
        let system = system()
        for event in ["d1", "f1", "e1"] { system.sendEvent(event) }
        scheduler.advance(by: .seconds(1))
        #expect(system.state == ["d1", "e1"])
        scheduler.advance(by: .seconds(1))
        #expect(system.state == ["d1", "e1", "f1"])
    }

    @Test("a flushed event waits for the running transition, as the later one does")
    func whileBusy() {
        let system = system()
        for event in ["slow", "d1", "save"] { system.sendEvent(event) }
        scheduler.advance(by: .seconds(4))
        #expect(system.state == [])
        scheduler.advance(by: .seconds(1))
        #expect(system.state == ["slow", "d1", "save"])
    }

    @Test("an event that is dropped because the system is busy flushes nothing")
    func droppedFlushesNothing() {
        let system = system()
        for event in ["slow", "d1", "w1", "d2"] {
            system.sendEvent(event)
            scheduler.advance()
        }
        scheduler.advance(by: .seconds(9))
        #expect(system.state == ["slow", "d2"])
    }

    @Test("an event of a feedback's work neither flushes nor is flushed")
    func ofWork() {
        let ticking = Feedback<[String], String>.onEvent({ $0.hasPrefix("start") ? $0.last : nil }) { last in
            Effect { effect in
                effect.scheduler.schedule(after: .seconds(1)) {
                    effect.finish(sending: last == "d" ? "d2" : "now")
                }
            }
        }
        let system = system(feedbacks: [ticking])
        system.sendEvent("start")
        system.sendEvent("d1")
        scheduler.advance(by: .seconds(1))
        #expect(system.state == ["start", "now"])
        scheduler.advance(by: .seconds(1))
        #expect(system.state == ["start", "now", "d1"])
        system.sendEvent("start d")
        scheduler.advance(by: .seconds(1))
        system.sendEvent("save")
        scheduler.advance(by: .seconds(2))
        #expect(system.state.suffix(3) == ["start d", "save", "d2"])
    }

    @Test("flush processes the event of a key, or all of them, once and in order")
    func flush() {
        let system = system()
        for event in ["f1", "d1", "t1", "e1"] { system.sendEvent(event) }
        scheduler.advance()
        system.flush("t")
        scheduler.advance()
        #expect(system.state == ["t1"])
        system.flush()
        system.flush()
        scheduler.advance()
        #expect(system.state == ["t1", "f1", "d1", "e1"])
        #expect(scheduler.pendingCount == 0)
        system.stop()
        system.flush()
    }

    @Test("an event of work that was cancelled is not flushed")
    func withdrawn() {
        let typing = Feedback<[String], String>.onEvent(
            { $0 == "type" ? true : $0 == "stop" ? false : nil }, key: { _ in "typing" }, policy: .replace
        ) { isTyping in Effect { if isTyping { $0.send("d1") } } }
        let system = system(feedbacks: [typing])
        for event in ["type", "stop", "save"] { system.sendEvent(event) }
        scheduler.advance(by: .seconds(2))
        #expect(system.state == ["type", "stop", "save"])
    }

    @Test("a flushed event belongs to its cascade, so an endless one is noticed")
    func cascade() {
        let system = System<Int, Bool>(
            initialState: 0, scheduler: .immediate, reducer: Reducer { count, _ in count += 1 },
            configuration: .init(
                eventPolicy: { $0 ? .debounce(.seconds(1), key: "d") : .queue }, cascadeLimit: 100))
        let outcomes = Log<String>()
        system.onLoop { [weak system] record in
            outcomes.add(describe(record.outcome))
            guard !record.event, outcomes.entries.count < 1000 else { return }
            for isDelayed in [true, false] { system?.sendEvent(isDelayed) }
        }
        system.sendEvent(false)
        #expect(outcomes.entries.contains("dropped(runaway)"))
    }

    @Test("a delayed event of work whose time is over does not end the delay of others")
    func delayedOfWork() {
        let asking = Feedback<[String], String>.onEvent({ $0 == "start" ? true : nil }) { _ in
            Effect { $0.finish(sending: "e1") }
        }
        let system = system(feedbacks: [asking])
        system.sendEvent("start")
        system.sendEvent("d1")
        scheduler.advance(by: .seconds(1))
        #expect(system.state == ["start", "e1"])
        scheduler.advance(by: .seconds(1))
        #expect(system.state == ["start", "e1", "d1"])
    }

    @Test("flushing opens no window, for events as for work: the present one stays open")
    func flushedWindow() {
        let works = Log<String>()
        let asking = Feedback<[String], String>.onEvent(
            { $0.hasPrefix("ask") ? $0 : nil }, key: { _ in "ask" },
            policy: .throttle(.seconds(2), edges: .both)
        ) { name in Effect<String>.fireAndForget { works.add(name) } }
        let flushing = Feedback<[String], String>.onEvent({ $0 == "hurry" ? true : nil }) { _ in
            Effect<String>.flush("ask")
        }
        let system = system(feedbacks: [asking, flushing])
        var times: [String] = []
        for number in 1...3 {
            system.sendEvent("c\(number)")
            system.sendEvent("ask\(number)")
            scheduler.advance()
            if number == 2 {
                system.flush()
                system.sendEvent("hurry")
            }
            scheduler.advance(by: .milliseconds(500))
            times.append("\(system.state.filter { $0.hasPrefix("c") }.count) \(works.entries.count)")
        }
        #expect(times == ["1 1", "2 2", "2 2"])
        scheduler.advance(by: .milliseconds(500))
        #expect(system.state.contains("c3") && works.entries == ["ask1", "ask2", "ask3"])
    }

    @Test("an event that is flushed again and again is no cascade")
    func heartbeat() {
        let system = System<Int, String>(
            initialState: 0, scheduler: scheduler, reducer: Reducer { count, _ in count += 1 },
            configuration: .init(
                eventPolicy: { $0 == "beat" ? .debounce(.seconds(9), key: "beat") : .queue }, cascadeLimit: 5)
        )
        let outcomes = Log<String>()
        system.onLoop { [weak system] record in
            outcomes.add(describe(record.outcome))
            if record.event == "beat" { system?.sendEvent("beat") }
        }
        system.sendEvent("beat")
        for _ in 1...9 {
            system.sendEvent("now")
            scheduler.advance()
        }
        #expect(Set(outcomes.entries) == ["settled"])
        #expect(outcomes.entries.count == 18)
    }
}
