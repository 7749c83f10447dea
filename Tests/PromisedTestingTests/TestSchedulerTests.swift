import Promise
import PromisedTesting
import Testing

@Suite struct TestSchedulerTests {
    let scheduler = TestScheduler()

    private final class Log: Sendable {
        private let content = Lock<[String]>([])
        var lines: [String] { content.withLock { $0 } }
        func callAsFunction(_ line: String) { content.withLock { $0.append(line) } }
    }

    private let log = Log()

    @Test("nothing runs until the clock is advanced") func still() {
        scheduler.schedule { [log] in log("ran") }
        scheduler.schedule(after: .seconds(-1)) { [log] in log("negative") }
        #expect(log.lines.isEmpty)
        #expect(scheduler.pendingCount == 2)
        scheduler.advance()
        #expect(log.lines == ["ran", "negative"])
        #expect(scheduler.now == .zero)
        #expect(scheduler.pendingCount == 0)
    }

    @Test("work runs by due time, then by age; each item at its own instant") func order() {
        for (name, delay) in [("c", 2), ("a", 1), ("d", 2), ("b", 1), ("e", 3)] {
            scheduler.schedule(after: .seconds(delay)) { [log, scheduler] in
                log("\(name)\(scheduler.now.components.seconds)")
            }
        }
        scheduler.advance(by: .seconds(2))
        #expect(log.lines == ["a1", "b1", "c2", "d2"])
        #expect(scheduler.now == .seconds(2))
        scheduler.run()
        #expect(log.lines.last == "e3")
        #expect(scheduler.now == .seconds(3))
    }

    @Test("work that is scheduled by work runs when it is due during the same advance")
    func nested() {
        scheduler.schedule(after: .seconds(1)) { [log, scheduler] in
            log("1")
            scheduler.schedule { log("now") }
            scheduler.schedule(after: .seconds(1)) { log("2") }
            scheduler.schedule(after: .seconds(2)) { log("3") }
        }
        scheduler.advance(by: .seconds(2))
        #expect(log.lines == ["1", "now", "2"])
        #expect(scheduler.pendingCount == 1)
    }

    @Test("the clock never goes back") func monotonic() {
        scheduler.advance(by: .seconds(5))
        scheduler.advance(by: .seconds(-3))
        scheduler.advance(to: .seconds(1))
        #expect(scheduler.now == .seconds(5))
    }

    @Test("the clock can be advanced to its last instant, and beyond") func endOfTime() {
        scheduler.schedule(after: .seconds(Int64.max)) { [log] in log("far") }
        scheduler.schedule(after: .seconds(Int64.max) * 18) { [log] in log("farther") }
        for _ in 1...20 { scheduler.advance(by: .seconds(Int64.max)) }
        #expect(log.lines == ["far", "farther"])
        scheduler.schedule(after: .seconds(Int64.max)) { [log] in log("last") }
        scheduler.run()
        #expect(log.lines == ["far", "farther", "last"])
    }

    @Test("cancelled work never runs and is not counted") func cancelled() {
        let work = scheduler.schedule(after: .seconds(1)) { [log] in log("ran") }
        let other = scheduler.schedule(after: .seconds(1)) { [log] in log("other") }
        work.cancel()
        #expect(scheduler.pendingCount == 1)
        scheduler.run()
        #expect(log.lines == ["other"])
        #expect(!other.isPending)
    }

    @Test("cancelled work does not move the clock") func cancelledClock() {
        scheduler.schedule(after: .seconds(9)) {}.cancel()
        scheduler.run()
        #expect(scheduler.now == .zero)
    }

    @Test("work runs with its scheduler as the current one") func current() {
        #expect(!scheduler.isCurrent)
        scheduler.schedule { [log, scheduler] in log("\(scheduler.isCurrent)") }
        scheduler.run()
        #expect(log.lines == ["true"])
    }

    @Test("async work runs in virtual time, on the thread that advances") func asyncWork() throws {
        let tea = Promise { try await Promise.value(1).delay(.seconds(2)).value + 1 }
            .timeout(.seconds(5)).start(on: scheduler)
        scheduler.advance(by: .seconds(1))
        #expect(tea.result == nil)
        scheduler.run()
        #expect(try tea.result?.get() == 2)
        #expect(scheduler.now == .seconds(2))
        #expect(scheduler.pendingCount == 0)
        scheduler.finish()
    }

    @Test("finish runs what is due and passes when all work has ended") func finish() {
        Promise { () async throws in 1 }.start(on: scheduler)
        scheduler.finish()
        #expect(scheduler.pendingCount == 0)
    }

    @Test("the same program runs the same way each time") func deterministic() {
        func trace() -> [String] {
            let scheduler = TestScheduler()
            let log = Log()
            for index in 0..<50 {
                let seconds = (index * 7) % 5
                Promise { () async throws in index }.delay(.seconds(seconds)).start(on: scheduler)
                    .done { log("\($0) at \(scheduler.now)") }
            }
            scheduler.run()
            scheduler.finish()
            return log.lines
        }
        let first = trace()
        #expect(first.count == 50)
        for _ in 0..<5 { #expect(trace() == first) }
    }

    @Test("R7: releasing a scheduler frees the work that is pending on it") func frees() {
        final class Token: Sendable {}
        weak var token: Token?
        do {
            let scheduler = TestScheduler()
            let held = Token()
            token = held
            scheduler.schedule(after: .seconds(1)) { withExtendedLifetime(held) {} }
        }
        #expect(token == nil)
    }
}
