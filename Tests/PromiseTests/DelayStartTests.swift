import Promise
import PromisedTesting
import Testing

/// A promise whose start is delayed.
@Suite struct DelayStartTests {
    private let scheduler = TestScheduler()

    /// Work that says when it starts and when it is cancelled.
    private func work(_ log: Log) -> Promise<Int> {
        Promise { resolver in
            log.add("start")
            resolver.onCancel { log.add("cancel") }
            resolver.report(0)
            resolver.fulfill(1)
        }
    }

    @Test("DESIGN 3: the work starts when the time has passed since the start of the whole, not before")
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

    @Test("DESIGN 3: cancelled before the time has passed, the work never starts, and no timer is left")
    func cancelled() {
        let log = Log()
        let promise = work(log).delayStart(.seconds(2)).start(on: scheduler)
        scheduler.advance(by: .seconds(1))
        promise.cancel()
        #expect(scheduler.pendingCount == 0)
        scheduler.advance(by: .seconds(5))
        #expect(log.lines.isEmpty)
    }

    @Test("PK-11: what is loading stays so, and is shown once, at the very start") func loading() {
        let log = Log()
        let promise = work(log).interim(9).delayStart(.seconds(2))
        #expect(promise.loadingState == 9)
        promise.start(on: scheduler).trace(log)
        #expect(log.lines == ["~9"])
        scheduler.run()
        #expect(log.lines == ["~9", "start", "~0", "1"])
    }

    @Test("DESIGN 3: cancelled afterwards, the work is cancelled") func cancelledAfterwards() {
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

    @Test("DESIGN 3: an error passes, a scheduler can be named, and a time below zero is still later")
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
