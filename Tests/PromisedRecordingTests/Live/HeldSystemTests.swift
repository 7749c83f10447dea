import Promise
import PromisedRecording
import PromisedTesting
import Testing

@Suite struct HeldSystemTests {
    @Test("A stopped system keeps what arrives, in order, and goes on with it")
    func queue() {
        let bench = TravelBench()
        bench.perform { $0.stop() }
        #expect(bench.travel.condition == .stopped)
        bench.send(.add("a"), .add("b"))
        #expect(bench.system.state == "")
        #expect(bench.travel.waiting == 2)
        bench.perform { $0.resume() }
        #expect(bench.system.state == "ab")
        #expect(bench.travel.waiting == 0)
        #expect(bench.travel.condition == .running)
        bench.send(.add("c"))
        #expect(bench.system.state == "abc")
    }

    @Test("A stopped system that drops events counts them, and each has a record; what waited before is kept")
    func drop() {
        let bench = TravelBench()
        bench.perform { $0.stop(arriving: .queue) }
        bench.send(.add("a"))
        bench.perform { $0.stop(arriving: .drop) }
        bench.send(.add("b"), .add("c"))
        #expect((bench.travel.waiting, bench.travel.dropped) == (1, 2))
        bench.perform { $0.resume() }
        #expect(bench.system.state == "a")
        let outcomes = bench.records.all.map { "\($0.event) \($0.outcome)" }
        #expect(
            outcomes == [
                "add(\"b\") dropped: withdrawn", "add(\"c\") dropped: withdrawn", "add(\"a\") settled",
            ])
    }

    @Test("A step processes one event, loading state or outcome")
    func step() throws {
        let bench = TravelBench()
        bench.perform { $0.stop() }
        bench.send(.add("a"), .loading("b", .seconds(1)), .add("c"))
        var seen: [String] = []
        for _ in 0..<5 {
            try bench.perform { try $0.step() }
            seen.append(bench.system.shown.value.state)
            bench.scheduler.advance(by: .seconds(1))
        }
        #expect(seen == ["a", "a…", "ab", "abc", "abc"])
        #expect(bench.travel.waiting == 0)
        try bench.perform { try $0.step() }
        #expect(bench.system.state == "abc")
    }

    @Test("Readers who come while the system is stopped get its state")
    func newReader() {
        let bench = TravelBench()
        bench.send(.add("a"))
        bench.perform { $0.stop() }
        let bound = Entries<String>()
        bench.system.addBinding { bound.add($0) }
        bench.scheduler.advance()
        #expect(bound.all == ["a"])
    }

    @Test(
        "An event that is sent by hand is processed before what waits, or next if a transition is in flight")
    func sentByHand() throws {
        let bench = TravelBench()
        bench.perform { $0.stop() }
        bench.send(.add("a"))
        try bench.perform { try $0.send(.add("b")) }
        #expect(bench.system.state == "b")
        try bench.perform { try $0.send(.late("c", .seconds(1))) }
        try bench.perform { try $0.send(.add("d")) }
        bench.scheduler.advance(by: .seconds(1))
        #expect(bench.system.state == "b")
        bench.perform { $0.resume() }
        #expect(bench.system.state == "bcda")
        try bench.perform { try $0.send(.add("e")) }
        #expect(bench.system.state == "bcdae")
    }

    @Test("A locked system drops events, and refuses what would process something; then it is as before")
    func lock() throws {
        let bench = TravelBench()
        bench.send(.add("a"))
        bench.perform { $0.stop() }
        bench.send(.add("b"))
        bench.perform { $0.lock() }
        #expect(bench.travel.condition == .locked)
        bench.send(.add("c"))
        #expect(throws: TimeTravelError.locked) { try bench.travel.step() }
        #expect(throws: TimeTravelError.locked) { try bench.travel.send(.add("x")) }
        #expect(throws: TimeTravelError.locked) { try bench.travel.branch(from: 0) }
        try bench.perform { try $0.jump(to: 0) }
        #expect(bench.system.state == "")
        bench.perform { $0.resume() }
        #expect(bench.system.state == "a")
        bench.perform { $0.unlock() }
        #expect(bench.travel.condition == .running)
        #expect(bench.system.state == "ab")
        #expect(bench.travel.dropped == 1)
    }

    @Test("Commands from inside a turn take effect behind it")
    func fromInside() {
        let system = System<Int, Int>(initialState: 0, scheduler: .immediate) { .value($0 + $1) }
        let travel = TimeTravel(system)
        system.addBinding { [weak system, weak travel] state in
            if state == 1 {
                travel?.stop()
                system?.sendEvent(10)
            }
            if state == 11 { travel?.resume() }
        }
        system.sendEvent(1)
        system.sendEvent(100)
        #expect(system.state == 1)
        #expect(travel.waiting == 2)
        try? travel.step()
        #expect(system.state == 111)
    }

    @Test(
        "A reader that sends an event because of an override is treated like others: it waits, or is dropped")
    func eventOfReader() throws {
        let bench = TravelBench()
        bench.send(.add("a"))
        bench.system.addLoopCallback { [weak system = bench.system] state in
            if state == "" { system?.sendEvent(.add("!")) }
        }
        bench.perform { $0.stop(arriving: .drop) }
        try bench.perform { try $0.jump(to: 0) }
        #expect(bench.travel.dropped == 1)
        bench.perform { $0.stop(arriving: .queue) }
        try bench.perform { try $0.jump(to: 0) }
        #expect(bench.travel.waiting == 1)
        bench.perform { $0.resume() }
        #expect(bench.system.state == "a!")
    }

    @Test("A held system is not idle, and keeps what was asked of it until it goes on")
    func whenIdle() {
        let bench = TravelBench()
        let isIdle = Entries<Bool>()
        bench.perform { $0.stop() }
        bench.system.whenIdle().start(on: bench.scheduler).done { isIdle.add(true) }
        bench.send(.add("a"))
        bench.system.dropQueuedEvents()
        bench.send(.add("b"))
        #expect(isIdle.all == [])
        bench.perform { $0.resume() }
        #expect(isIdle.all == [true])
        #expect(bench.system.state == "b")
    }
}
