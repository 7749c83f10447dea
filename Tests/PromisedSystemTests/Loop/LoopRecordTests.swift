import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@Suite(.tags(.sharedState)) struct LoopRecordTests {
    @Test("A record describes the whole turn")
    func whole() throws {
        let bench = Bench()
        let line = #line + 1
        bench.system.sendEvent(.add("a", after: .s(2), showing: "L"))
        bench.system.sendEvent(.add("b", after: .s(3)))
        bench.advance(5)
        let records = bench.records.entries
        try #require(records.count == 2)
        #expect(records.map(\.number) == [1, 2])
        #expect(records.map(\.event.description) == ["a", "b"])
        #expect(
            records.map(\.origin.description)
                == ["PromisedSystemTests/LoopRecordTests.swift:\(line)"]
                + ["PromisedSystemTests/LoopRecordTests.swift:\(line + 1)"])
        #expect(records.map(\.before) == ["", "a"])
        #expect(records.map(\.after) == ["a", "ab"])
        #expect(records.map(\.shown) == [[.loading("L"), .settled("a")], [.settled("ab")]])
        #expect(records.map(\.queueWait) == [.zero, .s(2)])
        #expect(records.map(\.duration) == [.s(2), .s(3)])
        #expect(bench.outcomes == ["1 a settled", "2 b settled"])
    }

    @Test("Failure, time limit, replacement and drop have records; before and after are the same")
    func otherOutcomes() {
        let bench = Bench(timeLimit: { $0.description == "slow" ? .s(1) : nil })
        bench.send(.add("s"), .fail("f"), .hang("slow"), .hang("old"))
        bench.advance(1)
        bench.send(.add("dropped"), policy: .dropWhileBusy)
        bench.send(.add("new"), policy: .replace)
        bench.advance()
        #expect(
            bench.outcomes == [
                "1 s settled", "2 f failed(f)",
                "3 slow failed(The promise did not settle within 1.0 seconds.)",
                "4 dropped dropped", "4 old cancelled", "5 new settled",
            ])
        #expect(bench.records.entries.map(\.before) == ["", "s", "s", "s", "s", "s"])
        #expect(bench.records.entries.map(\.after) == ["s", "s", "s", "s", "s", "snew"])
        let dropped = bench.records.entries.filter { $0.event.description == "dropped" }
        #expect(dropped.map(\.shown) == [[]])
        #expect(dropped.map(\.duration) == [.zero])
    }

    @Test("The record of a stopped event has the present state, whatever turns were not recorded before it")
    func stoppedAfterReplaced() {
        let (endless, resolver) = Promise<Int>.pending()
        let system = System<Int, Int>(
            initialState: 1, scheduler: .immediate,
            middleware: Middleware(before: { event, _ in event == 0 ? .stop : .pass })
        ) { state, event in event < 0 ? endless : .value(state + event) }
        system.sendEvent(-1)
        system.sendEvent(4, policy: .replace)
        let records = Log<LoopRecord<Int, Int>>()
        system.onLoop { records.add($0) }
        system.sendEvent(0)
        #expect(records.entries.map(\.before) == [5] && records.entries.map(\.after) == [5])
        withExtendedLifetime(resolver) {}
    }

    @Test("An onLoop that is added during a transition receives everything that the turn has shown")
    func addedInTheMiddle() {
        let bench = Bench(listensToRecords: false)
        bench.send(.add("a", after: .s(1), showing: "L"))
        bench.advance()
        bench.system.onLoop { [records = bench.records] in records.add($0) }
        bench.advance(1)
        #expect(bench.records.entries.map { $0.shown.map(mark) } == [["~L", "a"]])
    }

    @Test("Several onLoop are called in order; a removed one is not")
    func several() {
        let bench = Bench()
        let log = Log<String>()
        let token = bench.system.onLoop { log.add("1 \($0.number)") }
        bench.system.onLoop { log.add("2 \($0.number)") }
        bench.send(.add("a"))
        bench.advance()
        token.cancel()
        bench.send(.add("b"))
        bench.advance()
        #expect(log.entries == ["1 1", "2 1", "2 2"])
    }

    @Test("Times are never negative, whichever thread sends")
    func neverNegative() async {
        let system = System<Int, Int>(initialState: 0, scheduler: .serial("records")) { .value($0 + $1) }
        let wrong = Log<Duration>()
        system.onLoop { record in
            if record.queueWait < .zero { wrong.add(record.queueWait) }
            if record.duration < .zero { wrong.add(record.duration) }
        }
        await onThreads(2) { _ in for _ in 0..<5000 { system.sendEvent(1) } }
        await system.settled { $0 == 10_000 }
        #expect(wrong.entries.isEmpty)
    }
}
