import Promise
import PromisedTesting
import TestSupport
import Testing

@Suite struct ErrorTests {
    @Test("PK-13: mapErrorRecover replaces an error by a value") func mapErrorRecover() {
        #expect(Promise<Int>(error: Boom()).mapErrorRecover { _ in 7 }.traced().lines == ["7"])
    }

    @Test("PK-13: mapErrorRecover forwards a value without calling the closure")
    func mapErrorRecoverSuccess() {
        let runs = Counter()
        #expect(Promise.value(1).mapErrorRecover { _ in runs.up() }.traced().lines == ["1"])
        #expect(runs.value == 0)
    }

    @Test("PK-13: the closure of mapErrorRecover receives the error, and may throw")
    func mapErrorRecoverThrows() {
        let seen = Log()
        let promise = Promise<Int>(error: Boom("a")).mapErrorRecover { error in
            seen(error)
            throw Boom("b")
        }
        #expect(promise.traced().lines == ["!b"])
        #expect(seen.lines == ["a"])
    }

    @Test("PK-14: mapError replaces an error by another") func mapError() {
        let promise = Promise<Int>(error: Boom("E1")).mapError { Boom("E2 for \($0)") }
        #expect(promise.traced().lines == ["!E2 for E1"])
    }

    @Test("PK-14: mapError is called for errors only") func mapErrorSuccess() {
        let runs = Counter()
        let promise = Promise.value(1).mapError {
            runs.up()
            return $0
        }
        #expect(promise.traced().lines == ["1"])
        #expect(runs.value == 0)
    }

    @Test("PK-14: an error thrown in mapError rejects the promise") func mapErrorThrows() {
        let promise = Promise<Int>(error: Boom("E1")).mapError { _ in throw Boom("thrown") }
        #expect(promise.traced().lines == ["!thrown"])
    }

    @Test("PK-14: error handlers receive a cancellation like any other error") func mapErrorCancelled() {
        let (promise, resolver) = Promise<Int>.pending()
        let log = promise.mapError { Boom("\($0)") }.traced()
        promise.cancel()
        #expect(log.lines == ["!CancellationError()"] || log.lines == ["!\(CancellationError())"])
        withExtendedLifetime(resolver) {}
    }

    @Test("recover continues with another promise") func recover() {
        let (other, resolver) = Promise<Int>.pending()
        let log = Promise<Int>(error: Boom()).recover { _ in other }.traced()
        #expect(log.lines.isEmpty)
        resolver.fulfill(3)
        #expect(log.lines == ["3"])
    }

    @Test("recover is rejected if the other promise is, or if the closure throws")
    func recoverFails() {
        #expect(
            Promise<Int>(error: Boom("a")).recover { _ in Promise(error: Boom("b")) }.traced().lines == ["!b"]
        )
        #expect(Promise<Int>(error: Boom("a")).recover { _ in throw Boom("c") }.traced().lines == ["!c"])
    }

    @Test("recover forwards a value without calling the closure") func recoverSuccess() {
        let runs = Counter()
        let promise = Promise.value(1).recover { _ in
            runs.up()
            return .value(2)
        }
        #expect(promise.traced().lines == ["1"])
        #expect(runs.value == 0)
    }

    // MARK: ensure

    @Test("ensure runs once for a value or an error, and forwards it") func ensure() {
        let runs = Counter()
        #expect(Promise.value(1).ensure { runs.up() }.traced().lines == ["1"])
        #expect(runs.value == 1)
        #expect(Promise<Int>(error: Boom("e")).ensure { runs.up() }.traced().lines == ["!e"])
        #expect(runs.value == 2)
    }

    @Test("ensure runs before the handlers attached to it") func ensureOrder() {
        let log = Log()
        Promise.value(1).ensure { log("ensure") }.trace(log)
        #expect(log.lines == ["ensure", "1"])
    }

    @Test("on cancellation, ensure runs after the work's onCancel; its error is reported")
    func ensureAfterWork() {
        Reports.begin()
        let log = Log()
        let error = Boom.unique("ensure")
        let (work, resolver) = Promise<Int>.pending()
        resolver.onCancel { log("work told") }
        let ensured = work.ensure {
            log("ensure")
            throw error
        }
        ensured.start()
        ensured.cancel()
        #expect(log.lines == ["work told", "ensure"])
        #expect(throws: CancellationError.self) { try ensured.result?.get() }
        #expect(Reports.about(error).count == 1)
    }

    @Test("an error that ensure throws after cancelling its own promise is reported")
    func ensureCancelsItself() {
        Reports.begin()
        let error = Boom.unique("ensure")
        let own = Box<Promise<Int>>()
        let (promise, resolver) = Promise<Int>.pending()
        let ensured = promise.ensure {
            own.value?.cancel()
            throw error
        }
        own.value = ensured
        ensured.start()
        resolver.fulfill(1)
        own.value = nil
        #expect(ensured.result?.error is CancellationError)
        #expect(Reports.about(error).count == 1)
    }

    @Test("ensure runs when the promise before or after it is cancelled", arguments: [true, false])
    func ensureCancelled(_ isBelow: Bool) {
        let runs = Counter()
        let (promise, resolver) = Promise<Int>.pending()
        let ensured = promise.ensure { runs.up() }
        let last = ensured.map { $0 }
        let log = last.traced()
        if isBelow { last.cancel() } else { promise.cancel() }
        #expect(runs.value == 1)
        #expect(log.lines == ["!CancellationError()"])
        #expect(!resolver.fulfill(1))
        #expect(runs.value == 1)
    }

    @Test("an error thrown in ensure replaces the outcome") func ensureThrows() {
        #expect(Promise.value(1).ensure { throw Boom("t") }.traced().lines == ["!t"])
        #expect(Promise<Int>(error: Boom("a")).ensure { throw Boom("t") }.traced().lines == ["!t"])
    }

    @Test("ensure does not run if the promise is cancelled while idle") func ensureIdle() {
        let runs = Counter()
        let ensured = Promise.value(1).ensure { runs.up() }
        ensured.cancel()
        #expect(ensured.traced().lines == ["!CancellationError()"])
        #expect(runs.value == 0)
    }
}
