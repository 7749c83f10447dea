import Promise
import PromisedTesting
import TestSupport
import Testing

/// An interim value that is delivered only where the outcome is not there in time.
@Suite(.tags(.sharedState)) struct LateInterimTests {
    private struct Broken: Error {}

    private let scheduler = TestScheduler()
    private let log = Log()

    /// Starts the promise, and writes down what comes and when.
    private func run(_ promise: Promise<String>, for time: Duration = .seconds(60)) -> [String] {
        @Sendable func note(_ text: String) { log.add("\(scheduler.now.components.seconds) \(text)") }
        promise.start(on: scheduler).onInterim { note("~\($0)") }.onResult { result in
            switch result {
            case .success(let value): note(value)
            case .failure(let error): note("\(error)")
            }
        }
        scheduler.advance(by: time)
        return log.lines
    }

    private func work(_ seconds: Int) -> Promise<String> { Promise.value("done").delay(.seconds(seconds)) }

    @Test(
        "it is delivered once the time is over, and not where the outcome comes before",
        arguments: [
            (0, 5, ["0 done"]), (4, 5, ["4 done"]), (6, 5, ["5 ~slow", "6 done"]),
            (6, 0, ["0 ~slow", "6 done"]), (6, -1, ["0 ~slow", "6 done"]),
        ])
    func times(seconds: Int, limit: Int, expected: [String]) {
        #expect(run(work(seconds).interim("slow", after: .seconds(limit))) == expected)
        #expect(scheduler.pendingCount == 0)
    }

    @Test("the other interim values are delivered once each, whichever side they are on")
    func others() {
        let busy = Promise<String> { [scheduler] resolver in
            for second in [1, 7] {
                scheduler.schedule(after: .seconds(second)) { resolver.report("\(second)") }
            }
            scheduler.schedule(after: .seconds(9)) { resolver.fulfill("done") }
        }
        let inner = busy.interim("first").interim("slow", after: .seconds(5))
        #expect(inner.loadingState == "first")
        let outer = inner.interim("zero")
        #expect(outer.loadingState == "zero")
        #expect(run(outer) == ["0 ~zero", "0 ~first", "1 ~1", "5 ~slow", "7 ~7", "9 done"])
    }

    @Test("several, in the order of their times")
    func several() {
        let slow = work(6).interim("slower", after: .seconds(4)).interim("slow", after: .seconds(2))
        #expect(
            run(slow.stateWhenLoading("late", after: .seconds(5))) == [
                "2 ~slow", "4 ~slower", "5 ~late", "6 done",
            ])
    }

    @Test("a failure and a cancellation end the timer, and the work runs once")
    func ends() {
        let failing = Promise<String> { [log] _ in
            log.add("runs")
            throw Broken()
        }
        #expect(run(failing.interim("slow", after: .seconds(5))) == ["runs", "0 Broken()"])
        let long = work(9).interim("slow", after: .seconds(5)).start(on: scheduler)
        scheduler.advance(by: .seconds(1))
        long.cancel()
        #expect(scheduler.pendingCount == 0)
        #expect(throws: CancellationError.self) { try long.result?.get() }
    }

    @Test("two observers of one work each have their own, and a clock of another scheduler measures it")
    func shared() {
        let other = TestScheduler()
        let work = work(6)
        work.interim("elsewhere", after: .seconds(1), on: other).start(on: scheduler)
            .onInterim { [log] in log.add("other ~\($0)") }
        #expect(run(work.interim("slow", after: .seconds(2)), for: .seconds(3)) == ["2 ~slow"])
        other.advance(by: .seconds(1))
        #expect(log.lines == ["2 ~slow", "other ~elsewhere"])
        scheduler.run()
        other.run()
        #expect(log.lines == ["2 ~slow", "other ~elsewhere", "6 done"])
    }
}
