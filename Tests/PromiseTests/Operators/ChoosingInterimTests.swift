import Promise
import TestSupport
import Testing

/// Interim values of combinators, and errors of members that do not decide the outcome.
@Suite struct ChoosingInterimTests {
    init() { Reports.begin() }

    @Test(
        "R2: race and any forward the interim values of all members until one has won",
        arguments: [true, false])
    func forwarded(_ isRace: Bool) {
        let (a, ra) = Promise<Int>.pending()
        let (b, rb) = Promise<Int>.pending()
        let shared = b.traced()
        let log = (isRace ? Promise.race(a, b) : Promise.any(a, b)).traced()
        ra.report(1)
        rb.report(2)
        ra.report(3)
        ra.fulfill(4)
        rb.report(5)
        rb.fulfill(6)
        #expect(log.lines == ["~1", "~2", "~3", "4"])
        #expect(shared.lines == ["~2", "~5", "6"])
    }

    @Test("R2: any forwards interim values after a member was rejected") func afterRejection() {
        let (a, ra) = Promise<Int>.pending()
        let (b, rb) = Promise<Int>.pending()
        let log = Promise.any(a, b).traced()
        ra.report(1)
        ra.reject(Boom("a"))
        rb.report(2)
        rb.fulfill(3)
        #expect(log.lines == ["~1", "~2", "3"])
    }

    @Test("R2: leading interim values of members are delivered first, and can be read without starting")
    func leading() {
        let (a, resolver) = Promise<Int>.pending()
        for promise in [
            Promise.race(a.interim(1), Promise.value(5).interim(2).interim(3)),
            Promise.any(a.interim(1), Promise.value(5).interim(2).interim(3)),
        ] {
            #expect(promise.loadingState == 1)
            #expect(promise.traced().lines == ["~1", "~3", "~2", "5"])
        }
        #expect(Promise.race(a, a).loadingState == nil)
        withExtendedLifetime(resolver) {}
    }

    @Test("R2: allSettled, zip and parallel drop interim values, leading ones too")
    func dropped() {
        let (a, ra) = Promise<Int>.pending()
        let promise = a.interim(0)
        let logs = [
            Promise.allSettled(promise).map { $0[0].value }.traced(),
            Promise.parallel([promise]).map { $0.first }.traced(),
            Promise.zip(promise, promise).map { Optional($0.0) }.traced(),
        ]
        #expect(Promise.allSettled(promise).loadingState == nil)
        ra.report(1)
        ra.fulfill(2)
        #expect(logs.map(\.lines) == [["Optional(2)"], ["Optional(2)"], ["Optional(2)"]])
    }

    // MARK: Errors

    @Test("R2: the error of a losing member is not reported, wherever it settles") func losers() {
        let errors = (0..<4).map { _ in Boom.unique() }
        do {
            let (gate, resolver) = Promise<Int>.pending()
            let failing = (0...1).map { index in gate.map { _ -> Int in throw errors[index] } }
            Promise.race([gate] + failing).done { _ in }
            resolver.fulfill(1)
            let (late, second) = Promise<Int>.pending()
            let thrown = late.map { $0 }
            Promise.race(thrown, .value(1)).done { _ in }
            second.reject(errors[2])
            Promise.race(Promise { $0.fulfill(1) }, Promise { $0.reject(errors[3]) }).done { _ in }
        }
        #expect(errors.map { Reports.about($0).count } == [0, 0, 0, 0])
    }

    @Test("R2: errors that any and allSettled collect count as handled") func collected() {
        let errors = (0..<4).map { _ in Boom.unique() }
        do {
            Promise.any(Promise { $0.reject(errors[0]) }, .value(1)).done { _ in }
            Promise<Int>.any(Promise { $0.reject(errors[1]) }).catch { _ in }
            Promise<Int>.allSettled(Promise { $0.reject(errors[2]) }).done { _ in }
            let (never, resolver) = Promise<Int>.pending()
            let cancelled = Promise.any(Promise { $0.reject(errors[3]) }, never)
            cancelled.done { _ in }
            cancelled.cancel()
            withExtendedLifetime(resolver) {}
        }
        #expect(errors.map { Reports.about($0).count } == [0, 0, 0, 0])
    }

    @Test("R2: an unhandled error that decides the outcome is reported once") func decisive() {
        let error = Boom.unique()
        do { Promise.race(Promise { $0.reject(error) }, .value(1)).done { _ in } }
        #expect(Reports.about(error).isEmpty)
        do { Promise.race(Promise(error: error), .value(1)).done { _ in } }
        #expect(Reports.about(error).count == 1)
        let line: UInt = #line + 1
        do { Promise<Int>.any(Promise(error: Boom("x")), Promise(error: Boom("y"))).done { _ in } }
        #expect(Reports.of(Origin(#fileID, line)).count == 1)
    }
}
