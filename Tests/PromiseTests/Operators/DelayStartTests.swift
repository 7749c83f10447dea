import Promise
import PromisedTesting
import Testing

/// `delayStart`, which delays the start of the work.
@Suite struct DelayStartTests {
    private let scheduler = TestScheduler()

    /// Work that logs its start and its cancellation.
    private func work(_ log: Log) -> Promise<Int> {
        Promise { resolver in
            log.add("start")
            resolver.onCancel { log.add("cancel") }
            resolver.report(0)
            resolver.fulfill(1)
        }
    }

    @Test("the work starts when the delay has passed since the chain was started, not before")
    func startsLater() {
        let log = Log()
        let promise = work(log).delayStart(.seconds(2))
        scheduler.advance(by: .seconds(10))
        let started = promise.start(on: scheduler)
        started.trace(log)
        scheduler.advance(by: .milliseconds(1999))
        #expect(log.lines.isEmpty)
        scheduler.advance(by: .milliseconds(1))
        #expect(log.lines == ["start", "~0", "1"])
    }

    @Test("if cancelled during the delay, the work never starts, and no timer is left")
    func cancelled() {
        let log = Log()
        let promise = work(log).delayStart(.seconds(2)).start(on: scheduler)
        scheduler.advance(by: .seconds(1))
        promise.cancel()
        #expect(scheduler.pendingCount == 0)
        scheduler.advance(by: .seconds(5))
        #expect(log.lines.isEmpty)
    }

    @Test("PK-11: delayStart keeps the loading state, and delivers it once, at the start") func loading() {
        let log = Log()
        let promise = work(log).interim(9).delayStart(.seconds(2))
        #expect(promise.loadingState == 9)
        promise.start(on: scheduler).trace(log)
        #expect(log.lines == ["~9"])
        scheduler.run()
        #expect(log.lines == ["~9", "start", "~0", "1"])
    }

    @Test("if cancelled after the delay, the work is cancelled") func cancelledAfterwards() {
        let log = Log()
        let endless = Promise<Int> { resolver in
            log.add("start")
            resolver.onCancel { [resolver] in
                _ = resolver
                log.add("cancel")
            }
        }
        let promise = endless.delayStart(.seconds(2)).start(on: scheduler)
        scheduler.advance(by: .seconds(3))
        promise.cancel()
        #expect(log.lines == ["start", "cancel"])
    }

    @Test("delayStart forwards errors, takes a scheduler, and is asynchronous for a negative delay")
    func otherwise() {
        let other = TestScheduler()
        let error = Promise<Int>(error: Boom("e")).delayStart(.seconds(1), on: other).start(on: scheduler)
        let negative = Promise.value(2).delayStart(.seconds(-5)).start(on: scheduler)
        let log = Log()
        error.trace(log)
        negative.trace(log)
        #expect(log.lines.isEmpty)
        scheduler.advance(by: .seconds(5))
        #expect(log.lines == ["2"])
        other.advance(by: .seconds(1))
        #expect(log.lines == ["2", "!e"])
    }
}
