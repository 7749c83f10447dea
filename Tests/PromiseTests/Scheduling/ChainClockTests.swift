import Dispatch
import Promise
import PromisedTesting
import TestSupport
import Testing

/// A chain that is started in a closure of another chain uses that chain's scheduler: every operator and observer with a
/// closure × every way to settle it.
@Suite(.tags(.noSharedState)) struct ChainClockTests {
    /// A closure that the library calls for a chain.
    enum Place: CaseIterable {
        case map, mapInterim, tap, flatMap, then, mapError, mapErrorRecover, recover, ensure, ensureCancelled,
            retry,
            retryWhere, done, `catch`, finally, onResult, onInterim, onCancel, doneOn, catchOn, finallyOn,
            onResultOn,
            onInterimOn, parallelLimit

        /// How the promise must end, so that the closure is called.
        var end: End {
            switch self {
            case .mapInterim, .onInterim, .onInterimOn: .interim
            case .mapError, .mapErrorRecover, .recover, .catch, .catchOn: .error
            case .ensureCancelled, .onCancel: .cancelled
            default: .value
            }
        }

        /// Whether it observes a chain that was started before.
        var isObserver: Bool {
            switch self {
            case .done, .catch, .finally, .onResult, .onInterim, .onCancel, .doneOn, .catchOn, .finallyOn,
                .onResultOn,
                .onInterimOn:
                true
            default: false
            }
        }
    }

    enum End { case value, error, cancelled, interim }

    /// How the promise comes to be, before this place's closure.
    enum Source: CaseIterable { case pending, resolver, mapped, shared, ensured, parallel }

    enum Settler: CaseIterable { case test, thread, scheduler, otherScheduler, before }

    /// A chain whose source is settled from outside.
    private struct Fixture {
        let scheduler = TestScheduler()
        let other = TestScheduler()
        let log = Log()
        let promise: Promise<Int>
        let resolver: Resolver<Int>

        init(_ source: Source) {
            let (pending, resolver) = Promise<Int>.pending()
            self.resolver = resolver
            promise =
                switch source {
                case .pending: pending
                case .resolver:
                    Promise { own in
                        own.onCancel { pending.cancel() }
                        pending.onInterim { own.report($0) }.onResult { own.resolve($0) }
                    }
                case .mapped: pending.map { $0 }
                case .shared: pending.map { $0 }.start(on: other).map { $0 }
                case .ensured: pending.ensure {}
                case .parallel: Promise.any([pending])
                }
        }

        /// What the closure does.
        var work: @Sendable () -> Void {
            { [log] in Promise.value("later").delay(.seconds(1)).done { log($0) } }
        }

        func settle(_ end: End) {
            switch end {
            case .value: resolver.fulfill(1)
            case .error: resolver.reject(Boom())
            case .cancelled: promise.cancel()
            case .interim: resolver.report(1)
            }
        }
    }

    private static func attach(_ place: Place, _ fixture: Fixture) {
        let (promise, work, scheduler) = (fixture.promise, fixture.work, fixture.scheduler)
        func start(_ chain: Promise<some Sendable>) { chain.start(on: scheduler) }
        let value: @Sendable (Int) -> Int = {
            work()
            return $0
        }
        let next: @Sendable (Int) -> Promise<Int> = { .value(value($0)) }
        switch place {
        case .map, .mapInterim: start(promise.map(value))
        case .tap: start(promise.tap { _ in work() })
        case .flatMap: start(promise.flatMap(next))
        case .then: start(promise.then(next))
        case .mapError:
            start(
                promise.mapError {
                    work()
                    return $0
                })
        case .mapErrorRecover: start(promise.mapErrorRecover { _ in value(0) })
        case .recover: start(promise.recover { _ in next(0) })
        case .ensure: start(promise.ensure(work))
        case .ensureCancelled: start(promise.ensure(work))
        case .retry: start(promise.flatMap { _ in Promise.retry(attempts: 1) { next(0) } })
        case .retryWhere:
            start(
                Promise<Int>.retry(
                    attempts: 2,
                    where: { _ in
                        work()
                        return false
                    }
                ) { promise.map { _ in throw Boom() } })
        case .parallelLimit: start(promise.flatMap { Promise.parallel([$0], limit: 1, next) })
        case .done: promise.done { _ in work() }
        case .catch: promise.catch { _ in work() }
        case .finally: promise.finally(work)
        case .onResult: promise.onResult { _ in work() }
        case .onInterim: promise.onInterim { _ in work() }
        case .onCancel: fixture.resolver.onCancel(work)
        case .doneOn: promise.done(on: scheduler) { _ in work() }
        case .catchOn: promise.catch(on: scheduler) { _ in work() }
        case .finallyOn: promise.finally(on: scheduler, work)
        case .onResultOn: promise.onResult(on: scheduler) { _ in work() }
        case .onInterimOn: promise.onInterim(on: scheduler) { _ in work() }
        }
    }

    private static func settle(_ fixture: Fixture, _ end: End, by settler: Settler) {
        switch settler {
        case .test, .before: fixture.settle(end)
        case .thread: _ = onThreads { fixture.settle(end) }
        case .scheduler:
            fixture.scheduler.schedule { fixture.settle(end) }
        case .otherScheduler:
            fixture.other.schedule { fixture.settle(end) }
            fixture.other.advance()
        }
        fixture.scheduler.advance()
    }

    @Test(
        "a chain started in a closure of a chain uses that chain's scheduler, whoever settles it",
        arguments: Place.allCases, Settler.allCases)
    func clock(_ place: Place, _ settler: Settler) {
        for source in Source.allCases {
            // Settled before, a promise reports no interim values and is not cancelled; a pending one remembers nothing.
            if settler == .before, [.interim, .cancelled].contains(place.end) || source == .pending {
                continue
            }
            let fixture = Fixture(source)
            if place.isObserver { fixture.promise.start(on: fixture.scheduler) }
            if place == .onCancel, source != .pending { continue }
            if settler != .before { Self.attach(place, fixture) }
            fixture.scheduler.advance()
            Self.settle(fixture, place.end, by: settler)
            if settler == .before { Self.attach(place, fixture) }
            fixture.scheduler.advance()
            #expect(fixture.log.lines.isEmpty, "\(source)")
            fixture.scheduler.advance(by: .milliseconds(999))
            fixture.other.advance(by: .seconds(5))
            #expect(fixture.log.lines.isEmpty, "\(source)")
            fixture.scheduler.advance(by: .milliseconds(1))
            #expect(fixture.log.lines == ["later"], "\(source)")
        }
    }

    @Test("a handler of a chain that waits to begin, and is cancelled, uses the chain's scheduler")
    func cancelledBeforeBegin() {
        let scheduler = TestScheduler()
        let log = Log()
        let promise = Promise<Int> { _ in Issue.record("began") }.start(on: scheduler)
        promise.catch { _ in Promise.value("later").delay(.seconds(1)).done { log($0) } }
        promise.cancel()
        scheduler.advance(by: .seconds(1))
        #expect(log.lines == ["later"])
    }
}
