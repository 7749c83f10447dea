import Dispatch
import Promise
import PromisedTesting
import TestSupport
import Testing

/// A chain that is started in a closure of another chain uses that chain's scheduler: every operator and observer with a
/// closure × every way to settle it.
@Suite(.tags(.noSharedState)) struct ChainClockTests {
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

        func settle(_ end: ClosurePlace.End) {
            switch end {
            case .value: resolver.fulfill(1)
            case .error: resolver.reject(Boom())
            case .cancelled: promise.cancel()
            case .interim: resolver.report(1)
            case .abandoned: break
            }
        }
    }

    private static func attach(_ place: ClosurePlace, _ fixture: Fixture) {
        place.attach(fixture.work, to: fixture.promise, fixture.resolver, on: fixture.scheduler)
    }

    private static func settle(_ fixture: Fixture, _ end: ClosurePlace.End, by settler: Settler) {
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
        arguments: ClosurePlace.allCases, Settler.allCases)
    func clock(_ place: ClosurePlace, _ settler: Settler) {
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
