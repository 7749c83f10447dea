import Promise
import Testing

/// Promises/A+ 2.2.7, how the promise that an operator returns is settled.
@Suite struct APlusChainTests {
    @Test(
        "R1, A+ 2.2.7.1: the result of a handler settles the promise that the operator returned",
        arguments: Moment.allCases)
    func returned(_ moment: Moment) {
        let good = moment.promise(fulfilled)
        let bad = moment.promise(rejected)
        let logs = [
            good.promise.map { $0 + 1 }.traced(),
            good.promise.flatMap { .value($0 + 1) }.traced(),
            good.promise.then { value in Promise { $0.fulfill(value + 1) } }.traced(),
            good.promise.done { _ in }.map { 8 }.traced(),
            bad.promise.mapErrorRecover { _ in 8 }.traced(),
            bad.promise.recover { _ in .value(8) }.traced(),
            bad.promise.mapError { _ in Boom("other") }.mapErrorRecover { "\($0)" == "other" ? 8 : 0 }
                .traced(),
        ]
        good.settle()
        bad.settle()
        for log in logs { #expect(log.lines == ["8"]) }
    }

    @Test(
        "R1, A+ 2.2.7.2: an error thrown by a handler rejects the promise that the operator returned",
        arguments: Moment.allCases)
    func thrown(_ moment: Moment) {
        let reason = Reason()
        let good = moment.promise(fulfilled)
        let bad = moment.promise(rejected)
        var results = ValueHandler.allCases.map { handler in
            handler.attach(to: good.promise) { _ in throw reason }.map { _ in 0 }
        }
        // The handlers of `catch` and `finally` cannot throw.
        results += ErrorHandler.allCases.filter { $0 != .catch }.map { handler in
            handler.attach(to: bad.promise) { _ in throw reason }
        }
        results += [good.promise.ensure { throw reason }, bad.promise.ensure { throw reason }]
        for result in results { result.catch { _ in } }
        good.settle()
        bad.settle()
        for result in results { #expect(result.result?.error as? Reason === reason) }
    }

    @Test(
        "R1, A+ 2.2.7.3: an operator without a handler for values forwards the value",
        arguments: Moment.allCases)
    func valuePasses(_ moment: Moment) {
        let token = Token()
        let settling = moment.promise(Result<Token, any Error>.success(token))
        let promise = settling.promise
        let results = [
            promise.catch { _ in }, promise.finally {}, promise.onInterim { _ in }, promise.mapError { $0 },
            promise.mapErrorRecover { _ in Token() }, promise.recover { _ in .value(Token()) },
            promise.ensure {}, Promise(promise), promise.interim(Token()),
        ]
        for result in results { result.start() }
        settling.settle()
        for result in results { #expect(result.result?.value === token) }
    }

    @Test(
        "R1, A+ 2.2.7.4: an operator without a handler for errors forwards the error",
        arguments: Moment.allCases)
    func errorPasses(_ moment: Moment) {
        let reason = Reason()
        let settling = moment.promise(Result<Int, any Error>.failure(reason))
        let promise = settling.promise
        let results = [
            promise.map { $0 }, promise.flatMap { .value($0) }, promise.then { .value($0) },
            promise.done { _ in }.map { 0 }, promise.catch { _ in }, promise.finally {},
            promise.onInterim { _ in }, promise.ensure {}, Promise(promise), promise.interim(0),
        ]
        for result in results { result.catch { _ in } }
        settling.settle()
        for result in results { #expect(result.result?.error as? Reason === reason) }
    }
}
