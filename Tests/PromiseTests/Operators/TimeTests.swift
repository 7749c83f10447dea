import Promise
import PromisedTesting
import Testing

@Suite struct TimeTests {
    let scheduler = TestScheduler()

    @Test("delay delivers the outcome later, also an error") func delay() {
        let value = Promise.value(1).delay(.seconds(2)).start(on: scheduler)
        let error = Promise<Int>(error: Boom("e")).delay(.seconds(1)).start(on: scheduler)
        let log = Log()
        value.trace(log)
        error.trace(log)
        scheduler.advance(by: .milliseconds(999))
        #expect(log.lines.isEmpty)
        scheduler.advance(by: .milliseconds(1))
        #expect(log.lines == ["!e"])
        scheduler.advance(by: .seconds(1))
        #expect(log.lines == ["!e", "1"])
    }

    @Test("a delay counts from the outcome, not from the start") func delayFromOutcome() {
        let (promise, resolver) = Promise<Int>.pending()
        let log = promise.delay(.seconds(2), on: scheduler).traced()
        scheduler.advance(by: .seconds(10))
        resolver.fulfill(1)
        scheduler.advance(by: .milliseconds(1999))
        #expect(log.lines.isEmpty)
        scheduler.advance(by: .milliseconds(1))
        #expect(log.lines == ["1"])
    }

    @Test("PK-20: a delay of zero is asynchronous") func delayZero() {
        let log = Promise.value(1).delay(.zero, on: scheduler).traced()
        let negative = Promise.value(2).delay(.seconds(-5), on: scheduler).traced()
        #expect(log.lines.isEmpty && negative.lines.isEmpty)
        scheduler.advance()
        #expect(log.lines == ["1"] && negative.lines == ["2"])
        #expect(scheduler.now == .zero)
    }

    @Test("cancelling a delay releases its timer at once") func delayCancelled() {
        let delayed = Promise.value(1).delay(.seconds(2), on: scheduler)
        let log = delayed.traced()
        #expect(scheduler.pendingCount == 1)
        delayed.cancel()
        #expect(scheduler.pendingCount == 0)
        #expect(log.lines == ["!CancellationError()"])
    }

    @Test("timeout rejects, and releases and cancels its source") func timeout() {
        let (promise, resolver) = Promise<Int>.pending()
        let cancelled = Counter()
        resolver.onCancel { cancelled.up() }
        let limited = promise.timeout(.seconds(3), on: scheduler)
        let log = limited.traced()
        weak var token: Token?
        do {
            let held = Token()
            token = held
            promise.map { _ in withExtendedLifetime(held) {} }.catch { _ in }.cancel()
        }
        scheduler.advance(by: .milliseconds(2999))
        #expect(log.lines.isEmpty)
        scheduler.advance(by: .milliseconds(1))
        #expect(log.lines == ["!The promise did not settle within 3.0 seconds."])
        #expect(cancelled.value == 1)
        #expect(token == nil)
        #expect(!resolver.fulfill(1))
        #expect(log.count == 1)
    }

    @Test("a timeout releases the closures of its source at once") func timeoutFrees() {
        weak var token: Token?
        let kept = Box<Resolver<Int>>()
        let limited: Promise<Int>
        do {
            let held = Token()
            token = held
            limited = Promise<Int> { kept.value = $0 }
                .map { value in withExtendedLifetime(held) { value } }.timeout(.seconds(1), on: scheduler)
        }
        limited.catch { _ in }
        #expect(token != nil)
        scheduler.advance(by: .seconds(1))
        #expect(token == nil)
    }

    @Test("an outcome before the timeout releases the timer at once", arguments: [true, false])
    func timeoutInTime(_ isFulfilled: Bool) {
        let (promise, resolver) = Promise<Int>.pending()
        let log = promise.timeout(.seconds(3), on: scheduler).traced()
        #expect(scheduler.pendingCount == 1)
        if isFulfilled { resolver.fulfill(1) } else { resolver.reject(Boom("e")) }
        #expect(log.lines == [isFulfilled ? "1" : "!e"])
        #expect(scheduler.pendingCount == 0)
        scheduler.advance(by: .seconds(3))
        #expect(log.count == 1)
    }

    @Test("a timeout does not cancel a source with other observers") func timeoutShared() {
        let (promise, resolver) = Promise<Int>.pending()
        let other = promise.traced()
        let limited = promise.timeout(.seconds(1), on: scheduler).traced()
        scheduler.advance(by: .seconds(1))
        #expect(limited.count == 1)
        #expect(!resolver.isCancelled)
        resolver.fulfill(1)
        #expect(other.lines == ["1"])
    }

    @Test("interim values do not stop a timeout") func timeoutInterim() {
        let (promise, resolver) = Promise<Int>.pending()
        let log = promise.timeout(.seconds(2), on: scheduler).traced()
        scheduler.advance(by: .seconds(1))
        resolver.report(5)
        scheduler.advance(by: .seconds(1))
        resolver.report(6)
        #expect(log.lines == ["~5", "!The promise did not settle within 2.0 seconds."])
    }

    @Test("a settled promise wins against a timeout of zero") func timeoutZero() {
        #expect(Promise.value(1).timeout(.zero, on: scheduler).traced().lines == ["1"])
        let (promise, resolver) = Promise<Int>.pending()
        let log = promise.timeout(.zero, on: scheduler).traced()
        scheduler.advance()
        #expect(log.count == 1 && resolver.isCancelled)
    }

    @Test("only the outcome is delayed, interim values are not") func delayInterim() {
        let (promise, resolver) = Promise<Int>.pending()
        let log = promise.delay(.seconds(1), on: scheduler).traced()
        resolver.report(1)
        #expect(log.lines == ["~1"])
        resolver.fulfill(2)
        #expect(log.lines == ["~1"])
        scheduler.advance(by: .seconds(1))
        #expect(log.lines == ["~1", "2"])
    }

    @Test("a timeout around a delay uses the scheduler of the chain") func nested() {
        let late = Promise.value(1).delay(.seconds(5)).timeout(.seconds(3)).start(on: scheduler)
        let early = Promise.value(2).delay(.seconds(2)).timeout(.seconds(3)).start(on: scheduler)
        late.catch { _ in }
        scheduler.run()
        #expect(late.result?.error is PromiseError)
        #expect(early.result?.value == 2)
        #expect(scheduler.now == .seconds(3))
        #expect(scheduler.pendingCount == 0)
    }
}
