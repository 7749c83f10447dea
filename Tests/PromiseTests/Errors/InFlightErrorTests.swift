import Promise
import PromisedTesting
import TestSupport
import Testing

/// An error in flight to an observer that is then cancelled is not reported.
@Suite struct InFlightErrorTests {
    init() { Reports.begin() }

    /// Operators that settle after their source, possibly later.
    enum Relay: CaseIterable {
        case delay, delayOfChain, receive, timeout, ensure, zip, race, any, allSettled, retry, recover, map

        func callAsFunction(_ promise: Promise<Int>, _ scheduler: TestScheduler) -> Promise<Int> {
            switch self {
            case .delay: promise.delay(.seconds(1), on: scheduler)
            case .delayOfChain: promise.delay(.seconds(2))
            case .receive: promise.receive(on: scheduler)
            case .timeout: promise.timeout(.seconds(9), on: scheduler)
            case .ensure: promise.ensure {}
            case .zip: Promise.zip(promise, Promise.value(0).delay(.seconds(9), on: scheduler)).map(\.0)
            case .race: .race(promise, Promise.value(0).delay(.seconds(9), on: scheduler))
            case .any: .any(promise, Promise.value(0).delay(.seconds(9), on: scheduler))
            case .allSettled: Promise.allSettled(promise, .value(0)).map { try $0[0].get() }
            case .retry:
                .retry(attempts: 2, backoff: .constant(.seconds(1)), on: scheduler) { promise }
            case .recover: promise.recover { Promise(error: $0).delay(.seconds(1), on: scheduler) }
            case .map: promise.map { $0 }
            }
        }
    }

    /// How the source is rejected.
    enum Failing: CaseIterable {
        case settled, body, thrown, pending, onScheduler

        func callAsFunction(_ error: Boom, _ scheduler: TestScheduler) -> (Promise<Int>, () -> Void) {
            switch self {
            case .settled: return (Promise(error: error), {})
            case .body: return (Promise { $0.reject(error) }, {})
            case .thrown: return (Promise.value(1).map { _ in throw error }, {})
            case .pending:
                let (promise, resolver) = Promise<Int>.pending()
                return (promise, { resolver.reject(error) })
            case .onScheduler:
                let later = Promise<Int> { resolver in scheduler.schedule { resolver.reject(error) } }
                return (later, {})
            }
        }
    }

    /// When the chain is cancelled.
    enum Moment: CaseIterable {
        case atOnce, onItsWay, halfway, inAHandler
    }

    private func forestall(
        _ failing: Failing, _ moment: Moment, _ error: Boom, isSchedulerServed: Bool,
        _ relays: (Promise<Int>, TestScheduler) -> Promise<Int>
    ) {
        let scheduler = TestScheduler()
        let (source, fail) = failing(error, scheduler)
        let last = relays(source, scheduler)
        if moment == .atOnce { last.start() } else { last.start(on: scheduler) }
        last.catch { _ in }
        if moment != .atOnce { scheduler.advance() }
        switch moment {
        case .atOnce, .onItsWay:
            fail()
            last.cancel()
        case .halfway:
            fail()
            scheduler.advance(by: .milliseconds(500))
            last.cancel()
        case .inAHandler:
            source.finally { last.cancel() }
            fail()
        }
        if isSchedulerServed { scheduler.run() }
    }

    /// The combinations of failure and cancellation after which the error is reported; expected to be empty.
    private func reported(_ relays: [Relay]) -> [String] {
        var ways: [String] = []
        for failing in Failing.allCases {
            for moment in Moment.allCases {
                for isServed in [true, false] {
                    let (error, count) = (Boom.unique(), Reports.count)
                    forestall(failing, moment, error, isSchedulerServed: isServed) { promise, scheduler in
                        relays.reduce(promise) { $1($0, scheduler) }
                    }
                    if !Reports.about(error, after: count).isEmpty {
                        ways.append("\(failing) \(moment) \(isServed)")
                    }
                }
            }
        }
        return ways
    }

    @Test(
        "the error that a cancelled operator was about to forward is not reported",
        arguments: Relay.allCases)
    func one(_ relay: Relay) {
        #expect(reported([relay]) == [])
    }

    @Test(
        "the error in flight in two or three cancelled operators is not reported",
        arguments: Relay.allCases)
    func several(_ first: Relay) {
        for second in Relay.allCases {
            for last in isStress ? [[], [Relay.delay], [.receive], [.timeout], [.ensure]] : [[], [.delay]] {
                let relays = [first, second] + last
                #expect(reported(relays) == [], "\(relays)")
            }
        }
    }

    @Test("a delay that is cancelled while it delays an error reports nothing") func delayed() {
        let error = Boom.unique()
        let scheduler = TestScheduler()
        do {
            let promise = Promise<Int> { $0.reject(error) }.delay(.seconds(1), on: scheduler)
            promise.catch { _ in }
            #expect(scheduler.pendingCount == 1)
            promise.cancel()
        }
        #expect(scheduler.pendingCount == 0)
        #expect(Reports.about(error).isEmpty)
    }

    @Test("a zip whose members fail together reports neither error") func zipped() {
        for kind in 0..<3 {
            let errors = [Boom.unique(), Boom.unique()]
            let scheduler = TestScheduler()
            do {
                let failing = errors.map { error in
                    switch kind {
                    case 0: Promise<Int>(error: error)
                    case 1: Promise<Int> { $0.reject(error) }
                    default: Promise<Int>(error: error).delay(.seconds(3), on: scheduler)
                    }
                }
                let log = Log()
                Promise.zip(failing[0].timeout(.seconds(4)), failing[1].delay(.seconds(3)))
                    .start(on: scheduler)
                    .catch { log($0) }
                scheduler.run()
                #expect(log.lines == ["\(errors[0])"])
            }
            #expect(errors.map { Reports.about($0).count } == [0, 0])
        }
    }

    @Test("the losers of a combinator report nothing, whichever operator forwards their errors")
    func losers() {
        for left in Relay.allCases {
            for right in Relay.allCases {
                for combinator in 0..<4 {
                    let errors = [Boom.unique(), Boom.unique()]
                    let scheduler = TestScheduler()
                    do {
                        let members = zip(errors, [left, right]).map { error, relay in
                            relay(Promise<Int> { $0.reject(error) }, scheduler)
                        }
                        let whole: Promise<Int> =
                            switch combinator {
                            case 0: Promise.zip(members[0], members[1]).map(\.0)
                            case 1: Promise.parallel(members).map { $0[0] }
                            case 2: .race(members)
                            default: .race(.any(members), .value(0).delay(.milliseconds(500), on: scheduler))
                            }
                        whole.start(on: scheduler)
                        whole.catch { _ in }
                        scheduler.run()
                        #expect(whole.result != nil)
                    }
                    #expect(
                        errors.map { Reports.about($0).count } == [0, 0], "\(left) \(right) \(combinator)")
                }
            }
        }
    }

    @Test("an unhandled error is reported if another observer is not cancelled") func wanted() {
        let error = Boom.unique()
        do {
            let (promise, resolver) = Promise<Int>.pending()
            let scheduler = TestScheduler()
            promise.map { $0 }.done { _ in }
            let cancelled = promise.delay(.seconds(1), on: scheduler)
            cancelled.catch { _ in }
            cancelled.cancel()
            resolver.reject(error)
            scheduler.run()
        }
        #expect(Reports.about(error).count == 1)
    }
}
