import Promise
import PromisedTesting
import TestSupport
import Testing

/// The laws of every operator that keeps the outcome.
@Suite(.tags(.noSharedState)) struct OperatorLawTests {
    enum Operator: CaseIterable {
        case map, flatMap, then, mapError, mapErrorRecover, recover, ensure, receive, delay, timeout, `catch`,
            finally, onInterim, onResult, copy, zip, parallel, flatMapInto, tap, race, any, allSettled, retry,
            delayStart, limited

        func callAsFunction(_ promise: Promise<Int>, _ scheduler: TestScheduler) -> Promise<Int> {
            switch self {
            case .map: promise.map { $0 }
            case .flatMap: promise.flatMap { .value($0) }
            case .then: promise.then { value in Promise { $0.fulfill(value) } }
            case .mapError: promise.mapError { $0 }
            case .mapErrorRecover: promise.mapErrorRecover { throw $0 }
            case .recover: promise.recover { Promise(error: $0) }
            case .ensure: promise.ensure {}
            case .receive: promise.receive(on: .immediate)
            case .delay: promise.delay(.seconds(1), on: scheduler)
            case .timeout: promise.timeout(.seconds(60), on: scheduler)
            case .catch: promise.catch { _ in }
            case .finally: promise.finally {}
            case .onInterim: promise.onInterim { _ in }
            case .onResult: promise.onResult { _ in }
            case .copy: Promise(promise)
            case .zip: Promise<(Int, Int)>.zip(promise, .value(0)).map(\.0)
            case .parallel: Promise<Int>.parallel([.value(0), promise]).map { $0[1] }
            case .flatMapInto: Promise.value(0).flatMap { _ in promise }
            case .tap: promise.tap { _ in }
            case .race: .race(promise, .value(0).delay(.seconds(600), on: scheduler))
            case .any: .any(promise).mapError(Self.onlyError)
            case .allSettled: Promise.allSettled(.value(0), promise).map { try $0[1].get() }
            case .retry: .retry(attempts: 1) { promise }
            case .delayStart: promise.delayStart(.zero, on: .immediate)
            case .limited: Promise<Int>.parallel([.value(0), promise, .value(2)], limit: 2).map { $0[1] }
            }
        }

        private static func onlyError(_ error: any Error) -> any Error {
            if case PromiseError.noneFulfilled(let errors) = error, errors.count == 1 {
                errors[0]
            } else {
                error
            }
        }

        var startsAtOnce: Bool { [.catch, .finally, .onInterim, .onResult].contains(self) }
        var dropsInterim: Bool { [.flatMap, .then, .zip, .parallel, .allSettled, .limited].contains(self) }
        /// Whether it keeps leading interim values, readable without starting.
        var keepsLead: Bool { !dropsInterim && !makesLater }
        /// Whether it receives the promise only when it runs.
        var makesLater: Bool { [.flatMapInto, .retry].contains(self) }
    }

    private static let outcomes: [Result<Int, Boom>] = [.success(4), .failure(Boom("e"))]

    private func heard(_ outcome: Result<Int, Boom>) -> String {
        switch outcome {
        case .success(let value): "\(value)"
        case .failure(let error): "!\(error)"
        }
    }

    @Test("PK-20: the outcome of a settled promise is forwarded once", arguments: Operator.allCases, outcomes)
    func settled(_ apply: Operator, _ outcome: Result<Int, Boom>) {
        let scheduler = TestScheduler()
        for form in 0..<3 {
            let plain: Promise<Int> =
                switch outcome {
                case .success(let value): .value(value)
                case .failure(let error): Promise(error: error)
                }
            let lazy = Promise<Int> { $0.resolve(outcome.mapError { $0 }) }
            let old = Promise(lazy)
            if form == 2 { old.catch { _ in } }
            let derived = apply([plain, lazy, old][form], scheduler)
            let log = derived.traced()
            scheduler.advance(by: .seconds(1))
            #expect(log.lines == [heard(outcome)])
            #expect(derived.traced().lines == [heard(outcome)])
        }
        #expect(scheduler.pendingCount == 0)
    }

    @Test(
        "PK-20: the outcome of a pending promise is forwarded once, when it settles",
        arguments: Operator.allCases, outcomes)
    func pending(_ apply: Operator, _ outcome: Result<Int, Boom>) {
        let scheduler = TestScheduler()
        let (promise, resolver) = Promise<Int>.pending()
        let derived = apply(promise, scheduler)
        let log = derived.traced()
        scheduler.advance(by: .seconds(1))
        #expect(log.lines.isEmpty)
        #expect(derived.result == nil)
        resolver.resolve(outcome.mapError { $0 })
        scheduler.advance(by: .seconds(1))
        #expect(log.lines == [heard(outcome)])
        #expect(scheduler.pendingCount == 0)
    }

    @Test(
        "PK-11: interim values are delivered in order, before the outcome, never after",
        arguments: Operator.allCases)
    func interim(_ apply: Operator) {
        let scheduler = TestScheduler()
        let (promise, resolver) = Promise<Int>.pending()
        let log = apply(promise, scheduler).traced()
        resolver.report(1)
        resolver.report(2)
        resolver.fulfill(3)
        resolver.report(4)
        scheduler.advance(by: .seconds(1))
        #expect(log.lines == (apply.dropsInterim ? ["3"] : ["~1", "~2", "3"]))
    }

    @Test("PK-11: the loading state is kept or dropped", arguments: Operator.allCases)
    func loadingState(_ apply: Operator) {
        let scheduler = TestScheduler()
        let (promise, resolver) = Promise<Int>.pending()
        let derived = apply(promise.stateWhenLoading(9), scheduler)
        #expect(derived.loadingState == (apply.keepsLead ? 9 : nil))
        #expect(promise.loadingState == nil)
        let log = derived.traced()
        resolver.fulfill(3)
        scheduler.advance(by: .seconds(1))
        let carried = apply.keepsLead || apply.makesLater
        #expect(log.lines == (carried ? ["~9", "3"] : ["3"]))
    }

    @Test(
        "cancelling a pending promise rejects it and cancels its work",
        arguments: Operator.allCases)
    func cancelled(_ apply: Operator) {
        let scheduler = TestScheduler()
        let (promise, resolver) = Promise<Int>.pending()
        let cancelled = Counter()
        resolver.onCancel { cancelled.up() }
        let derived = apply(promise, scheduler)
        let log = derived.traced()
        derived.cancel()
        derived.cancel()
        #expect(log.lines == ["!CancellationError()"])
        #expect(cancelled.value == 1)
        #expect(resolver.isCancelled)
        #expect(!resolver.fulfill(1))
        scheduler.advance(by: .seconds(100))
        #expect(log.lines == ["!CancellationError()"])
        #expect(scheduler.pendingCount == 0)
    }

    @Test("cancelling a source cancels the promises derived from it", arguments: Operator.allCases)
    func sourceCancelled(_ apply: Operator) {
        let scheduler = TestScheduler()
        let (promise, resolver) = Promise<Int>.pending()
        let log = apply(promise, scheduler).traced()
        promise.cancel()
        scheduler.advance(by: .seconds(1))
        #expect(log.lines == ["!CancellationError()"])
        withExtendedLifetime(resolver) {}
    }

    @Test("a promise that is cancelled while idle never starts", arguments: Operator.allCases)
    func cancelledIdle(_ apply: Operator) {
        guard !apply.startsAtOnce else { return }
        let scheduler = TestScheduler()
        let runs = Counter()
        let work = Promise<Int> { $0.fulfill(runs.up()) }
        let derived = apply(work, scheduler)
        derived.cancel()
        let log = derived.traced()
        scheduler.advance(by: .seconds(1))
        #expect(log.lines == ["!CancellationError()"])
        #expect(runs.value == 0)
        // A copy is the same promise; every other operator does not affect the idle source.
        if apply != .copy { #expect(work.start().result?.value == 1) }
    }

    @Test("cancelling one branch does not affect the other", arguments: Operator.allCases)
    func branches(_ apply: Operator) {
        guard apply != .copy else { return }
        let scheduler = TestScheduler()
        let (promise, resolver) = Promise<Int>.pending()
        let cancelled = Counter()
        resolver.onCancel { cancelled.up() }
        let (left, right) = (apply(promise, scheduler), apply(promise, scheduler))
        let (leftLog, rightLog) = (left.traced(), right.traced())
        left.cancel()
        resolver.fulfill(1)
        scheduler.advance(by: .seconds(1))
        #expect(leftLog.lines == ["!CancellationError()"])
        #expect(rightLog.lines == ["1"])
        #expect(cancelled.value == 0)
    }

    @Test(
        "R7: closures are released when the promise has settled or was cancelled",
        arguments: Operator.allCases, 0..<4)
    func freed(_ apply: Operator, _ end: Int) {
        weak var token: Token?
        let scheduler = TestScheduler()
        let (promise, resolver) = Promise<Int>.pending()
        let kept: Promise<Int>
        do {
            let held = Token()
            token = held
            let mapped = promise.map { value in withExtendedLifetime(held) { value } }
            kept = apply(mapped, scheduler).map { value in withExtendedLifetime(held) { value } }
            kept.catch { _ in withExtendedLifetime(held) {} }
        }
        #expect(token != nil)
        switch end {
        case 0: resolver.fulfill(1)
        case 1: resolver.reject(Boom())
        case 2: kept.cancel()
        default: promise.cancel()
        }
        scheduler.advance(by: .seconds(1))
        #expect(token == nil)
        #expect(kept.result != nil)
    }
}
