import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@Suite struct TimeLimitTests {
    @Test("A transition that never settles is ended by its time limit, reported, and the next event runs")
    func limit() {
        let bench = Bench(timeLimit: { _ in .s(5) })
        let cancelled = Log<Int>()
        bench.send(.add("s"), .hang("h", showing: "L") { cancelled.add(1) }, .add("t"))
        bench.advance(4)
        #expect(bench.shown.entries == ["s", "~L"])
        #expect(cancelled.count == 0)
        bench.advance(1)
        #expect(bench.shown.entries == ["s", "~L", "s", "st"])
        #expect(bench.errors.entries == ["The promise did not settle within 5.0 seconds."])
        #expect(cancelled.count == 1)
        #expect(bench.records.entries.map(\.duration) == [.zero, .s(5), .zero])
    }

    @Test("The limit counts from the start of the turn, not from the sending")
    func countsFromStart() {
        let bench = Bench(timeLimit: { _ in .s(5) })
        bench.send(.add("a", after: .s(4)), .add("b", after: .s(4)))
        bench.advance(8)
        #expect(bench.system.state == "ab")
        #expect(bench.records.entries.map(\.queueWait) == [.zero, .s(4)])
    }

    @Test("The limit is evaluated for each event; nil means no limit")
    func perEvent() {
        let bench = Bench(timeLimit: { $0.description == "short" ? .s(1) : nil })
        bench.send(.add("long", after: .s(1000)), .add("short", after: .s(2)))
        bench.advance(1000)
        #expect(bench.system.state == "long")
        bench.advance(1)
        #expect(bench.errors.count == 1)
    }

    @Test(
        "The limit is evaluated once for each transition that takes time, with the event as it was sent")
    func askedWithItsEvent() {
        let scheduler = TestScheduler()
        let asked = Log<String>()
        let system = System<[String], String>(
            initialState: [], scheduler: scheduler,
            middleware: Middleware(before: { event, _ in .replace("\(event) replaced") }),
            configuration: .init(timeLimit: { event in
                asked.add(event)
                return event == "b" ? .seconds(1) : .seconds(5)
            })
        ) { state, event in Promise.value(state + [event]).delay(.seconds(2)) }
        system.onError { _ in }
        for event in ["a", "b", "c"] { system.sendEvent(event) }
        scheduler.run()
        #expect(system.state == ["a replaced", "c replaced"])
        #expect(asked.entries == ["a", "b", "c"])
    }

    @Test("A transition that settles in time is not ended later, nor is its successor")
    func inTime() {
        let bench = Bench(timeLimit: { _ in .s(5) })
        bench.send(.add("a", after: .s(5)))
        bench.advance(4)
        bench.send(.add("b", after: .s(5)))
        bench.advance(1)
        #expect(bench.system.state == "a")
        bench.advance(5)
        #expect(bench.system.state == "ab")
        #expect(bench.errors.entries.isEmpty)
        #expect(bench.scheduler.pendingCount == 0)
    }

    @Test("A transition of more than 30 s is reported once, with event and origin, and keeps running")
    func longRun() {
        Reports.begin()
        let bench = Bench()
        let line = #line + 1
        bench.system.sendEvent(.add("long-running", after: .s(100)))
        bench.advance(29)
        #expect(Reports.about("long-running").isEmpty)
        bench.advance(1)
        let reports = Reports.about("long-running")
        #expect(reports.count == 1)
        guard case SystemProblem.longTransition(let duration, event: "long-running")? = reports.first?.problem
        else {
            Issue.record("Not reported as a long transition: \(reports)")
            return
        }
        #expect(duration == .s(30))
        #expect(reports.first?.origin.description == "PromisedSystemTests/TimeLimitTests.swift:\(line)")
        bench.advance(70)
        #expect(bench.system.state == "long-running")
        #expect(Reports.about("long-running").count == 1)
    }

    @Test("A transition that ended before 30 s is not reported, nor is the one after it too early")
    func noLongRun() {
        Reports.begin()
        let bench = Bench()
        bench.send(.add("short-run-1", after: .s(29)), .add("short-run-2", after: .s(29)))
        bench.advance(58)
        #expect(bench.system.state == "short-run-1short-run-2")
        #expect(Reports.about("short-run").isEmpty)
    }

    @Test("After the end no timer is left")
    func noTimerLeft() {
        Reports.begin()
        let bench = Bench(timeLimit: { _ in .s(5) })
        bench.send(.hang("left-behind"))
        bench.advance(1)
        bench.release()
        #expect(bench.scheduler.pendingCount == 0)
        bench.advance(100)
        #expect(Reports.about("left-behind").isEmpty)
        #expect(bench.errors.entries.isEmpty)
    }
}
