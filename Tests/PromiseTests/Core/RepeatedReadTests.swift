import Promise
import PromisedTesting
import TestSupport
import Testing

/// Reading state that holds a closure under a lock must not wrap that closure again at every read.
@Suite(.tags(.sharedState)) struct RepeatedReadTests {
    private static let reads = 100_000

    @Test("R10: work whose state was read 100,000 times runs on a small stack") func scheduledWork() {
        let runs = onThreads {
            let runs = Counter()
            let work = ScheduledWork { runs.up() }
            for _ in 0..<Self.reads { guard work.isPending else { return -1 } }
            work.run()
            return work.isPending ? -1 : runs.value
        }
        #expect(runs == [1])
    }

    @Test("R7: work whose state was read 100,000 times is released when cancelled, on a small stack")
    func cancelledWork() {
        let isFreed = onThreads {
            weak var token: Token?
            let work: ScheduledWork
            do {
                let held = Token()
                token = held
                work = ScheduledWork { withExtendedLifetime(held) {} }
            }
            for _ in 0..<Self.reads { guard work.isPending else { return false } }
            work.cancel()
            return token == nil
        }
        #expect(isFreed == [true])
    }

    @Test("R10: a timer that was counted 100,000 times fires on a small stack") func timer() {
        let heard = onThreads {
            let scheduler = TestScheduler()
            let log = Promise.value(1).delay(.seconds(1), on: scheduler).traced()
            for _ in 0..<Self.reads { guard scheduler.pendingCount == 1 else { return ["lost"] } }
            scheduler.advance(by: .seconds(1))
            return log.lines
        }
        #expect(heard == [["1"]])
    }

    @Test("R10: a report handler that was read 100,000 times is called on a small stack") func handler() {
        Reports.begin()
        let error = Boom.unique()
        let origin = Origin(#fileID, #line)
        let called = onThreads {
            for _ in 0..<Self.reads { guard PromiseDiagnostics.handler != nil else { return false } }
            guard let handler = PromiseDiagnostics.handler else { return false }
            handler(PromiseDiagnostics.Report(problem: PromiseProblem.unhandled(error), origin: origin))
            return true
        }
        #expect(called == [true])
        #expect(Reports.about(error).map(\.origin) == [origin])
    }
}
