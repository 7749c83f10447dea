import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// Waiting until a system has nothing left to do, and dropping what is left.
@Suite(.tags(.sharedState)) struct IdleTests {
    private let scheduler = TestScheduler()
    private let log = Log<String>()

    /// The letter of an event is its policy; the number is how many seconds its transition takes; `f` fails.
    private func system(feedbacks: [Feedback<String, String>] = []) -> System<String, String> {
        let system = System<String, String>(
            initialState: "", scheduler: scheduler,
            reducer: Reducer { state, event -> Promise<String> in
                guard event.first != "f" else { return Promise(error: Boom()).delay(.seconds(1)) }
                let seconds = Int(event.dropFirst()) ?? 0
                return seconds > 0
                    ? Promise.value(state + event).delay(.seconds(seconds)) : .value(state + event)
            }, feedbacks: feedbacks,
            configuration: .init(eventPolicy: { event in
                switch event.first {
                case "r": .replace
                case "d": .debounce(.seconds(3), key: "d")
                case "e": .debounce(.seconds(3), key: "e", keepsOrder: false)
                case "t": .throttle(.seconds(4), edges: .both, key: "t", keepsOrder: false)
                default: .queue
                }
            }))
        system.onError { _ in }
        return system
    }

    private struct Boom: Error {}

    private func time() -> Int64 { scheduler.now.components.seconds }

    @Test(
        "whenIdle is fulfilled when the last transition has ended and nothing is queued or delayed",
        arguments: [
            ([], 0, ""), (["a"], 0, "a"), (["a2"], 2, "a2"), (["a2", "b", "c3"], 5, "a2bc3"), (["f"], 1, ""),
            (["f", "a1"], 2, "a1"), (["a9", "r1"], 10, "r1a9"), (["d"], 3, "d"), (["e"], 3, "e"),
            (["e", "a1"], 3, "a1e"), (["t", "t2"], 6, "tt2"), (["t"], 0, "t"), (["d", "d1"], 4, "d1"),
        ] as [([String], Int64, String)])
    func whenIdle(events: [String], seconds: Int64, state: String) {
        let system = system()
        for event in events { system.sendEvent(event) }
        system.whenIdle().done { [log] in log.add("\(system.state) at \(self.time())") }
        scheduler.run()
        #expect(log.entries == ["\(state) at \(seconds)"])
    }

    @Test("it is found out beside senders on other threads, of whose events none is left lying")
    func besideSenders() async throws {
        let system = System<Int, Int>(initialState: 0, scheduler: .serial("idle")) { .value($0 + $1) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...4 {
                group.addTask {
                    for _ in 1...200 {
                        system.sendEvent(1)
                        try await system.whenIdle().value
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(system.state == 800)
    }

    @Test("events that were sent before, from any thread, count; running effects do not")
    func others() {
        let system = system(feedbacks: [
            .withLatest(state: { _ in true }) { _ in
                Effect.promise(Promise.value("x").delay(.seconds(1_000)))
            }
        ])
        holding { system.sendEvent("a2") }
        system.whenIdle().done { [log] in log.add("idle at \(self.time())") }
        scheduler.advance(by: .seconds(1))
        holding { system.sendEvent("b2") }
        scheduler.advance(by: .seconds(100))
        #expect(log.entries == ["idle at 4"])
    }

    @Test("a handler may send events; the next wait is for those, and several wait at once")
    func again() {
        let system = system()
        system.sendEvent("a1")
        for name in ["first", "second"] {
            system.whenIdle().done { [log] in log.add("\(name) at \(self.time())") }
        }
        system.whenIdle().flatMap {
            system.sendEvent("b2")
            return system.whenIdle()
        }
        .done { [log] in log.add("\(system.state) at \(self.time())") }
        scheduler.run()
        #expect(log.entries == ["first at 1", "second at 1", "a1b2 at 3"])
        system.whenIdle().done { [log] in log.add("at once") }
        #expect(log.entries.last == "at once")
    }

    @Test("the end of the system fulfils it, and so does a system that has ended; neither is kept")
    func end() {
        var system: System? = system()
        system?.sendEvent("a9")
        let waiting = system?.whenIdle().start()
        scheduler.advance(by: .seconds(1))
        weak let released = system
        system?.stop()
        let late = system?.whenIdle().start()
        system = nil
        scheduler.run()
        for promise in [waiting, late] { #expect(throws: Never.self) { try #require(promise?.result).get() } }
        #expect(released == nil)
    }

    @Test("a wait that is cancelled is none, and waiting reports nothing")
    func cancelled() {
        let system = system()
        Reports.begin()
        let count = Reports.count
        system.sendEvent("a2")
        let waiting = system.whenIdle().start()
        scheduler.advance(by: .seconds(1))
        waiting.cancel()
        scheduler.run()
        #expect(throws: CancellationError.self) { try waiting.result?.get() }
        #expect(Reports.all(after: count).filter { "\($0)".contains("IdleTests") }.isEmpty)
        #expect(scheduler.pendingCount == 0)
    }

    @Test(
        "dropQueuedEvents drops what is queued and delayed, in the order of its turns; what runs goes on",
        arguments: [
            (["a1", "b", "c"], "a1", ["b", "c"]), (["b", "t", "d", "e", "t1"], "bt", ["d", "e", "t1"]),
            (["a1", "d", "e", "b"], "a1", ["d", "b", "e"]), ([], "", []), (["a1"], "a1", []),
        ] as [([String], String, [String])])
    func dropping(events: [String], state: String, dropped: [String]) {
        let system = system()
        system.onLoop { [log] record in
            if case .dropped(.withdrawn) = record.outcome { log.add(record.event) }
        }
        for event in events { system.sendEvent(event) }
        scheduler.advance()
        system.dropQueuedEvents()
        scheduler.run()
        #expect(system.state == state)
        #expect(log.entries == dropped)
        #expect(scheduler.now < .seconds(2))
        // Nothing of them is left: the next ones are processed.
        for event in ["d", "e", "z"] { system.sendEvent(event) }
        scheduler.run()
        #expect(system.state == state + "dze")
    }

    @Test("with a replacement sent next, nothing of five events is left")
    func stopping() {
        let system = system()
        for _ in 1...5 { system.sendEvent("a2") }
        scheduler.advance(by: .seconds(3))
        system.dropQueuedEvents()
        system.sendEvent("r")
        system.sendEvent("b")
        scheduler.run()
        #expect(system.state == "a2rb")
        #expect(time() == 3)
    }

    @Test("called inside of a turn it drops what was sent before the call, not what is sent after it")
    func inside() {
        let system = system()
        system.addBinding { [weak system] state in
            guard state == "a", let system else { return }
            system.sendEvent("b")
            system.dropQueuedEvents()
            system.sendEvent("c")
        }
        system.sendEvent("a")
        scheduler.run()
        #expect(system.state == "ac")
    }
}
