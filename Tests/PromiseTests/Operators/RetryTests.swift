import Promise
import PromisedTesting
import TestSupport
import Testing

@Suite(.tags(.sharedState)) struct RetryTests {
    let scheduler = TestScheduler()

    init() { Reports.begin() }

    /// Makes attempts that are rejected with their number until the attempt `success`.
    private func failing(until success: Int, _ log: Log) -> @Sendable () -> Promise<Int> {
        let attempts = Counter()
        return {
            let number = attempts.up()
            log("attempt \(number)")
            return Promise { resolver in
                if number == success { resolver.fulfill(number) } else { throw Boom("\(number)") }
            }
        }
    }

    @Test("R2: retry repeats until one attempt is fulfilled, and makes no attempt before it is started")
    func succeeds() {
        let log = Log()
        let retried = Promise.retry(attempts: 5, failing(until: 3, log))
        #expect(log.lines.isEmpty)
        retried.trace(log)
        #expect(log.lines == ["attempt 1", "attempt 2", "attempt 3", "3"])
        retried.trace(log)
        #expect(log.lines.last == "3" && log.count == 5)
    }

    @Test("R2: after the last attempt retry rejects with the last error") func exhausted() {
        let log = Log()
        Promise.retry(attempts: 3, failing(until: 9, log)).trace(log)
        #expect(log.lines == ["attempt 1", "attempt 2", "attempt 3", "!3"])
    }

    @Test("R2: fewer than one attempt counts as one", arguments: [1, 0, -5, Int.min])
    func few(_ attempts: Int) {
        let log = Log()
        Promise.retry(
            attempts: attempts, backoff: .constant(.seconds(1)), on: scheduler, failing(until: 9, log)
        )
        .trace(log)
        #expect(log.lines == ["attempt 1", "!1"])
        #expect(scheduler.pendingCount == 0)
    }

    @Test("R2: retry waits in virtual time, from each rejection") func waits() {
        let log = Log()
        let scheduler = scheduler
        let backoff = Backoff.exponential(from: .seconds(1), upTo: .seconds(3))
        Promise<Int>.retry(attempts: 5, backoff: backoff) {
            log(scheduler.now)
            return Promise(error: Boom()).delay(.milliseconds(500))
        }.start(on: scheduler).catch { _ in log("rejected \(scheduler.now)") }
        scheduler.run()
        #expect(
            log.lines == [
                "0.0 seconds", "1.5 seconds", "4.0 seconds", "7.5 seconds", "11.0 seconds",
                "rejected 11.5 seconds",
            ])
        #expect(scheduler.pendingCount == 0)
    }

    @Test("R2: the parameter `on:` is the scheduler of the delays") func namedClock() {
        let log = Log()
        let chain = TestScheduler()
        Promise.retry(attempts: 2, backoff: .constant(.seconds(1)), on: scheduler, failing(until: 2, log))
            .start(on: chain).trace(log)
        chain.run()
        #expect(log.lines == ["attempt 1"])
        scheduler.run()
        #expect(log.lines == ["attempt 1", "attempt 2", "2"])
        #expect(chain.now == .zero && scheduler.now == .seconds(1))
    }

    @Test("R2: started twice, a jittered backoff gives the same delays") func jittered() {
        let scheduler = scheduler
        let backoff = Backoff.constant(.seconds(8)).jittered(by: 1, seed: 3)
        let logs = (0..<2).map { _ in
            let log = Log()
            let begin = scheduler.now
            Promise<Int>.retry(attempts: 4, backoff: backoff) {
                log(scheduler.now - begin)
                throw Boom()
            }.start(on: scheduler).catch { _ in }
            scheduler.run()
            return log.lines
        }
        #expect(logs[0].count == 4 && logs[0] == logs[1])
    }

    @Test("R2: an error thrown by the closure is a failed attempt") func throwing() {
        let attempts = Counter()
        let retried = Promise<Int>.retry(attempts: 3) {
            guard attempts.up() == 3 else { throw Boom("thrown") }
            return .value(7)
        }
        #expect(retried.traced().lines == ["7"])
        #expect(Promise<Int>.retry(attempts: 2) { throw Boom("thrown") }.traced().lines == ["!thrown"])
    }

    @Test("R2: an error for which `where` returns false ends the retry") func refused() {
        let log = Log()
        let asked = Log()
        Promise.retry(
            attempts: 5,
            where: { error in
                asked(error as? Boom ?? Boom())
                return error as? Boom != Boom("2")
            }, failing(until: 4, log)
        ).trace(log)
        #expect(log.lines == ["attempt 1", "attempt 2", "!2"])
        #expect(asked.lines == ["1", "2"])
    }

    @Test("R2: whether to retry is not asked after the last attempt") func refusalOfTheLast() {
        let log = Log()
        let closure = { @Sendable (_: any Error) in
            log("asked")
            return true
        }
        Promise.retry(attempts: 2, where: closure, failing(until: 9, log)).trace(log)
        #expect(log.lines == ["attempt 1", "asked", "attempt 2", "!2"])
    }

    @Test("R2: a cancelled attempt is not repeated; an abandoned one is") func cancelledAttempt() {
        let attempts = Counter()
        let cancelled = Promise<Int>.retry(attempts: 3) {
            attempts.up()
            return Promise { _ in throw CancellationError() }
        }
        #expect(cancelled.traced().lines == ["!CancellationError()"])
        #expect(attempts.value == 1)
        let abandoned = Promise<Int>.retry(attempts: 3) {
            attempts.up() == 3 ? .value(1) : Promise { _ in }
        }
        #expect(abandoned.traced().lines == ["1"])
    }

    @Test("R2: interim values of every attempt are forwarded, leading ones too") func interim() {
        let attempts = Counter()
        let retried = Promise<Int>.retry(attempts: 2, backoff: .constant(.seconds(1))) {
            let number = attempts.up() * 10
            return Promise { resolver in
                resolver.report(number + 1)
                if number == 20 { resolver.fulfill(22) } else { throw Boom() }
            }.interim(number)
        }
        let log = retried.start(on: scheduler).traced()
        scheduler.run()
        #expect(log.lines == ["~20", "~21", "22"])
        let direct = Promise<Int>.retry(attempts: 1) { Promise { $0.fulfill(2) }.interim(1) }
        #expect(direct.traced().lines == ["~1", "2"])
    }

    @Test("R2: cancelling a retry releases its timer at once") func cancelledWait() {
        weak var token: Token?
        let retried: Promise<Int>
        do {
            let held = Token()
            token = held
            retried = .retry(attempts: 3, backoff: .constant(.seconds(5)), on: scheduler) {
                withExtendedLifetime(held) { Promise(error: Boom()) }
            }
        }
        let log = retried.traced()
        #expect(scheduler.pendingCount == 1)
        #expect(token != nil)
        retried.cancel()
        #expect(log.lines == ["!CancellationError()"])
        #expect(scheduler.pendingCount == 0)
        #expect(token == nil)
    }

    @Test("R2: cancelling a retry cancels its attempt, unless that is shared", arguments: [true, false])
    func cancelledWork(_ isShared: Bool) {
        let (work, resolver) = Promise<Int>.pending()
        if isShared { work.start() }
        let retried = Promise.retry(attempts: 3) { work }
        let log = retried.traced()
        retried.cancel()
        #expect(log.lines == ["!CancellationError()"])
        #expect(resolver.isCancelled == !isShared)
    }

    @Test("R2: only the last error of a retry is reported if unhandled") func reports() {
        let errors = (0..<3).map { _ in Boom.unique() }
        let attempts = Counter()
        do {
            Promise<Int>.retry(attempts: 3) { Promise { _ in throw errors[attempts.up() - 1] } }.done { _ in }
        }
        #expect(errors.map { Reports.about($0).count } == [0, 0, 1])
    }
}

extension Heavy {
    @Test("R2: many attempts that fail synchronously use constant stack and memory") func manyAttempts() {
        let attempts = min(1_000_000, rounds(20_000, stress: 100_000))
        let results = onThreads {
            let made = Counter()
            let living = Living()
            let retried = Promise<Int>.retry(attempts: attempts) {
                guard made.up() % 2 == 0 else { throw Boom() }
                let token = Living.Token(living)
                return Promise(error: Boom()).map { value in withExtendedLifetime(token) { value } }
            }.start()
            return [made.value, living.most, retried.result?.error is Boom ? 1 : 0]
        }
        #expect(results == [[attempts, 1, 1]])
    }
}

/// The largest number of its tokens that were alive at a time.
private final class Living: Sendable {
    final class Token: Sendable {
        private let living: Living

        init(_ living: Living) {
            self.living = living
            living.count.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        }

        deinit { living.count.withLock { $0.now -= 1 } }
    }

    private let count = Lock((now: 0, most: 0))

    var most: Int { count.withLock { $0.most } }
}
