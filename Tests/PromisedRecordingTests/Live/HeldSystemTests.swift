import Promise
import PromisedRecording
import PromisedTesting
import TestSupport
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

    @Test(
        "A system that is stopped before or while it is locked is stopped after it, and drops events meanwhile",
        arguments: [TravelCommand.Arriving.queue, .drop], [false, true])
    func stopAndLock(arriving: TravelCommand.Arriving, isLockedFirst: Bool) {
        let bench = TravelBench()
        if isLockedFirst { bench.perform { $0.lock() } }
        bench.perform { $0.stop(arriving: arriving) }
        if !isLockedFirst { bench.perform { $0.lock() } }
        bench.send(.add("a"))
        #expect((bench.travel.waiting, bench.travel.dropped) == (0, 1))
        bench.perform { $0.unlock() }
        #expect(bench.travel.condition == .stopped)
        bench.send(.add("b"))
        #expect(bench.system.state == "")
        #expect((bench.travel.waiting, bench.travel.dropped) == (arriving == .queue ? (1, 1) : (0, 2)))
        bench.perform { $0.resume() }
        #expect(bench.system.state == (arriving == .queue ? "b" : ""))
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

    @Test("A system that drops events keeps those of effects, whose answers would be lost")
    func eventsOfEffects() {
        let scheduler = TestScheduler()
        let system = System<String, Note>(
            initialState: "", scheduler: scheduler,
            feedbacks: [
                .onEvent(
                    { (note: Note) -> Bool? in if case .effect = note { true } else { nil } },
                    effects: { _ in
                        Effect { effect in
                            for (second, text) in ["a", "b"].enumerated() {
                                _ = effect.scheduler.schedule(after: .seconds(second + 1)) {
                                    effect.send(.add(text))
                                    if second == 1 { effect.finish() }
                                }
                            }
                        }
                    })
            ]
        ) { state, note -> Promise<String> in
            if case .add(let text) = note { .value(state + text) } else { .value(state) }
        }
        let travel = TimeTravel(system)
        system.sendEvent(.effect("", .zero))
        scheduler.advance()
        travel.stop(arriving: .drop)
        scheduler.advance(by: .seconds(3))
        system.sendEvent(.add("c"))
        scheduler.advance()
        #expect(travel.dropped == 1)
        travel.resume()
        scheduler.advance()
        #expect(system.state == "ab")
    }

    @Test("What is in flight in a held system, and what waits there, can be listed")
    func running() {
        let bench = TravelBench()
        bench.perform { $0.stop() }
        bench.send(.add("a"))
        #expect(bench.system.running.map(\.description).filter { $0.contains("add(\"a\")") }.count == 1)
        bench.perform { $0.resume() }
        #expect(bench.system.running.isEmpty)
        #expect(bench.system.state == "a")
    }

    @Test("A time limit that is over while its system is held is listed no more") func timeLimit() {
        let scheduler = TestScheduler()
        let system = System<Int, Int>(
            initialState: 0, scheduler: scheduler, configuration: .init(timeLimit: { _ in .seconds(1) })
        ) { state, event in Promise.value(state + event).delay(.seconds(5)) }
        let travel = TimeTravel(system)
        system.sendEvent(1)
        scheduler.advance()
        travel.stop()
        scheduler.advance()
        #expect(system.running.map(\.kind) == [.transition, .timeLimit])
        scheduler.advance(by: .seconds(2))
        #expect(system.running.map(\.kind) == [.transition])
        travel.resume()
        scheduler.advance()
        #expect(system.running.isEmpty && system.state == 0)
    }

    @Test("SR-55: the events of a history give its states again, on two fresh systems")
    func sameAgain() {
        var random = SeededGenerator(seed: 55)
        let bench = TravelBench()
        for number in 0..<200 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bench.send(.add("\(number)"))
            case 1: bench.send(.late("\(number)", .seconds(1)), .add("~"))
            case 2: bench.send(.effect("\(number)", .milliseconds(300)))
            default: bench.scheduler.advance(by: .milliseconds(700))
            }
        }
        bench.scheduler.advance(by: .seconds(300))
        let turns = bench.travel.tail
        #expect(turns.count > 200)
        for _ in 0..<2 {
            let other = System<String, Note>(initialState: "", scheduler: .immediate) { state, note in
                switch note {
                case .add(let text), .late(let text, _), .loading(let text, _): .value(state + text)
                case .fail, .effect: .value(state)
                }
            }
            let again = TimeTravel(other)
            for turn in turns { if let event = turn.event { other.sendEvent(event) } }
            #expect(again.tail.map(\.state) == turns.map(\.state))
        }
    }
}
