import Promise
import TestSupport
import Testing

@Suite struct TapTests {
    init() { Reports.begin() }

    @Test("R2: tap receives the value once and forwards it") func value() {
        let log = Log()
        let tapped = Promise { $0.fulfill(1) }.tap { log("looked at \($0)") }
        #expect(log.lines.isEmpty)
        tapped.trace(log)
        tapped.trace(log)
        #expect(log.lines == ["looked at 1", "1", "1"])
    }

    @Test("R2: an error thrown in tap rejects the promise") func throwing() {
        #expect(Promise.value(1).tap { _ in throw Boom("t") }.traced().lines == ["!t"])
    }

    @Test("R2: tap is not called for an error, a cancellation or interim values, and forwards them")
    func others() {
        let seen = Log()
        let (promise, resolver) = Promise<Int>.pending()
        let log = promise.interim(0).tap { seen($0) }.traced()
        resolver.report(1)
        resolver.reject(Boom("e"))
        #expect(log.lines == ["~0", "~1", "!e"])
        let (cancelled, second) = Promise<Int>.pending()
        let cancelledLog = cancelled.tap { seen($0) }.traced()
        cancelled.cancel()
        #expect(cancelledLog.lines == ["!CancellationError()"])
        if case .failure(PromiseError.abandoned) = Promise<Int>({ _ in }).tap({ seen($0) }).start().result {
        } else {
            Issue.record("not abandoned")
        }
        #expect(seen.lines.isEmpty)
        withExtendedLifetime(second) {}
    }

    @Test("R2: tap does not count as handling the error") func notAsking() {
        let error = Boom.unique()
        do { Promise<Int> { $0.reject(error) }.tap { _ in }.start() }
        #expect(Reports.about(error).count == 1)
    }
}
