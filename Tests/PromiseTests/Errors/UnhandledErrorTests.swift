import Promise
import PromisedTesting
import TestSupport
import Testing

@Suite(.tags(.sharedState)) struct UnhandledErrorTests {
    init() { Reports.begin() }

    @Test("an unhandled error is reported once, with the origin of the failed promise")
    func once() {
        let error = Boom.unique()
        let line = #line + 1
        do { Promise<Int> { $0.reject(error) }.map { $0 }.flatMap { .value($0) }.done { _ in } }
        let reports = Reports.about(error)
        #expect(reports.count == 1)
        #expect(reports.first?.origin.line == line)
        #expect(reports.first?.origin.file == "PromiseTests/UnhandledErrorTests.swift")
        #expect(
            reports.first?.description == "Unhandled error of the promise made at "
                + "PromiseTests/UnhandledErrorTests.swift:\(line): \(error)")
    }

    @Test("a thrown error is reported with the origin of the operator that threw it")
    func thrown() {
        let error = Boom.unique()
        let line = #line + 1
        do { Promise.value(1).map { _ -> Int in throw error }.map { $0 }.start() }
        #expect(Reports.about(error).map(\.origin.line) == [line])
        let second = Boom.unique()
        let secondLine = #line + 1
        do { Promise.value(1).done { _ in throw second } }
        #expect(Reports.about(second).map(\.origin.line) == [secondLine])
    }

    @Test("an error is reported if the promise is started after it was rejected", arguments: 0..<4)
    func startedLate(form: Int) {
        let error = Boom.unique()
        do {
            let (promise, resolver) = Promise<Int>.pending()
            resolver.reject(error)
            switch form {
            case 0: promise.start()
            case 1: promise.map { $0 }.start()
            case 2: promise.start(on: TestScheduler())
            default: promise.done { _ in }
            }
            #expect(Reports.about(error).isEmpty)
        }
        #expect(Reports.about(error).count == 1)
    }

    @Test("an error is reported only when the last reference is released") func last() {
        let error = Boom.unique()
        var promise: Promise<Int>? = Promise<Int> { $0.reject(error) }.map { $0 }
        promise?.start()
        #expect(Reports.about(error).isEmpty)
        promise = nil
        #expect(Reports.about(error).count == 1)
    }

    enum Looking: CaseIterable {
        case `catch`, catchLater, oneBranch, recover, mapErrorRecover, result, observed, caughtDownstream,
            mapped
    }

    @Test("an error that was handled is not reported", arguments: Looking.allCases)
    func looked(_ looking: Looking) {
        let error = Boom.unique()
        do {
            let promise = Promise<Int> { $0.reject(error) }.map { $0 }
            switch looking {
            case .catch: promise.catch { _ in }
            case .catchLater:
                promise.start()
                promise.done { _ in }
                promise.catch { _ in }
            case .oneBranch:
                promise.map { $0 }.done { _ in }
                promise.map { $0 }.catch { _ in }
            case .recover: promise.recover { _ in .value(1) }.done { _ in }
            case .mapErrorRecover: promise.mapErrorRecover { _ in 1 }.done { _ in }
            case .result: _ = promise.start().result
            case .observed:
                _ = promise.observe { if case .outcome(.rejected(let failure)) = $0 { _ = failure.error } }
            case .caughtDownstream:
                promise.flatMap { .value($0) }.ensure {}.delay(.zero, on: .immediate).done { _ in }
                    .finally {}.catch { _ in }
            case .mapped: promise.mapError { _ in Boom("another") }.catch { _ in }
            }
        }
        #expect(Reports.about(error).isEmpty)
    }

    @Test("an error that was awaited is not reported") func awaited() async {
        let error = Boom.unique()
        _ = try? await Promise<Int> { $0.reject(error) }.value
        _ = try? await Promise<Int>(error: error).value
        #expect(Reports.about(error).isEmpty)
    }

    @Test("the error of a promise that was never started is not reported") func neverStarted() {
        let error = Boom.unique()
        do {
            _ = Promise<Int>(error: error).map { $0 }
            let (promise, resolver) = Promise<Int>.pending()
            _ = promise.map { $0 }
            resolver.reject(error)
        }
        #expect(Reports.about(error).isEmpty)
    }

    @Test("an onCancel handler does not start a promise") func hooked() {
        let error = Boom.unique()
        do {
            let (promise, resolver) = Promise<Int>.pending()
            resolver.onCancel {}
            resolver.reject(error)
            withExtendedLifetime(promise) {}
        }
        #expect(Reports.about(error).isEmpty)
    }

    @Test("cancellation is not reported") func cancelled() {
        let error = Boom.unique()
        do {
            let (promise, resolver) = Promise<Int>.pending()
            promise.map { $0 }.done { _ in }
            promise.cancel()
            resolver.reject(error)
            Promise<Int>(error: CancellationError()).done { _ in }
        }
        #expect(Reports.about(error).isEmpty)
    }

    @Test("R3: work that is rejected with a cancellation is not reported") func rejectedWithCancellation() {
        let origin = Origin(#fileID, #line + 1)
        do { Promise<Int> { $0.reject(CancellationError()) }.map { $0 }.done { _ in } }
        #expect(Reports.of(origin).isEmpty)
    }

    @Test("finally and start() do not count as handling the error") func notAsking() {
        let errors = [Boom.unique(), Boom.unique(), Boom.unique()]
        do {
            Promise<Int>(error: errors[0]).finally {}
            Promise<Int>(error: errors[1]).start()
            let (promise, resolver) = Promise<Int>.pending()
            promise.start()
            resolver.reject(errors[2])
        }
        #expect(errors.map { Reports.about($0).count } == [1, 1, 1])
    }

    @Test("an unhandled abandonment is reported") func abandoned() {
        let origin = Origin(#fileID, #line + 1)
        do { Promise<Int> { _ in }.done { _ in } }
        #expect(Reports.abandoned(at: origin) == 1)
    }

    @Test("errors of members after a combinator has settled are not reported") func combined() {
        let errors = (0..<4).map { _ in Boom.unique() }
        do {
            Promise<(Int, Int)>.zip(Promise(error: errors[0]), Promise(error: errors[1])).catch { _ in }
            let (gate, resolver) = Promise<Int>.pending()
            let failing = (2...3).map { index in gate.map { _ -> Int in throw errors[index] } }
            Promise<Int>.parallel(failing).catch { _ in }
            resolver.fulfill(1)
        }
        #expect(errors.map { Reports.about($0).count } == [0, 0, 0, 0])
    }

    @Test("an unhandled error of a combinator is reported once") func combinedUnseen() {
        let error = Boom.unique()
        do { Promise<Int>.parallel([.value(1), Promise(error: error)]).done { _ in } }
        #expect(Reports.about(error).count == 1)
    }
}
